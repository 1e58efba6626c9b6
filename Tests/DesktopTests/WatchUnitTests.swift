import Platform
import TestSupport
import Testing

@testable import Desktop

@Suite struct WatchUnitTests {
    @Test(arguments: [
        ("default", "gallery-sync.service"), ("nas", "gallery-sync-nas.service"),
        ("my nas-2", "gallery-sync-my\\x20nas\\x2d2.service"),
        ("größe", "gallery-sync-gr\\xc3\\xb6\\xc3\\x9fe.service"), ("", "gallery-sync-.service"),
        ("../../etc", "gallery-sync-..\\x2f..\\x2fetc.service"), ("a@b", "gallery-sync-a\\x40b.service"),
        ("a\nb", "gallery-sync-a\\x0ab.service"), ("a_b.c:d", "gallery-sync-a_b.c:d.service"),
        ("a\\b", "gallery-sync-a\\x5cb.service"), ("%i", "gallery-sync-\\x25i.service"),
    ])
    func eachProfileHasAUnit(_ profile: String, _ name: String) {
        #expect(WatchUnit.name(of: profile) == name)
    }

    /// As systemd reads the line again, each word is what it was (systemd.service(5), "Command lines").
    @Test(arguments: [
        Fact("a plain word", "--profile", "--profile"),
        Fact("a specifier", "50%", "50%%"), Fact("a variable", "$HOME", "$$HOME"),
        Fact("a variable in braces", "${HOME}", "$${HOME}"),
        Fact("quotes and backslashes", "a\"b\\c", "\"a\\\"b\\\\c\""), Fact("an apostrophe", "it's", "\"it's\""),
        Fact("nothing", "", "\"\""), Fact("a space", "Ada L", "\"Ada L\""), Fact("a tabulator", "a\tb", "\"a\tb\""),
        Fact("what ends a command", ";", "\";\""), Fact("a comment", "#x", "#x"),
        Fact("a line end", "a\nExecStartPre=x", "\"a\\nExecStartPre=x\""),
        Fact("the line end of old computers", "a\rExecStartPre=x", "\"a\\rExecStartPre=x\""),
        Fact("both line ends", "a\r\nb", "\"a\\r\\nb\""),
        Fact("letters beyond ASCII", "größe", "größe"),
    ])
    func aWordIsTakenLiterally(_ row: Fact<String, String>) {
        let unit = WatchUnit(profile: "default", words: ["/usr/bin/gallery-sync", row.input, "watch"])
        #expect(unit.text.contains("\nExecStart=/usr/bin/gallery-sync \(row.output) watch\n"))
    }

    /// The first word is a path in which no variable is looked for.
    @Test(arguments: [
        Fact("a plain path", "/usr/bin/gallery-sync", "/usr/bin/gallery-sync"),
        Fact("a space", "/home/Ada L/x", "\"/home/Ada L/x\""), Fact("a specifier", "/opt/50%/x", "/opt/50%%/x"),
        Fact("a dollar sign", "/opt/$a/x", "/opt/$a/x"),
        Fact("quotes", "/opt/\"a\"/x", "/usr/bin/env \"/opt/\\\"a\\\"/x\""),
        Fact("an apostrophe and a dollar sign", "/home/O'Brien/$a/x", "/usr/bin/env \"/home/O'Brien/$$a/x\""),
        Fact("a backslash", "/opt/a\\b/x", "/usr/bin/env \"/opt/a\\\\b/x\""),
    ])
    func aProgramIsTakenLiterally(_ row: Fact<String, String>) {
        let unit = WatchUnit(profile: "default", words: [row.input, "watch"])
        #expect(unit.text.contains("\nExecStart=\(row.output) watch\n"))
    }

    static let analyzer: FilePath = "/usr/bin/systemd-analyze"
    static let hasAnalyzer = (try? FileFacts.existing(analyzer)) != nil

    /// systemd itself finds the program, and nothing to complain of.
    @Test(
        .enabled(if: hasAnalyzer, "systemd-analyze is missing"),
        arguments: ["plain", "Ada L", "50%", "$HOME", "größe", "a;b", "O'Brien", "a\"b", "a\\b"],
        ["it's a \"b\"", "back\\slash", "cr\rlf\nx"])
    func systemdReadsTheUnit(_ folder: String, _ word: String) async throws {
        let tree: FileTree = [FilePath(folder): [:], "run": [:], "units": [:]]
        try await tree.withDirectory { home async throws in
            let program = home.appending(FilePath(folder)).appending("gallery-sync")
            try await Executable.write("#!/bin/sh\n", at: program)
            let unit = WatchUnit(profile: folder, words: [program.description, "watch", "--set", "a=\(folder)", word])
            let file = home.appending("units").appending(FilePath(unit.name))
            try OpenFile(creating: file).append(Array(unit.text.utf8))
            let tool = try #require(
                SystemTool(
                    "systemd-analyze",
                    environment: [
                        "PATH": "/usr/bin:/bin", "HOME": home.display, "XDG_RUNTIME_DIR": home.appending("run").display,
                        "LC_ALL": "C",
                    ]))
            let answer = try await tool.ask(["verify", "--user", "--man=no", file.display])
            #expect(answer.lines.filter { $0.contains(unit.name) || $0.contains("xecStart") }.isEmpty)
            #expect(answer.exit == .exited(0), "\(answer.lines)")
        }
    }
}

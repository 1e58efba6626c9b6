import Platform
import TestSupport
import Testing

@testable import Desktop

/// Programs that are found in `PATH` and asked.
@Suite struct SystemToolTests {
    /// Calls `body` with a tool that is this script.
    static func withTool(_ script: String, _ body: (SystemTool) async throws -> Void) async throws {
        try await FileTree(["bin": [:]]).withDirectory { home async throws in
            try await Executable.write("#!/bin/sh\n" + script, at: home.appending("bin/tool"))
            try await body(
                try #require(SystemTool("tool", environment: ["PATH": home.appending("bin").display, "X": "é"])))
        }
    }

    @Test(arguments: [
        Fact("it is in the only folder", "HOME/bin", true), Fact("in the last one", "/none:HOME/empty:HOME/bin", true),
        Fact("in the first of two", "HOME/bin:HOME/empty", true), Fact("in none", "HOME/empty:/none", false),
        Fact("an empty list", "", false), Fact("empty folders are left out", "::HOME/bin:", true),
        Fact("a file in place of a folder", "HOME/file:HOME/bin", true),
        Fact("a link to its folder", "HOME/link", true), Fact("a link to nothing", "HOME/gone:HOME/empty", false),
        Fact("a link to itself", "HOME/loop:HOME/bin", true),
        Fact("a name that no folder can have", String(repeating: "x", count: 5000) + ":HOME/bin", true),
    ])
    func itIsLookedForInTheFoldersOfPath(_ row: Fact<String, Bool>) async throws {
        let tree: FileTree = [
            "bin": ["tool": "x"], "empty": [:], "file": "x", "link": .symlink(to: "bin"), "gone": .symlink(to: "none"),
            "loop": .symlink(to: "loop"),
        ]
        try await tree.withDirectory { home async throws in
            let path = row.input.replacing("HOME", with: home.display)
            #expect((SystemTool("tool", environment: ["PATH": path]) != nil) == row.output)
        }
    }

    /// What bears its name and cannot be run hides no program, as a shell sees it.
    @Test(arguments: ["folder", "file", "pipe"], [true, false])
    func whatCannotRunHidesNoProgram(kind: String, isFirst: Bool) async throws {
        let tree: FileTree = ["bin": [:], "folder": ["tool": [:]], "file": ["tool": "x"], "pipe": [:]]
        try await tree.withDirectory { home async throws in
            try await Executable.write("#!/bin/sh\necho here\n", at: home.appending("bin/tool"))
            let maker = try ChildProcess.spawn("/usr/bin/mkfifo", arguments: [home.appending("pipe/tool").display])
            _ = try await maker.end("the pipe is made")
            let folders = ["\(home.display)/\(kind)", "\(home.display)/bin"]
            let path = (isFirst ? folders : folders.reversed()).joined(separator: ":")
            let tool = try #require(SystemTool("tool", environment: ["PATH": path]))
            #expect(try await tool.ask([]) == SystemTool.Answer(exit: .exited(0), lines: ["here"]))
        }
    }

    @Test func withoutPathTheUsualFoldersAreTaken() async throws {
        let tool = try #require(SystemTool("true", environment: [:]))
        #expect(try await tool.ask([]) == SystemTool.Answer(exit: .exited(0), lines: []))
        #expect(SystemTool("gallery-sync-no-such-tool", environment: [:]) == nil)
    }

    @Test(arguments: [
        Fact("nothing", "", SystemTool.Answer(exit: .exited(0), lines: [])),
        Fact("an exit code", "exit 3", SystemTool.Answer(exit: .exited(3), lines: [])),
        Fact("the largest one", "exit 255", SystemTool.Answer(exit: .exited(255), lines: [])),
        Fact("a signal", "kill -TERM $$", SystemTool.Answer(exit: .signalled(.terminate), lines: [])),
        Fact(
            "both outputs in their order", "echo a; echo b >&2; echo c",
            SystemTool.Answer(exit: .exited(0), lines: ["a", "b", "c"])),
        Fact(
            "empty lines and those of other computers", "printf '\\n\\na\\r\\nb\\rc\\n\\n'",
            SystemTool.Answer(exit: .exited(0), lines: ["a", "b", "c"])),
        Fact("no line end", "printf a", SystemTool.Answer(exit: .exited(0), lines: ["a"])),
        Fact("no text", "printf 'a\\377b'", SystemTool.Answer(exit: .exited(0), lines: ["a\u{FFFD}b"])),
        Fact("its words", "printf '%s\\n' \"$@\"", SystemTool.Answer(exit: .exited(0), lines: ["a b", "$X", "ü"])),
        Fact("only this environment", "echo \"$X${HOME-none}\"", SystemTool.Answer(exit: .exited(0), lines: ["énone"])),
        Fact("no input", "cat; echo end", SystemTool.Answer(exit: .exited(0), lines: ["end"])),
    ])
    func itSaysWhatItSays(_ row: Fact<String, SystemTool.Answer>) async throws {
        try await Self.withTool(row.input.replacing("cat", with: "/bin/cat")) { tool async throws in
            #expect(try await tool.ask(["a b", "", "$X", "ü"]) == row.output)
        }
    }

    @Test(arguments: [(1 << 20, true), (1 << 20 + 1, false)])
    func moreThanAMebibyteIsTooMuch(bytes: Int, isFine: Bool) async throws {
        try await Self.withTool("exec /usr/bin/head -c \(bytes) /dev/zero") { tool async throws in
            if isFine {
                #expect(try await tool.ask([]).exit == .exited(0))
            } else {
                await #expect(throws: SystemError.self) { try await tool.ask([]) }
            }
        }
    }

    @Test func whatCannotRunIsAnError() async throws {
        let tree: FileTree = ["bin": ["tool": "no program"]]
        try await tree.withDirectory { home async throws in
            let tool = try #require(SystemTool("tool", environment: ["PATH": home.appending("bin").display]))
            let error = await #expect(throws: SystemError.self) { try await tool.ask([]) }
            #expect(error?.code == 13)
        }
    }

    /// It has said where it is by then, so that it is not ended before it runs.
    @Test func aCancellationEndsIt() async throws {
        try await Self.withTool("echo begun; exec /bin/sleep 1000") { tool async throws in
            let output = try OpenFile.inMemory()
            let task = Task { try await tool.run([], writingTo: output) }
            try await eventually("it runs") { try !output.readAll().isEmpty }
            task.cancel()
            #expect(try await withLimit("its end") { try await task.value } == .signalled(.terminate))
        }
    }
}

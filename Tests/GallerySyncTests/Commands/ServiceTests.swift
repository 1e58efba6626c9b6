import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// `service`, with a systemd that says what the test wants.
@Suite struct ServiceTests {
    typealias Answer = ToolDouble.Answer

    static let runs = Answer("systemctl --user show *", "echo ActiveState=active; exit 0")
    static let isUnknown = [Answer("systemctl *is-active*", "exit 3"), Answer("systemctl *cat*", "exit 1")]
    static let isStopped = Answer("systemctl *is-active*", "exit 3")
    static let unit = ".config/systemd/user/gallery-sync.service"

    /// Calls `body` with a home in which `tools` are found.
    static func with(
        _ answers: [Answer] = [runs], tools: [String] = ["systemctl", "journalctl"],
        environment: [String: String] = [:],
        files: KeyValuePairs<String, String> = [:], _ body: (CommandFixture, ToolDouble) async throws -> Void
    ) async throws {
        try await CommandFixture.with(files, environment: environment) { fixture async throws in
            var fixture = fixture
            let tool = try await ToolDouble(tools, in: fixture.home, answers)
            fixture.environment["PATH"] = tool.path
            try await body(fixture, tool)
        }
    }

    /// What is asked of systemd after it was asked whether it is there.
    static func orders(_ tool: ToolDouble) throws -> [String] {
        try tool.asked.map { $0.replacing("systemctl --user ", with: "") }
    }

    struct Start: Sendable {
        var answers: [Answer] = []
        var environment: [String: String] = [:]
        var words = "service install --local"
    }

    // MARK: - Install

    @Test func itIsWrittenAndStarted() async throws {
        try await Self.with([Self.runs] + Self.isUnknown) { fixture, tool async throws in
            #expect(await fixture.run("service install --local --state-dir state") == .success)
            #expect(
                try Self.orders(tool) == [
                    "show-environment", "--quiet is-active gallery-sync.service", "cat gallery-sync.service",
                    "daemon-reload", "enable --now gallery-sync.service",
                    "show -p ActiveState -p Result -p ExecMainStatus gallery-sync.service",
                    "show -p ActiveState -p Result -p ExecMainStatus gallery-sync.service",
                ])
            let text = try String(
                decoding: OpenFile(reading: fixture.home.appending(FilePath(Self.unit))).readAll(), as: UTF8.self)
            let state = fixture.home.appending("state").display
            #expect(text.contains(" watch --log-format text --state-dir \(state) --set destination.local=true\n"))
            #expect(
                try fixture.results == """
                    gallery-sync.service runs, and starts again at every login. It was written to HOME/\(Self.unit).
                    See "gallery-sync service status", "gallery-sync service logs" and "gallery-sync status".
                    It ends when you log out. Run "loginctl enable-linger" to have it go on without a login.

                    """)
        }
    }

    @Test func oneThatRunsIsStartedAgainWithItsNewWords() async throws {
        try await Self.with([Self.runs]) { fixture, tool async throws in
            #expect(await fixture.run("service install --local") == .success)
            #expect(try Self.orders(tool).contains("restart gallery-sync.service"))
        }
    }

    /// What is said beside that it runs.
    @Test(
        arguments: [
            Fact("without a desktop it ends at a logout", [:], "It ends when you log out."),
            Fact("an empty display is none", ["DISPLAY": ""], "It ends when you log out."),
            Fact(
                "a variable that the service does not see", ["GALLERY_SYNC_KEY": "hunter2hunter2"],
                "The service does not see GALLERY_SYNC_KEY of this shell: put what it says into the configuration"),
            Fact(
                "several of them, in order", ["GALLERY_SYNC_SYNC_PATIENCE": "5s", "GALLERY_SYNC_KEY": "k"],
                "The service does not see GALLERY_SYNC_KEY, GALLERY_SYNC_SYNC_PATIENCE of this shell"),
        ] as [Fact<[String: String], String>])
    func whatThisShellHasIsSaid(_ row: Fact<[String: String], String>) async throws {
        try await Self.with(environment: row.input) { fixture, _ async throws in
            #expect(await fixture.run("service install --local") == .success)
            #expect(try fixture.results.contains("\n\(row.output)"))
            #expect(try !fixture.results.contains("hunter2"))
        }
    }

    @Test(arguments: [
        ["DISPLAY": ":0"], ["WAYLAND_DISPLAY": "wayland-0"],
        ["DISPLAY": ":0", "GALLERY_SYNC_PROFILE": "default", "GALLERY_SYNC_STATE_DIR": "s"],
    ])
    func nothingElseIsSaidWhereAllIsAsItIs(_ environment: [String: String]) async throws {
        try await Self.with(environment: environment) { fixture, _ async throws in
            #expect(await fixture.run("service install --local") == .success)
            #expect(try fixture.results.split(separator: "\n").count == 2)
        }
    }

    /// Where it cannot be started, one sentence says why, and the exit code that a human is needed.
    @Test(arguments: [
        Fact(
            "no destination", Start(words: "service install"),
            "No destination. Run \"gallery-sync init\", or add --local"),
        Fact(
            "systemd does not answer",
            Start(answers: [Answer("*show-environment", "echo Failed to connect to bus: No medium found >&2; exit 1")]),
            "No systemd of this user answers (Failed to connect to bus: No medium found). Have something else start"),
        Fact(
            "systemd says nothing at all", Start(answers: [Answer("*show-environment", "exit 1")]),
            "No systemd of this user answers. Have something else start \"gallery-sync watch\""),
        Fact(
            "systemd dies", Start(answers: [Answer("*show-environment", "kill -KILL $$")]),
            "No systemd of this user answers. Have something else"),
        Fact(
            "units are not read",
            Start(answers: [Answer("*daemon-reload", "echo Access denied >&2; exit 4")]),
            "systemctl --user daemon-reload failed: Access denied See \"gallery-sync service logs\"."),
        Fact(
            "it cannot be enabled",
            Start(answers: [Answer("*enable*", "echo 'Unit is masked.' >&2; echo again; exit 1")]),
            "systemctl --user enable --now gallery-sync.service failed: Unit is masked. again See"),
        Fact(
            "it cannot be started again", Start(answers: [Answer("*restart*", "kill $$")]),
            "systemctl --user restart gallery-sync.service failed:  See"),
    ])
    func aStartThatIsRefusedSaysWhy(_ row: Fact<Start, String>) async throws {
        try await Self.with(row.input.answers + [Self.runs]) { fixture, _ async throws in
            #expect(await fixture.run(row.input.words) == .configuration)
            let notes = try fixture.notes
            #expect(notes.contains("gallery-sync: \(row.output)"), "\(notes)")
            #expect(try fixture.results.isEmpty)
        }
    }

    private static let url = "--set destination.url=https://abc.supabase.co"
    private static let noKey =
        "Not signed in at https://abc.supabase.co, and there is no key. Run \"gallery-sync login\""

    /// What the service will see counts, not what this shell has: nothing is written for one that ends at once.
    @Test(
        arguments: [
            Fact("no key at all", Start(), noKey),
            Fact(
                "one that only this shell has", Start(environment: ["GALLERY_SYNC_KEY": "hunter2hunter2"]),
                "\(noKey)|The service does not see GALLERY_SYNC_KEY of this shell: put what it says into"),
            Fact("an empty one", Start(environment: ["GALLERY_SYNC_KEY": ""]), noKey),
            Fact(
                "a key that opens nothing", Start(words: "\(url) --set destination.keyFile=HOME/anon"),
                "Not signed in at https://abc.supabase.co: the publishable key from"),
            Fact("a key in a file", Start(words: "\(url) --set destination.keyFile=HOME/key"), nil),
            Fact(
                "one that systemd has for its services",
                Start(answers: [Answer("*show-environment", "echo A=1; echo GALLERY_SYNC_KEY=k; exit 0")]), nil),
            Fact(
                "one that the unit has from root",
                Start(answers: [Answer("systemctl *cat*", "echo '[Service]'; echo LoadCredential=gallery-sync-key:/k")]
                ),
                nil),
            Fact(
                "one that was written into the unit, which is written anew",
                Start(answers: [
                    Answer(
                        "systemctl *cat*",
                        "echo \"# $HOME/.config/systemd/user/gallery-sync.service\"; echo LoadCredential=gallery-sync-key:/k"
                    )
                ]), noKey),
            Fact(
                "one that was added beside it",
                Start(answers: [
                    Answer("systemctl *cat*", "echo '# /etc/key.conf'; echo LoadCredential=gallery-sync-key:/k")
                ]), nil),
            Fact(
                "a comment gives none",
                Start(answers: [Answer("systemctl *cat*", "echo '# LoadCredential=gallery-sync-key:/k'")]), noKey),
        ] as [Fact<Start, String?>])
    func aServiceWithoutAKeyIsNotInstalled(_ row: Fact<Start, String?>) async throws {
        let keys: KeyValuePairs = ["key": "sb_secret_abcdefghijklmnop", "anon": "sb_publishable_abcdefghijklmnop"]
        try await Self.with(row.input.answers + [Self.runs], environment: row.input.environment, files: keys) {
            fixture, tool async throws in
            let rest = row.input.words.hasPrefix("--") ? row.input.words : Self.url
            let words = "service install \(rest)".replacing("HOME", with: fixture.home.display)
            let code = await fixture.run(words)
            let notes = try fixture.notes
            #expect(code == (row.output == nil ? .success : .denied), "\(notes)")
            for words in row.output?.split(separator: "|") ?? [] { #expect(notes.contains(words), "\(notes)") }
            #expect(!notes.contains("hunter2"))
            let isEnabled = try Self.orders(tool).contains { $0.hasPrefix("enable") }
            #expect(isEnabled == (row.output == nil))
            #expect(try (FileFacts.existing(fixture.home.appending(FilePath(Self.unit))) != nil) == isEnabled)
        }
    }

    @Test(arguments: [
        Fact(
            "it has ended", "ActiveState=failed\\nResult=exit-code\\nExecMainStatus=78",
            "gallery-sync.service was started and ended again (exit 78). See"),
        Fact(
            "it ends again and again", "ActiveState=activating\\nResult=watchdog\\nExecMainStatus=9",
            "gallery-sync.service was started and ended again (watchdog). systemd tries again. See"),
        Fact("systemd says nothing of it", "", "gallery-sync.service was started and ended again (). See"),
    ])
    func aStartThatDoesNotLastIsSaid(_ row: Fact<String, String>) async throws {
        try await Self.with([Answer("*show -p*", "printf '\(row.input)'; exit 0")]) { fixture, _ async throws in
            #expect(await fixture.run("service install --local") == .configuration)
            #expect(try fixture.results.contains("It was written to HOME/\(Self.unit).\n\(row.output)"))
        }
    }

    @Test(arguments: ["service install --local", "service remove"])
    func aUnitOfAnotherProgramStays(_ line: String) async throws {
        try await Self.with(files: [Self.unit: "[Service]\nExecStart=/bin/true\n"]) { fixture, tool async throws in
            #expect(await fixture.run(line) == .usage)
            #expect(try fixture.notes.contains("HOME/\(Self.unit) is there already and is no unit of gallery-sync"))
            let unit = fixture.home.appending(FilePath(Self.unit))
            #expect(try OpenFile(reading: unit).readAll() == Array("[Service]\nExecStart=/bin/true\n".utf8))
            #expect(try !Self.orders(tool).contains { $0.contains("enable") || $0.contains("disable") })
        }
    }

    @Test(arguments: [
        ("install --local", "journalctl", "There is no systemd on this computer. Have something else start"),
        ("remove", "journalctl", "There is no systemd on this computer. Without it no service runs here;"),
        ("status", "journalctl", "There is no systemd on this computer. Without it no service runs here;"),
        ("logs", "systemctl", "There is no journalctl on this computer, which would show the log."),
    ])
    func whereThereIsNoSystemdItIsSaid(words: String, tool: String, sentence: String) async throws {
        try await Self.with(tools: [tool]) { fixture, _ async throws in
            #expect(await fixture.run("service \(words)") == .configuration)
            #expect(try fixture.notes.contains(sentence))
            #expect(try FileFacts.existing(fixture.home.appending(".config")) == nil)
        }
    }

    // MARK: - What the unit does

    /// The words of the unit are those of the command line that wrote it.
    @Test(arguments: [
        Fact(
            "a profile", "service install --print --profile nas --local", "--profile nas --set destination.local=true"),
        Fact("a configuration", "service install --print --config HOME/c.json5", "--config HOME/c.json5"),
        Fact("a relative one", "service install --print --config ./c.json5", "--config HOME/c.json5"),
        Fact("a state", "service install --print --state-dir state", "--state-dir HOME/state"),
        Fact(
            "settings", "service install --print --set upload.concurrency=2 -v",
            "--set log.level=debug --set upload.concurrency=2"),
        Fact("a rate", "service install --print --set upload.limitRate=50%", "--set upload.limitRate=50%%"),
        Fact("another form of the log is the journal's", "service install --print --log-format json", ""),
    ])
    func theUnitHasTheWordsThatWroteIt(_ row: Fact<String, String>) async throws {
        try await Self.with(files: ["c.json5": "{profiles: {nas: {}, default: {}}}"]) { fixture, tool async throws in
            var words = row.input.replacing("HOME", with: fixture.home.display)
            if words.contains("nas") { words += " --config c.json5" }
            let code = await fixture.run(words)
            // A rate of a kind that there is not is refused before anything is written.
            guard !words.contains("50%") else { return #expect(code == .usage) }
            #expect(code == .success)
            let line = try #require(try fixture.results.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            let said = line.split(separator: " watch --log-format text").last.map { $0.split(separator: " ") } ?? []
            let expected = row.output.split(separator: " ")
            #expect(expected.allSatisfy(said.contains) || expected.isEmpty, "\(line)")
            #expect(try tool.asked.isEmpty)
            #expect(try FileFacts.existing(fixture.home.appending(".config/systemd")) == nil)
        }
    }

    /// A unit is text, and another path than the one that was named would be started with.
    @Test(arguments: ["--config", "--state-dir"])
    func whatAUnitCannotNameIsRefused(_ option: String) async throws {
        try await Self.with { fixture, tool async throws in
            let name = FilePath(bytes: [0x63, 0xFF])
            try fixture.write("{profiles: {default: {}}}", to: fixture.home.appending(name))
            let surroundings = try fixture.unattended().surroundings
            let words = ["service", "install", "--local", option].map { Array($0.utf8) } + [name.bytes]
            #expect(await Program.run(words, in: surroundings) == .usage)
            #expect(try fixture.notes.contains("HOME/c\u{FFFD} is not UTF-8, as a unit has to be: name another place."))
            #expect(try !Self.orders(tool).contains { $0.hasPrefix("enable") })
        }
    }

    @Test(
        arguments: [
            Fact("the usual folder", [:], ".config/systemd/user"),
            Fact("another one", ["XDG_CONFIG_HOME": "HOME/etc"], "etc/systemd/user"),
            Fact("one that is not absolute is none", ["XDG_CONFIG_HOME": "etc"], ".config/systemd/user"),
            Fact("an empty one is none", ["XDG_CONFIG_HOME": ""], ".config/systemd/user"),
        ] as [Fact<[String: String], String>])
    func theUnitIsWhereSystemdLooks(_ row: Fact<[String: String], String>) async throws {
        try await Self.with { fixture, _ async throws in
            var fixture = fixture
            for (name, value) in row.input {
                fixture.environment[name] = value.replacing("HOME", with: fixture.home.display)
            }
            #expect(await fixture.run("service install --local --state-dir state") == .success)
            let unit = fixture.home.appending(FilePath(row.output + "/gallery-sync.service"))
            #expect(try FileFacts.existing(unit) != nil)
        }
    }

    // MARK: - Remove, status, logs

    @Test func itIsRemovedAndTheRestStays() async throws {
        try await Self.with([Self.runs], files: ["Pictures/a.jpg": "x"]) { fixture, tool async throws in
            #expect(await fixture.run("service install --local --state-dir state") == .success)
            let count = try tool.asked.count
            #expect(await fixture.run("service remove --json") == .success)
            #expect(
                try Self.orders(tool).dropFirst(count) == [
                    "show-environment", "--quiet is-active gallery-sync.service", "disable --now gallery-sync.service",
                    "daemon-reload",
                ])
            #expect(try FileFacts.existing(fixture.home.appending(FilePath(Self.unit))) == nil)
            #expect(try FileFacts.existing(fixture.home.appending("Pictures/a.jpg")) != nil)
            #expect(try fixture.results.contains("\"installed\" : false"))
        }
    }

    @Test func whereThereIsNoneNothingIsRemoved() async throws {
        try await Self.with(Self.isUnknown) { fixture, tool async throws in
            #expect(await fixture.run("service remove --profile nas --config c.json5") == .configuration)
            #expect(await fixture.run("service remove") == .success)
            #expect(try fixture.results == "There is no gallery-sync.service to remove.\n")
            #expect(try !Self.orders(tool).contains { $0.hasPrefix("disable") })
        }
    }

    struct Look: Sendable {
        let answers: [Answer]
        let words: String

        init(_ words: String, _ answers: [Answer]) { (self.words, self.answers) = (words, answers) }
    }

    struct Sight: Sendable {
        let code: ExitCode
        let said: String

        init(_ code: ExitCode, _ said: String) { (self.code, self.said) = (code, said) }
    }

    @Test(arguments: [
        Fact(
            "it runs", Look("status", [Answer("*status*", "echo '● it'; echo; echo '  Active: active'")]),
            Sight(.success, "gallery-sync.service runs.\n● it\n  Active: active\n")),
        Fact(
            "it does not run", Look("status", [isStopped, Answer("*status*", "printf 'a\\033[31mb\\n'; exit 3")]),
            Sight(
                .configuration,
                "gallery-sync.service does not run. See \"gallery-sync service logs\".\na·[31mb\n")),
        Fact(
            "it is not installed", Look("status", isUnknown),
            Sight(
                .configuration, "gallery-sync.service is not installed. Run \"gallery-sync service install\".\n")),
        Fact(
            "as a document", Look("status --json", [isStopped]),
            Sight(
                .configuration,
                """
                {
                  "installed" : true,
                  "running" : false,
                  "schema" : "gallery-sync/service/1",
                  "unit" : "gallery-sync.service"
                }

                """)),
        Fact(
            "its log", Look("logs", [Answer("journalctl*", "echo \"$*\"")]),
            Sight(.success, "--user -u gallery-sync.service -n 50 --no-pager\n")),
        Fact(
            "its log as it grows", Look("logs --follow", [Answer("journalctl*", "echo \"$*\"")]),
            Sight(.success, "--user -u gallery-sync.service -n 50 --no-pager -f\n")),
        Fact(
            "a log that cannot be read", Look("logs", [Answer("journalctl*", "echo 'No journal files'; exit 1")]),
            Sight(.disk, "No journal files\n")),
        Fact("a journalctl that is killed", Look("logs", [Answer("journalctl*", "kill -KILL $$")]), Sight(.disk, "")),
    ])
    func whatIsSeenIsSaid(_ row: Fact<Look, Sight>) async throws {
        try await Self.with(row.input.answers) { fixture, _ async throws in
            #expect(await fixture.run("service \(row.input.words)") == row.output.code)
            #expect(try fixture.results == row.output.said)
        }
    }
}

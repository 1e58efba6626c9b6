import Platform
import TestSupport
import Testing

/// `watch` as systemd runs it.
@Suite struct ServiceTests {
    @Test func aWatchTellsSystemdThatItIsUpWhatItDoesThatItLivesAndThatItEnds() async throws {
        try await ProgramFixture.local(["a.jpg": "x", "b.jpg": "y"]) { fixture in
            let socket = try NoticeSocket(fixture.folder.appending("n"))
            var fixture = fixture
            fixture.environment["NOTIFY_SOCKET"] = socket.path.display
            fixture.environment["WATCHDOG_USEC"] = "1000000"
            let watch = try fixture.start("watch", fixture.gallery.display)
            var heard: [String] = []
            func hears(_ notice: String, times: Int = 1) async throws {
                try await eventually("it says \(notice)", seen: { "\(heard)" }) {
                    heard += socket.take()
                    return heard.count { $0 == notice } >= times
                }
            }
            try await hears("READY=1")
            #expect(heard.first == "READY=1")
            try await hears("STATUS=All 2 files are stored.")
            try await hears("WATCHDOG=1", times: 2)
            watch.signal(.terminate)
            #expect(try await watch.end().exit == .exited(143))
            try await hears("STOPPING=1")
            let status = heard.filter { $0.hasPrefix("STATUS=") }
            #expect(zip(status, status.dropFirst()).allSatisfy { $0 != $1 })
        }
    }

    /// The test is the manager: silence for `WATCHDOG_USEC` ends a process, and another one follows.
    @Test func anAgentThatIsHeldFallsSilentAndTheNextOneGoesOn() async throws {
        try await ProgramFixture.local(["a.jpg": "x"]) { fixture in
            let socket = try NoticeSocket(fixture.folder.appending("n"))
            var fixture = fixture
            fixture.environment["NOTIFY_SOCKET"] = socket.path.display
            fixture.environment["WATCHDOG_USEC"] = "500000"
            func hears(_ notices: Set<String>, _ heard: inout Set<String>) async throws {
                var all = heard
                try await eventually("it says \(notices)", seen: { "\(all)" }) {
                    all.formUnion(socket.take())
                    return all.isSuperset(of: notices)
                }
                heard = all
            }
            let held = try fixture.start("watch", fixture.gallery.display)
            var heard: Set<String> = []
            try await hears(["READY=1", "STATUS=The one file is stored.", "WATCHDOG=1"], &heard)
            held.signal(.hold)
            try await eventually("it is held") { try held.isHeld }
            _ = socket.take()
            try FileTree(["b.jpg": "y"]).write(to: fixture.gallery)
            // A process that is held says nothing for however long, so this wait proves more the longer it takes.
            let end = ContinuousClock.now + .milliseconds(500)
            try await eventually("the manager's patience ends") { ContinuousClock.now >= end }
            #expect(socket.take() == [])
            held.signal(.kill)
            _ = try await held.end()

            let next = try fixture.start("watch", fixture.gallery.display)
            heard = []
            try await hears(["READY=1", "STATUS=All 2 files are stored.", "WATCHDOG=1"], &heard)
            next.signal(.terminate)
            #expect(try await next.end().exit == .exited(143))
        }
    }

    /// Only the agent itself may speak for the service.
    @Test func otherCommandsTellSystemdNothing() async throws {
        try await ProgramFixture.local(["a.jpg": "x"]) { fixture in
            let socket = try NoticeSocket(fixture.folder.appending("n"))
            var fixture = fixture
            fixture.environment["NOTIFY_SOCKET"] = socket.path.display
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            #expect(socket.take() == [])
        }
    }

    /// A `systemctl` and a `journalctl` that write down what they are asked, and do it to a file of their own.
    private func withTools(_ fixture: ProgramFixture, _ body: (ProgramFixture, FilePath) async throws -> Void)
        async throws
    {
        let folder = fixture.folder.appending("tools")
        try Directory.create(at: folder)
        let systemctl = """
            #!/bin/sh
            here=$(dirname "$0")
            echo "systemctl $*" >> "$here/words"
            case "$*" in
            *is-active*) test -e "$here/active" || exit 3 ;;
            *" show "*) echo ActiveState=active ;;
            *" cat "*) test -e "$here/active" || exit 1 ;;
            *" enable "*) touch "$here/active" ;;
            *" disable "*) rm "$here/active" ;;
            *" status "*) echo "Active: active (running)" ;;
            esac

            """
        try await Executable.write(systemctl, at: folder.appending("systemctl"))
        let journalctl = "#!/bin/sh\necho \"journalctl $*\" >> \"$(dirname \"$0\")/words\"\necho a line\n"
        try await Executable.write(journalctl, at: folder.appending("journalctl"))
        var fixture = fixture
        fixture.environment["PATH"] = "\(folder.display):/usr/bin:/bin"
        try await body(fixture, folder)
    }

    /// What the tools were asked since the last call.
    private func words(_ folder: FilePath) throws -> [String] {
        let file = folder.appending("words")
        let text = String(decoding: try OpenFile(reading: file).readAll(), as: UTF8.self)
        _ = try Directory(folder).remove(file: "words")
        return text.split(separator: "\n").map(String.init)
    }

    @Test func aServiceIsInstalledShownAndRemoved() async throws {
        try await ProgramFixture.local { fixture in
            try await withTools(fixture) { fixture, tools in
                let unit = fixture.folder.appending("home/.config/systemd/user/gallery-sync.service")
                let installed = try await fixture.run("service", "install")
                #expect(installed.code == 0, "\(installed.notes)")
                #expect(installed.results.contains("gallery-sync.service runs, and starts again at every login."))
                #expect(installed.results.contains("loginctl enable-linger"))
                let asked = try words(tools).filter { !$0.contains("is-active") && !$0.contains("show-environment") }
                #expect(
                    asked.filter { !$0.contains(" cat ") && !$0.contains(" show ") } == [
                        "systemctl --user daemon-reload", "systemctl --user enable --now gallery-sync.service",
                    ])
                let text = String(decoding: try OpenFile(reading: unit).readAll(), as: UTF8.self)
                let printed = try await fixture.run("service", "install", "--print")
                #expect(printed.results == text)
                let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
                #expect(line.hasPrefix("ExecStart=\(try Built.agent.resolved().display) watch --log-format text"))
                #expect(line.contains("--state-dir \(fixture.state.display)"))
                #expect(line.contains("--set destination.local=true"))

                let status = try await fixture.run("service", "status")
                #expect(status.code == 0)
                #expect(status.results == "gallery-sync.service runs.\nActive: active (running)\n")
                let logs = try await fixture.run("service", "logs", "--follow")
                #expect(logs.results == "a line\n")
                #expect(try words(tools).last == "journalctl --user -u gallery-sync.service -n 50 --no-pager -f")

                #expect(try await fixture.run("service", "remove").code == 0)
                #expect(try FileFacts.existing(unit) == nil)
                #expect(try words(tools).suffix(2).first == "systemctl --user disable --now gallery-sync.service")
                let gone = try await fixture.run("service", "status", "--json")
                #expect(gone.code == 78)
                #expect(gone.results.contains("\"installed\" : false"))
            }
        }
    }

    @Test func withoutSystemdThatIsSaid() async throws {
        try await ProgramFixture.local { fixture in
            var fixture = fixture
            fixture.environment["PATH"] = "/nowhere"
            let end = try await fixture.run("service", "install")
            #expect(end.code == 78)
            #expect(end.notes.hasPrefix("gallery-sync: There is no systemd on this computer. "))
            #expect(end.notes.split(separator: "\n").count == 1)
        }
    }
}

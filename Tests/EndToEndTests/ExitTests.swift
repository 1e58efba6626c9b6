import Platform
import Reporting
import StorageServer
import TestSupport
import Testing

/// How the program ends, as scripts see it.
@Suite struct ExitTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let words: String
        let code: Int32
        let sentence: String
        var testDescription: String { "\(words) ends with \(code)" }
    }

    private static let noDestination = """
        gallery-sync: No destination. Run "gallery-sync init", or add --local to keep a second copy on this computer only.

        """

    @Test(arguments: [
        Row(words: "sync .", code: 78, sentence: noDestination),
        Row(words: "watch .", code: 78, sentence: noDestination),
        Row(words: "reupload", code: 78, sentence: noDestination),
        Row(words: "restore --to there", code: 78, sentence: noDestination),
        Row(words: "sync --lokal", code: 2, sentence: "Did you mean"),
        Row(words: "snyc", code: 2, sentence: "Did you mean"),
        Row(words: "sync --local ./nowhere", code: 2, sentence: "nowhere: No such file or directory"),
        Row(words: "sync --local", code: 2, sentence: "No directory to sync"),
        Row(words: "status --set upload.concurency=2", code: 2, sentence: "Did you mean \"upload.concurrency\"?"),
        Row(words: "version", code: 0, sentence: ""),
    ])
    func theExitCodeAndTheSentence(_ row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let words = row.words.split(separator: " ").map(String.init)
            let process = try GallerySyncProcess(
                Built.agent, words + ["--state-dir", folder.appending("s").display],
                environment: ["HOME": folder.display], writingTo: folder)
            let end = try await process.end()
            #expect(end.code == row.code)
            #expect(end.notes.contains(row.sentence) || end.notes == row.sentence)
        }
    }

    /// The demo's page is the one thing that stays of it, under a name that it chose itself.
    @Test(arguments: [
        ("thumbnail a.svg -o out", "out/*", "ended with 0\nout/a.jpg\n"),
        ("demo", "$HOME/*-report.html", "Report     (\\S+)\nended with 0\n\\1\n"),
    ])
    func whatIsMadeIsNotToldWithQ(words: String, made: String, told: String) async throws {
        let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>"#
        try await FileTree(["a.svg": .file(Array(drawing.utf8))]).withDirectory { folder in
            let line = "cd \"$HOME\"; \"$0\" \(words) -q --state-dir s; echo \"ended with $?\"; ls \(made)"
            let process = try GallerySyncProcess(
                "/bin/sh", ["-c", line, Built.agent.display],
                environment: ["HOME": folder.display, "TMPDIR": folder.display], writingTo: folder)
            let end = try await process.end()
            let pattern = try Regex(told)
            #expect(end.results.wholeMatch(of: pattern) != nil && end.notes.isEmpty, "\(end)")
        }
    }

    /// Its own files and events would get the numbers of those that are closed.
    @Test func withoutStandardDescriptorsItWorksAllTheSame() async throws {
        try await FileTree(["Pictures": ["a.jpg": "one"]]).withDirectory { folder in
            let words = [
                "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", Built.agent.display, "sync",
                folder.appending("Pictures").display, "--local", "--state-dir", folder.appending("s").display,
            ]
            let process = try GallerySyncProcess(
                "/bin/sh", words, environment: ["HOME": folder.display], writingTo: folder)
            let end = try await process.end()
            #expect(end.code == 0)
        }
    }

    /// No limit holds for root, so where the tests run as root it runs as another user.
    @Test(.enabled(if: Built.isOpenToAll, "other users cannot run the program"), arguments: [1, 5, 8])
    func withoutRoomForThreadsItSaysSo(_ limit: Int) async throws {
        try await FileTree().withDirectory { folder in
            let user = ["--reuid", "61234", "--regid", "61234", "--clear-groups"]
            let words = ["/usr/bin/prlimit", "--nproc=\(limit)", Built.agent.display, "version"]
            let process = try GallerySyncProcess(
                "/usr/bin/env", Host.userID == 0 ? ["/usr/bin/setpriv"] + user + words : words,
                environment: ["HOME": folder.display], writingTo: folder)
            let end = try await process.end()
            #expect(end.code == 74)
            #expect(end.notes.hasPrefix("gallery-sync: no more threads can be started: raise \"ulimit -u\""))
        }
    }

    /// 78, since a service would start again and again after 1.
    @Test func aLaterVersionsStateNeedsAHuman() async throws {
        try await ProgramFixture.local(["a.jpg": "one"]) { fixture in
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            try OpenFile(creating: fixture.queueFile.parent.appending("new"))
                .append(Array(#"{"version":99,"journal":1,"items":[]}"#.utf8))
            try Directory(fixture.queueFile.parent).rename("new", to: "queue.json")
            let end = try await fixture.run("sync")
            #expect(end.code == 78 && end.notes.contains("use the newer gallery-sync"))
        }
    }

    /// As for all other commands, also where no file got a link.
    @Test func aLinkWithoutAServerIsToBeTriedAgain() async throws {
        try await ProgramFixture.remote(["a.jpg": "one", "b.txt": "no photo"]) { fixture, server in
            #expect(try await fixture.run("sync", fixture.gallery.display).code == 0)
            let stored = fixture.gallery.appending("a.jpg").display
            let other = fixture.gallery.appending("b.txt").display
            #expect(try await fixture.run("link", stored, other).code == 3)
            #expect(try await fixture.run("link", other).code == 3)
            await server.stop()
            let end = try await fixture.run("link", stored)
            #expect(end.code == 5 && end.results.isEmpty)
        }
    }

    @Test(arguments: [(Signal.interrupt, Int32(130)), (.terminate, 143)])
    func aSignalEndsAWatchCleanly(_ signal: Signal, _ code: Int32) async throws {
        try await ProgramFixture.local(["a.jpg": "one"]) { fixture in
            let watch = try await fixture.watch(storing: 1)
            watch.signal(signal)
            let end = try await watch.end()
            // A shell reports 143 also for a process that was killed by the signal.
            #expect(end.exit == .exited(code), "\(end.notes)")
            #expect(end.notes.contains("Stopping"))
            #expect(try await fixture.status().agent.running == false)
        }
    }

    /// The program that makes the media may take long: here it never ends.
    @Test func aDemoThatIsStoppedLeavesNothing() async throws {
        try await ProgramFixture.local { fixture in
            let script = """
                cp "$AGENT" "$HOME/gallery-sync"; mkdir "$HOME/tmp"
                printf '#!/bin/sh\\necho $$ > "$HOME/maker"; exec sleep 600\\n' > "$HOME/gallery-sync-media"
                chmod +x "$HOME/gallery-sync-media"
                TMPDIR="$HOME/tmp" "$HOME/gallery-sync" demo & demo=$!
                until [ -s "$HOME/maker" ]; do kill -0 $demo || exit 98; sleep 0.05; done
                kill -TERM $demo; wait $demo; echo "ended with $?"
                kill -0 $(cat "$HOME/maker") && echo "media are still made"
                echo "left: $(ls "$HOME/tmp")"
                """
            let end = try await fixture.shell(script).end()
            #expect(end.results.hasSuffix("ended with 143\nleft: \n"), "\(end)")
        }
    }

    /// A configuration in a pipe that nothing is written to: no part of the program waits for a signal there.
    @Test func oneSignalEndsACommandThatReadsAPipe() async throws {
        try await ProgramFixture.local { fixture in
            let script = """
                mkfifo "$HOME/pipe"; "$AGENT" status --config "$HOME/pipe" & agent=$!
                exec 3>"$HOME/pipe"; kill -TERM $agent; wait $agent; echo "ended with $?"
                """
            let end = try await fixture.shell(script).end()
            #expect(end.results.contains("ended with 143"), "\(end)")
        }
    }

    @Test func aSecondWatchNamesTheFirst() async throws {
        try await ProgramFixture.local(["a.jpg": "one"]) { fixture in
            try await fixture.watching(storing: 1) { watch in
                let second = try await fixture.run("watch", fixture.gallery.display)
                #expect(second.code == 11)
                #expect(second.notes.contains("process \(watch.id)"))
                let sockets = try Directory(fixture.state.appending("run")).names()
                    .filter { $0.fileExtension == Array(".sock".utf8) }
                #expect(sockets.count == 1)
                for socket in sockets {
                    let path = fixture.state.appending("run").appending(socket)
                    #expect(try FileFacts(of: path).mode & 0o777 == 0o600)
                }
            }
        }
    }
}

import Catalog
import Control
import Foundation
import Output
import Platform
import Records
import TestSupport
import Testing
import Text

@testable import CommandLine
@testable import GallerySync

/// Commands while another process holds the state's lock, which may say anything or nothing on its socket.
@Suite struct HolderTests {
    /// Answers each request with `text`, as it is, and hangs up.
    static func saying(_ text: String) -> AgentDouble.Peer {
        { connection in
            guard let head = connection.head() else { return }
            _ = connection.body(head.contentLength)
            connection.write(text)
        }
    }

    static let resetting: AgentDouble.Peer = { connection in
        _ = connection.head()
        connection.reset()
    }

    static func answering(_ status: Int, _ body: String, fields: String = "") -> AgentDouble.Peer {
        saying("HTTP/1.1 \(status) Status\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Says nothing until the command that asks has hung up.
    static let silent: AgentDouble.Peer = { connection in
        guard let head = connection.head() else { return }
        _ = connection.body(head.contentLength)
        _ = connection.head()
    }

    /// An agent that is stopped, or hangs: one sentence says what is waited for; -q does not hide it.
    @Test(arguments: ["queue pause", "sync -q", "verify"])
    func aSilentAgentIsTold(_ words: String) async throws {
        try await AgentDouble.holding(Self.silent) { fixture async throws in
            let interruption = Interruption()
            async let code = fixture.run(words, heeding: interruption)
            try await eventually("it is told") { try fixture.notes.contains("does not answer") }
            let notes = try fixture.notes.replacing(/process [0-9]+/, with: "process PID")
            #expect(
                notes.contains(
                    "gallery-sync: the running agent, process PID, does not answer; this waits for it. "
                        + "Ctrl-C ends only this command."))
            _ = interruption.raise(.interrupt)
            #expect(await code == .interrupted)
        }
    }

    @Test func theStatusSaysThatItIsOfTheFiles() async throws {
        try await AgentDouble.holding(Self.silent) { fixture async throws in
            #expect(await fixture.run("status") == .success)
            let results = try fixture.results.replacing(/process [0-9]+/, with: "process PID")
                .replacing(/\s+/, with: " ")
            #expect(results.contains("The running agent, process PID, does not answer: this is what its files say."))
        }
    }

    struct End: Sendable {
        let code: ExitCode
        let said: String

        init(_ code: ExitCode, _ said: String) { (self.code, self.said) = (code, said) }
    }

    static let otherVersion = End(
        .configuration,
        "gallery-sync: The running agent is another version of gallery-sync than this \(Version.text): restart it, "
            + "or ask it with its own.")
    static let next = "Run it again; if that stays so, stop that process."

    /// What an agent of another version, a broken one and no agent at all answer, and how `queue pause` ends.
    @Test(arguments: [
        Fact(
            "it hangs up", saying(""),
            End(.temporary, "The connection to the running agent, process PID, broke: Empty reply from server. \(next)")
        ),
        Fact(
            "it is no agent", saying("hello\r\n\r\n"),
            End(
                .temporary,
                "The connection to the running agent, process PID, broke: Received HTTP/0.9 when not allowed. \(next)")),
        Fact("it answers with nothing", answering(200, ""), otherVersion),
        Fact("it answers another form", answering(200, "null"), otherVersion),
        Fact("it does not know the request", answering(404, ""), otherVersion),
        Fact(
            "it says how to ask", answering(404, "Ask me with 0.9."),
            End(.configuration, "gallery-sync: Ask me with 0.9.")),
        Fact(
            "it fails, and is of a version that does not say how", answering(500, "It broke."),
            End(.internalError, "gallery-sync: It broke.")),
        Fact(
            "its disk is full", answering(500, "write: No space left", fields: "gallery-sync-failure: disk\r\n"),
            End(.disk, "gallery-sync: write: No space left")),
        Fact(
            "it fails in a way of the future", answering(500, "It broke.", fields: "gallery-sync-failure: new\r\n"),
            End(.internalError, "gallery-sync: It broke.")),
        Fact(
            "what it says steers no terminal", answering(500, "a\u{1B}[31mb"),
            End(.internalError, "gallery-sync: a·[31mb")),
    ])
    func oneSentenceSaysWhatIsInTheWay(_ row: Fact<AgentDouble.Peer, End>) async throws {
        try await AgentDouble.holding(row.input) { fixture async throws in
            #expect(await fixture.run("queue pause -q") == row.output.code)
            let notes = try fixture.notes.replacing(/process [0-9]+/, with: "process PID")
            #expect(notes.contains(row.output.said), "\(notes)")
            #expect(notes.split(separator: "\n").count == 1)
            #expect(try fixture.results.isEmpty)
        }
    }

    /// Whatever is asked for, a holder that hangs up is said in the same way; a report is read from the files.
    @Test(arguments: [
        ("queue pause", ExitCode.temporary), ("queue resume --now", .temporary), ("queue list", .temporary),
        ("queue list --json", .temporary), ("queue cancel Pictures/a.jpg", .temporary), ("jobs list", .temporary),
        ("jobs add fal x", .temporary), ("jobs cancel fal:x", .temporary), ("sync", .temporary),
        ("sync Pictures --json", .temporary), ("reupload", .temporary), ("reupload --dry-run", .temporary),
        ("prune", .temporary), ("verify", .temporary), ("verify --deep 5", .temporary),
        ("rescue --dry-run", .temporary),
        ("open --print", .temporary), ("watch", .locked), ("watch --json", .locked), ("status", .success),
        ("status --json", .success), ("status --prometheus", .success), ("status --check", .temporary),
        ("why Pictures/a.jpg", .success), ("config show", .success), ("logout", .success),
    ])
    func eachCommandEndsInItsOwnWay(_ line: String, _ code: ExitCode) async throws {
        try await AgentDouble.holding(Self.saying("")) { fixture async throws in
            #expect(await fixture.run(line + " --set destination.url=http://127.0.0.1:1") == code)
            let notes = try fixture.notes
            #expect(!notes.contains("http://agent"), "\(notes)")
            if code == .locked { #expect(notes.contains("This profile's state is held by process ")) }
            let isAsked = code == .temporary && !line.hasPrefix("status")
            #expect(notes.contains("the running agent, process ") == isAsked, "\(notes)")
        }
    }

    /// Two commands that cron begins at the same time: the second finds the first as it ends.
    @Test(arguments: [
        Fact("it says that it ends", answering(503, "The agent ends."), "queue pause"),
        Fact("it hangs up", saying(""), "queue pause"), Fact("it hangs up on a sync", saying(""), "sync Pictures"),
        Fact("it resets the connection", resetting, "queue pause"),
    ])
    func whatAHolderLeavesAsItEndsIsDoneByTheCommand(_ row: Fact<AgentDouble.Peer, String>) async throws {
        let lock = Shared<StateLock?>(nil)
        let peer: AgentDouble.Peer = { connection in
            lock.change { $0 = nil }
            row.input(connection)
        }
        try await AgentDouble.holding(peer, lock: lock) { fixture async throws in
            let options = " --set destination.local=true --set thumbnails.enabled=false"
            #expect(await fixture.run(row.output + options) == .success)
            let done = row.output.hasPrefix("sync") ? "This run: 1 new" : "Paused"
            let said = try fixture.notes + fixture.results
            #expect(said.contains(done), "\(said)")
        }
    }

    /// A lock whose holder has crashed between taking it and listening.
    @Test(arguments: ["queue pause", "jobs list"])
    func whereNothingListensItIsSaid(_ line: String) async throws {
        try await AgentDouble.holding(nil) { fixture async throws in
            #expect(await fixture.run(line) == .temporary)
            let notes = try fixture.notes.replacing(/process [0-9]+/, with: "process PID")
            #expect(
                notes == "gallery-sync: Cannot reach the running agent, process PID,: no such file or directory. "
                    + "\(Self.next)\n")
        }
    }

    /// Whatever is asked for, one signal ends the wait for an agent that does not answer, and nothing is said to be done.
    @Test(arguments: [
        "queue pause", "queue resume", "queue cancel Pictures/a.jpg", "prune", "queue list", "queue list --json",
        "jobs list", "jobs list --json", "jobs add fal x", "jobs cancel fal:x", "reupload", "reupload --dry-run",
        "verify",
        "rescue", "sync",
        "open --print --set destination.local=true",
    ])
    func aSignalEndsTheWaitForAnAgentThatDoesNotAnswer(_ line: String) async throws {
        let isAsked = Shared(false)
        let peer: AgentDouble.Peer = { connection in
            guard let head = connection.head(), head.target != "/progress" else { return }
            isAsked.change { $0 = true }
            // It goes on to hold the connection, as an agent on a disk that hangs does.
            connection.stall()
        }
        try await AgentDouble.holding(peer) { fixture async throws in
            let interruption = Interruption()
            let command = Task { await fixture.run(line, heeding: interruption) }
            try await eventually("it is asked") { isAsked.value }
            #expect(interruption.raise(.terminate))
            #expect(try await withLimit("it ends") { await command.value } == .terminated)
            let said = try fixture.notes + fixture.results
            let done = [
                "Paused", "Resumed", "Cancelled", "Nothing", "No jobs", "jobs/1", "Following", "Would", "Checked",
            ]
            #expect(!done.contains { said.contains($0) }, "\(said)")
        }
    }

    /// How an agent's request ended is how the command ends.
    @Test(arguments: [
        Fact("all is done", Ending.done, End(.success, "Paused: nothing more is sent until")),
        Fact("not now", .temporary("Offline"), End(.temporary, "Paused")),
        Fact("not permitted", .notPermitted("Not signed in"), End(.denied, "Paused")),
        Fact("no room", .full("The plan is full"), End(.full, "Paused")),
        Fact("a human", .needsHuman("No bucket"), End(.configuration, "Paused")),
        Fact("not possible", .usage("No such file"), End(.usage, "Paused")),
        Fact("some failed", .someFailed(2), End(.someFailed, "Paused")),
        Fact("a signal", .interrupted(2), End(.interrupted, "Paused")),
        Fact("another signal", .interrupted(15), End(.terminated, "Paused")),
    ])
    func anEndingIsAnExitCode(_ row: Fact<Ending, End>) async throws {
        let agent = AgentDouble()
        try agent.answer(PauseOrder.self, .ended(row.input))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("queue pause") == row.output.code)
            #expect(agent.asked.value == ["POST /requests/PauseOrder {}"])
        }
    }

    /// Paths travel as bytes, since they need not be text.
    static func readable(_ line: String) -> String {
        line.replacing(/"([A-Za-z0-9+\/]{16,}=*)"/) { match in
            let bytes = Data(base64Encoded: String(match.output.1)) ?? Data()
            return "\"\(String(decoding: bytes, as: UTF8.self))\""
        }
    }

    /// Settings of a call that the agent was not started with: said, or refused where they name another destination.
    @Test(arguments: [
        Fact("it has them", "sync --set thumbnails.enabled=false", End(.configuration, "not known")),
        Fact(
            "it has others", "verify --set scan.settle=9s",
            End(.configuration, "keeps the settings of its start: scan.settle of this call is not looked at")),
        Fact(
            "it has another key of the same place", "sync --set destination.keyFile=/keys/other",
            End(.configuration, "keeps the settings of its start: destination.keyFile of this call is not looked at")),
        Fact(
            "it stores elsewhere", "sync --set destination.bucket=other",
            End(.usage, "has another destination than this call names (destination.bucket)")),
    ])
    func settingsThatARunningAgentDoesNotHaveAreSaid(_ row: Fact<String, End>) async throws {
        let agent = AgentDouble()
        try agent.answer(
            SettingsQuestion.self,
            .answered(
                row.input.split(separator: " ").last.map { [String($0.prefix { $0 != "=" })] }?.filter {
                    !$0.hasPrefix("thumbnails")
                } ?? []))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run(row.input) == row.output.code)
            let notes = try fixture.notes
            #expect(notes.contains(row.output.said), "\(notes)")
            #expect(notes.contains("not looked at") == row.output.said.contains("not looked at"))
        }
    }

    /// A limit of the call is brought along.
    @Test func aSyncBesideAnAgentBringsItsLimitAlong() async throws {
        let agent = AgentDouble()
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            _ = await fixture.run("sync --limit-rate 100k")
            #expect(agent.asked.value == [#"POST /requests/SyncOrder {"paths":[],"rate":100000}"#])
        }
    }

    /// Each command asks for what it says, with absolute paths.
    @Test(arguments: [
        ("queue pause", "PauseOrder {}"), ("queue resume", #"ResumeOrder {"now":false}"#),
        ("queue resume --now", #"ResumeOrder {"now":true}"#), ("queue list", "ItemsOrder {}"),
        ("queue cancel Pictures/a.jpg", #"CancelOrder {"paths":["HOME/Pictures/a.jpg"]}"#),
        ("jobs list", "JobsOrder {}"), ("jobs cancel fal:x fal:y", #"CancelJobsOrder {"ids":["fal:x","fal:y"]}"#),
        ("sync", #"SyncOrder {"paths":[]}"#), ("sync Pictures", #"SyncOrder {"paths":["HOME/Pictures"]}"#),
        ("sync ./Pictures/../Pictures", #"SyncOrder {"paths":["HOME/Pictures"]}"#),
        ("prune", #"PruneOrder {"isDeleting":false}"#), ("prune --delete --yes", #"PruneOrder {"isDeleting":true}"#),
        ("prune --delete --dry-run", #"PruneOrder {"isDeleting":false}"#), ("open --print", "PageLinkOrder {}"),
    ])
    func whatIsAskedForIsWhatWasTyped(_ line: String, _ asked: String) async throws {
        let agent = AgentDouble()
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            // It knows no request, so that nothing follows.
            #expect(await fixture.run(line + " --set destination.local=true") == .configuration)
            let heard = agent.asked.value.filter { !$0.contains("SettingsQuestion") }.map {
                Self.readable($0).replacing(fixture.home.display, with: "HOME")
            }
            #expect(heard == ["POST /requests/\(asked)"])
        }
    }
}

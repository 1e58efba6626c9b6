import Catalog
import Control
import Fixtures
import Foundation
import Output
import Platform
import Providers
import Queue
import Rescue
import TestSupport
import Testing

@testable import GallerySync

/// `queue list` and `jobs list`, beside an agent: each state in its own words.
@Suite struct ListingTests {
    static func line(_ state: String, _ size: String, _ rest: String) -> String {
        let (gap, room) = (25 - state.count, 9 - size.count)
        return state + String(repeating: " ", count: gap + room) + size + "  " + rest
    }

    @Test(arguments: [
        Fact("waits", Items.pending(), line("pending", "1 kB", "Pictures/2026/IMG_1.jpg")),
        Fact(
            "is sent", Items.with { $0.status = .uploading }, line("uploading", "1 kB", "Pictures/2026/IMG_1.jpg")
        ),
        Fact(
            "has failed",
            Items.with {
                $0.status = .failed
                $0.lastError = Items.tooLarge
            }, line("failed", "1 kB", "Pictures/2026/IMG_1.jpg  too large")),
        Fact(
            "is tried again",
            Items.with {
                $0.lastError = Items.busy
                $0.nextAttemptAt = Items.now
            }, line("pending", "1 kB", "Pictures/2026/IMG_1.jpg  busy, next try 2026-11-20T10:00:00Z")),
        Fact(
            "what a server says steers no terminal",
            Items.with {
                $0.lastError = Item.Failure(code: "http.400", message: "no\u{1B}[2J\u{202E}x", retryable: false)
            },
            line("pending", "1 kB", "Pictures/2026/IMG_1.jpg  no·[2J·x")),
        Fact(
            "nor does a name", Items.pending("a\u{1B}[31m\n\u{202E}gpj.exe"),
            line("pending", "1 kB", "Pictures/a·[31m··gpj.exe")),
        Fact(
            "bytes that are no text", Items.pending(FilePath(bytes: [0x61, 0xFF, 0x62])),
            line("pending", "1 kB", "Pictures/a\u{FFFD}b")),
        Fact(
            "a picture of a file", Items.pending(role: .thumbnail(512)),
            line("pending", "1 kB", "Pictures/2026/IMG_1.jpg (thumbnail, 512 px)")),
        Fact("nothing", Items.pending(size: 0), line("pending", "0 B", "Pictures/2026/IMG_1.jpg")),
        Fact(
            "more than a disk holds", Items.pending(size: .max),
            line("pending", "9223 PB", "Pictures/2026/IMG_1.jpg")),
        Fact("is done", Items.with { $0.status = .completed }, "Nothing waits."),
    ])
    func anItemIsALine(_ row: Fact<Item, String>) async throws {
        let agent = AgentDouble()
        try agent.answer(ItemsOrder.self, .answered([row.input]))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("queue list -q") == .success)
            let results = try fixture.results
            #expect(results == row.output + "\n")
            #expect(try fixture.notes.isEmpty)
            #expect(await fixture.run("queue list --json -q") == .success)
            let line = try fixture.results.split(separator: "\n").last.map(String.init) ?? ""
            let read = try QueueCoding.decoder.decode(Item.self, from: Data(line.utf8))
            #expect(read.id == row.input.id && read.filePath == row.input.filePath)
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }

    /// Only what was tried names a cause that stands in the way of all; each row says it all the same.
    @Test func eachRowSaysWhyItWaits() async throws {
        let agent = AgentDouble()
        try agent.answer(
            ItemsOrder.self,
            .answered([
                Items.with {
                    ($0.blocked, $0.lastError) = (.offline, Items.busy)
                }, Items.pending("b.jpg"),
                Items.with {
                    ($0.status, $0.lastError) = (.failed, Items.tooLarge)
                },
                Items.with {
                    ($0.lastError, $0.nextAttemptAt) = (Items.busy, Items.now)
                }, Items.with { $0.status = .uploading },
            ]))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("queue list -q") == .success)
            let states = try fixture.results.split(separator: "\n").map { $0.prefix(25).split(separator: "  ").first }
            #expect(states == ["No connection", "No connection", "failed", "pending", "uploading"])
        }
    }

    private struct Document: Decodable, Equatable {
        var schema: String
        var action: String?
        var files: Int?
        var decisions: [String]?
    }

    /// With --json each command writes a document, also where its words are all that there is to say.
    @Test(arguments: [
        ("queue pause", Document(schema: "gallery-sync/queue/1", action: "pause")),
        ("queue resume", Document(schema: "gallery-sync/queue/1", action: "resume")),
        ("queue cancel Pictures/a.jpg", Document(schema: "gallery-sync/queue/1", action: "cancel", files: 0)),
        (
            "why Pictures/a.jpg",
            Document(
                schema: "gallery-sync/why/1",
                decisions: ["It lies in no known root: run \"gallery-sync sync\" on its directory."])
        ),
        (
            "why Pictures/b.jpg",
            Document(schema: "gallery-sync/why/1", decisions: ["There is no such file, and it lies in no known root."])
        ),
        (
            "why Pictures",
            Document(
                schema: "gallery-sync/why/1",
                decisions: ["It is a directory in no known root: run \"gallery-sync sync\" on it."])
        ),
    ])
    private func aDocumentIsWrittenBeforeTheFirstSync(_ line: String, _ document: Document) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("\(line) --json --set destination.local=true") == .success)
            let results = try fixture.results
            #expect(try JSONDecoder().decode(Document.self, from: Data(results.utf8)) == document)
        }
    }

    /// What a job is, and how it is listed; a line for the job, then one for each file.
    @Test(arguments: [
        Fact("was not asked about yet", Jobs.generation(), "fal:r1  queued\n"),
        Fact(
            "was not sent yet", Jobs.order(),
            "fal:generate-k  queued: it was not taken yet; \"watch\" or \"rescue\" sends it, \"jobs cancel\" gives it up\n"
        ), Fact("was given up", Jobs.with(Jobs.generation()) { $0.isCancelled = true }, "fal:r1  cancelled\n"),
        Fact(
            "a name that steers a terminal", Jobs.generation("r\u{1B}[2J1"), "fal:r·[2J1  queued\n"),
    ])
    func aJobIsItsStateAndItsFiles(_ row: Fact<Job, String>) async throws {
        let agent = AgentDouble()
        try agent.answer(JobsOrder.self, .answered([row.input]))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("jobs list -q") == .success)
            let results = try fixture.results
            #expect(results == row.output)
        }
    }

    /// The state of a job whose files are told apart.
    @Test(arguments: [
        Fact("has files to fetch", Jobs.link(), "to fetch"),
        Fact("is under way", Jobs.file(Jobs.link()) { $0.stage = .downloading }, "to fetch"),
        Fact("is safe here", Jobs.file(Jobs.link()) { $0.stage = .safe }, "safe"),
        Fact("is stored", Jobs.file(Jobs.link()) { $0.stage = .stored }, "stored"),
        Fact("is lost", Jobs.file(Jobs.link()) { $0.stage = .failed }, "failed"),
        Fact(
            "is stored in part",
            Jobs.with(Jobs.file(Jobs.link()) { $0.stage = .stored }) { job in
                job.files += Jobs.file(Jobs.link("b")) { $0.stage = .failed }.files
            }, "failed"),
        Fact(
            "is safe in part",
            Jobs.with(Jobs.file(Jobs.link()) { $0.stage = .safe }) { $0.files += Jobs.link("b").files },
            "to fetch"),
        Fact(
            "was given up with all its files",
            Jobs.with(Jobs.file(Jobs.link()) { $0.stage = .stored }) {
                $0.isCancelled = true
            }, "cancelled"),
        Fact("runs", Jobs.with(Jobs.generation()) { $0.state = .running }, "running"),
        Fact("waits at its provider", Jobs.generation(), "queued"),
    ])
    func aJobIsWhatItsFilesAre(_ row: Fact<Job, String>) {
        let lines = JobLines(job: row.input, now: Jobs.now).lines
        #expect(lines.first == "\(row.input.id.rawValue)  \(row.output)")
        #expect(lines.count == row.input.files.count + 1)
    }

    @Test(arguments: [
        Fact("is followed", Jobs.generation(), "Following fal:r1; \"watch\" or \"rescue\" brings its files.\n"),
        Fact(
            "is stored",
            Jobs.with(Jobs.generation()) { job in
                job.files = Jobs.file(Jobs.link()) { $0.stage = .stored }.files
            }, "fal:r1 is stored already.\n"),
    ])
    func whatIsAddedIsTold(_ row: Fact<Job, String>) async throws {
        let agent = AgentDouble()
        try agent.answer(AddJobsOrder.self, .answered([row.input]))
        try await AgentDouble.holding({ agent.serve($0) }) { fixture async throws in
            #expect(await fixture.run("jobs add fal r1 --model m") == .success)
            let notes = try fixture.notes
            #expect(notes == row.output)
        }
    }

    @Test(arguments: [
        Fact("is to be fetched", Jobs.link(), "to fetch"),
        Fact("expires", Jobs.link(expires: Jobs.now + 7_200), "expires in 2 h"),
        Fact("has expired", Jobs.link(expires: Jobs.now - 1), "expired"),
        Fact("expires now", Jobs.link(expires: Jobs.now), "expired"),
        Fact(
            "is tried again",
            Jobs.file(Jobs.link()) {
                $0.failure = Item.Failure(code: "rescue.notVideo", message: "a page came", retryable: true)
                $0.nextAttemptAt = Date(timeIntervalSince1970: 0)
            }, "a page came  tried again at 1970-01-01T00:00:00Z, at once by \"gallery-sync rescue\""),
    ])
    func aFileSaysHowMuchTimeIsLeft(_ row: Fact<Job, String>) {
        let lines = JobLines(job: row.input.redacted, now: Jobs.now).lines
        #expect(lines.count == 2)
        #expect(lines.joined(separator: "\n").contains(row.output), "\(lines)")
        // The query of a link is a secret.
        #expect(!lines.joined().contains("secret"))
    }

    /// What was given up is neither waited for nor tried again.
    @Test func aFileThatWasGivenUpWaitsForNothing() {
        var job = Jobs.file(Jobs.link(expires: Jobs.now + 7_200)) {
            $0.failure = Item.Failure(code: "rescue.notVideo", message: "a page came", retryable: true)
            $0.nextAttemptAt = Date(timeIntervalSince1970: 0)
        }
        job.isCancelled = true
        job.files += Jobs.file(Jobs.link("b")) { $0.stage = .failed }.files
        let title = job.redacted.files[0].title
        let lines = JobLines(job: job.redacted, now: Jobs.now).lines
        #expect(lines.count == 3 && lines[1] == "  \(title)  not fetched  a page came", "\(lines)")
        #expect(lines.last?.contains("  failed") == true)
    }

    /// A queue that was paused by hand holds what has no reason of its own to wait.
    @Test func whatThePauseHoldsSaysSo() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            let rest = "--local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"
            #expect(await fixture.run("queue pause -q \(rest)") == .success)
            #expect(await fixture.run("sync Pictures -q \(rest)") == .temporary)
            let before = try fixture.results.count
            #expect(await fixture.run("queue list \(rest)") == .success)
            #expect(try fixture.results.dropFirst(before).hasPrefix("Paused "))
        }
    }

    /// Its disk may have broken; a path that names nothing is a mistake.
    @Test func whatWaitsForADiskIsCancelledByThePathItHad() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": String(repeating: "a", count: 600)]) { fixture async throws in
            let rest = "--local --set thumbnails.enabled=false --set scan.settle=0s --set destination.storageBudget=100"
            #expect(await fixture.run("sync Pictures -q \(rest)") == .full)
            try Directory(fixture.home).rename("Pictures", to: "away")
            #expect(await fixture.run("queue cancel Pictures/b.jpg \(rest)") == .usage)
            #expect(await fixture.run("queue cancel Pictures/a.jpg \(rest)") == .success)
            #expect(try fixture.notes.contains("Cancelled 1 file; "))
        }
    }

    @Test func withoutAnAgentAndWithoutStateThereIsNothing() async throws {
        try await CommandFixture.with { fixture async throws in
            #expect(await fixture.run("queue list") == .success)
            #expect(await fixture.run("jobs list") == .success)
            #expect(await fixture.run("queue list --json") == .success)
            #expect(try fixture.results == "Nothing waits.\nNo jobs.\n")
            #expect(try FileFacts.existing(fixture.home.appending(".local")) == nil)
        }
    }
}

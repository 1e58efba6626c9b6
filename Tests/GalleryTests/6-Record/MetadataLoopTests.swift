import Configuration
import Foundation
import Metadata
import Platform
import Records
import Serving
import Supabase
import TestSupport
import Testing
import Text
import Transfer

@testable import Catalog
@testable import Gallery
@testable import Queue
@testable import Sync
@testable import Uploading

@Suite struct MetadataLoopTests {
    /// Stores the fixture's files, then sends their rows until all are sent or one try failed.
    ///
    /// - Parameter ahead: Seconds by which the clock of all is wrong.
    private static func follow(
        _ fixture: AgentFixture, _ base: String, ahead: Double = 0
    ) async throws -> String? {
        var fixture = fixture
        fixture.equip = { $0.clock = { Date() + ahead } }
        let gallery = fixture.gallery
        return try await fixture.run { [fixture] agent in
            let ending = try await agent.sync([gallery])
            #expect(ending == .done)
            try await loop(agent, fixture, base) { Date() + ahead }.run()
            return try await agent.library.fact(MetadataLoop.troubleFact)
        }
    }

    /// A loop that is to end.
    private static func loop(
        _ agent: Agent, _ fixture: AgentFixture, _ base: String, clock: @escaping @Sendable () -> Date
    ) -> MetadataLoop {
        let client = RestClient(base: base, transport: fixture.client) { _ throws(StorageError) in
            StorageCredentials(key: "k")
        }
        let wake = WakeEvent()
        let loop = MetadataLoop(
            client: client, library: agent.library, destination: fixture.destination, table: "files",
            ladder: RetryLadder(), activity: Activity(wake: wake), wake: wake,
            clock: clock)
        loop.stop()
        return loop
    }

    @Test func rowsFollowReceipts() async throws {
        let rows = RowServer(["files": []])
        try await AgentFixture.with(["a.jpg": "one", "sub": ["ü.jpg": "two"]]) { fixture throws in
            try await rows.serve { base throws in
                #expect(try await Self.follow(fixture, base) == nil)
                let stored = rows.tables.value["files"] ?? []
                #expect(Set(stored.map { $0["path"] }) == ["Pictures/a.jpg", "Pictures/sub/ü.jpg"])
                let row = try #require(stored.first { $0["path"] == "Pictures/a.jpg" })
                #expect(row["bucket"] == "media" && row["object_key"] == "Pictures/a.jpg" && row["size"] == 3)
                #expect(row["sha256"]?.string == SHA256.hash(Array("one".utf8)).hexadecimal)
                #expect(row["content_type"] == "image/jpeg" && row["width"] == .null && row["thumbnail_key"] == .null)
                #expect(row["modified_at"]?.string?.hasSuffix("Z") == true)
                #expect(try Set(row.keys) == Self.columns())

                #expect(try await Self.follow(fixture, base) == nil)
                #expect(rows.requests.value == ["POST /rest/v1/files?on_conflict=bucket%2Cobject_key"])

                try OpenFile(creating: fixture.gallery.appending("a.jpg")).append(Array("other".utf8))
                #expect(try await Self.follow(fixture, base) == nil)
                let changed = rows.tables.value["files"] ?? []
                #expect(changed.count == 2 && changed.first { $0["path"] == "Pictures/a.jpg" }?["size"] == 5)
            }
        }
    }

    /// The columns that `config/supabase/metadata.sql` creates.
    private static func columns() throws -> Set<String> {
        let text = try Project.text(of: "config/supabase/metadata.sql")
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }
        let names = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        return Set(names).subtracting(["primary"])
    }

    @Test func aFailureKeepsWhatIsPendingAndIsOneSentence() async throws {
        let busy = RowServer.refusal(503, "PGRST002", "Could not query the database for the schema cache")
        let rows = RowServer(["files": []], refusals: [busy])
        try await AgentFixture.with(["a.jpg": "one"]) { fixture throws in
            try await rows.serve { base throws in
                let trouble = try await Self.follow(fixture, base)
                #expect(trouble?.hasPrefix("Rows for table \"files\" wait: Could not query") == true)
                #expect(rows.tables.value["files"]?.isEmpty == true)
                #expect(try await fixture.objects().count == 1)
                #expect(try await Self.follow(fixture, base) == nil)
                #expect(rows.tables.value["files"]?.count == 1)
            }
        }
    }

    @Test func aCrashBeforeTheMarkRepeatsRows() async throws {
        let rows = RowServer(["files": []])
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture throws in
            try await rows.serve { base throws in
                _ = try await Self.follow(fixture, base)
                let before = rows.tables.value
                try await fixture.run { agent in
                    try await agent.library.setFact("metadata.mark files \(fixture.destination.name)", to: nil)
                }
                _ = try await Self.follow(fixture, base)
                #expect(rows.requests.value.count == 2 && rows.tables.value == before)
            }
        }
    }

    /// What is stored then is older than what was, by the receipts.
    @Test(arguments: [1, 59, 61, 31_536_000])
    func aClockThatWasSetBackKeepsNoRowBack(by seconds: Double) async throws {
        let rows = RowServer(["files": []])
        try await AgentFixture.with(["a.jpg": "one"]) { fixture throws in
            try await rows.serve { base throws in
                #expect(try await Self.follow(fixture, base, ahead: seconds) == nil)
                #expect(rows.tables.value["files"]?.count == 1)
                for (name, count) in [("b.jpg", 2), ("c.jpg", 3)] {
                    try fixture.write(name, to: FilePath(name))
                    #expect(try await Self.follow(fixture, base) == nil)
                    #expect(rows.tables.value["files"]?.count == count)
                }
                let before = rows.requests.value.count
                #expect(try await Self.follow(fixture, base) == nil)
                #expect(rows.requests.value.count == before)
            }
        }
    }

    /// How an object comes to be stored no longer under its key.
    enum Loss: CaseIterable { case renamed, pruned, lost }

    /// The row of an object goes with it, at the first try or at a later one; the others stay.
    @Test(arguments: Loss.allCases, [false, true])
    func theRowOfAnObjectThatIsStoredNoLongerGoes(loss: Loss, isRefused: Bool) async throws {
        let rows = RowServer(["files": []])
        try await AgentFixture.with(["a, \"1\".jpg": "one", "b.jpg": "two"]) { fixture throws in
            try await rows.serve { base throws in
                #expect(try await Self.follow(fixture, base) == nil)
                let folder = try Directory(fixture.gallery)
                var expected = ["Pictures/b.jpg"]
                switch loss {
                case .renamed:
                    try folder.rename("a, \"1\".jpg", to: "c.jpg")
                    expected.append("Pictures/c.jpg")
                case .pruned:
                    _ = try folder.remove(file: "a, \"1\".jpg")
                    _ = try await fixture.sync()
                    _ = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
                case .lost:
                    let row = try #require(rows.tables.value["files"]?.first { $0["path"] != "Pictures/b.jpg" })
                    try await fixture.storage.delete(bucket: "media", key: row["object_key"]?.string ?? "")
                    _ = try folder.remove(file: "a, \"1\".jpg")
                    _ = try await fixture.verify(repairing: true)
                }
                if isRefused {
                    rows.refusals.change { $0 = [RowServer.refusal(503, "PGRST000", "busy")] }
                    #expect(try await Self.follow(fixture, base)?.contains("busy") == true)
                }
                #expect(try await Self.follow(fixture, base) == nil)
                #expect((rows.tables.value["files"] ?? []).compactMap { $0["path"]?.string }.sorted() == expected)
                let before = rows.requests.value.count
                #expect(try await Self.follow(fixture, base) == nil)
                #expect(rows.requests.value.count == before)
            }
        }
    }

    /// What is stored again before its row went keeps one.
    @Test func theRowOfAnObjectThatIsStoredAgainStays() async throws {
        let rows = RowServer(["files": []])
        try await AgentFixture.with(["a.jpg": "one"]) { fixture throws in
            try await rows.serve { base throws in
                #expect(try await Self.follow(fixture, base) == nil)
                let stored = try #require(rows.tables.value["files"]?.first?["stored_at"]?.string)
                try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
                _ = try await fixture.verify(repairing: true)
                #expect(try await Self.follow(fixture, base) == nil)
                let now = try #require(rows.tables.value["files"]?.first?["stored_at"]?.string)
                #expect(now > stored && rows.requests.value.allSatisfy { $0.hasPrefix("POST ") })
            }
        }
    }

    /// Another file is stored once the clock is right again.
    @Test func aClockThatWasSetBackAndRightAgainSendsNoRowForEver() async throws {
        let rows = RowServer(["files": []])
        let ahead = Shared(0.0)
        try await AgentFixture.with(["a.jpg": "one"]) { fixture throws in
            var fixture = fixture
            fixture.equip = { $0.clock = { Date() + ahead.value } }
            let gallery = fixture.gallery
            try await rows.serve { base throws in
                ahead.change { $0 = 31_536_000 }
                try await fixture.run { [fixture] agent in
                    _ = try await agent.sync([gallery])
                    let loop = Self.loop(agent, fixture, base) { Date() + ahead.value }
                    ahead.change { $0 = 0 }
                    try await loop.run()
                    ahead.change { $0 = 31_536_000 }
                    try fixture.write("two", to: "b.jpg")
                    _ = try await agent.sync([gallery])
                    try await withLimit("the rows are sent", .seconds(20)) { try await loop.run() }
                }
                #expect(rows.tables.value["files"]?.count == 2)
                #expect(rows.requests.value.count == 2)
            }
        }
    }

    @Test func batchesMeetWithoutAGap() async throws {
        try await AgentFixture.with(["a.jpg": "1", "b.jpg": "2", "c.jpg": "3"]) { fixture throws in
            let paths = try await fixture.run { agent in
                _ = try await agent.sync([fixture.gallery])
                var paths: [String?] = []
                while true {
                    let batch = try await agent.library.metadataBatch(fixture.destination, in: "files", limit: 1)
                    guard !batch.receipts.isEmpty else { return paths }
                    paths += batch.rows.map { $0["path"]?.string }
                    try await agent.library.settle(batch, fixture.destination, in: "files")
                }
            }
            #expect(paths.compactMap { $0 }.sorted() == ["Pictures/a.jpg", "Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    /// Stages date their receipts before they write them down, beside one another.
    @Test func whatIsWrittenDownWhileRowsAreSentKeepsItsRow() async throws {
        try await AgentFixture.with(["a.jpg": "1", "b.jpg": "2"]) { fixture throws in
            try await fixture.run { agent in
                _ = try await agent.sync([fixture.gallery])
                let (library, destination) = (agent.library, fixture.destination)
                let one = ObjectKey(text: "Pictures/a.jpg")
                let receipt = try #require(try await library.receipt(destination: destination.name, key: one))
                try await library.confirm(receipt, at: Date() + 100)
                let sent = try await library.metadataBatch(destination, in: "files")
                #expect(sent.receipts.count == 2)
                try await library.confirm(receipt, at: Date() + 50)
                try await library.settle(sent, destination, in: "files")
                let late = try await library.metadataBatch(destination, in: "files")
                #expect(late.rows.map { $0["path"] } == ["Pictures/a.jpg"])
                try await library.confirm(receipt, at: Date() + 60)
                try await library.settle(late, destination, in: "files")
                let later = try await library.metadataBatch(destination, in: "files")
                #expect(later.rows.map { $0["path"] } == ["Pictures/a.jpg"])
                try await library.settle(later, destination, in: "files")
                #expect(try await library.metadataBatch(destination, in: "files").receipts.isEmpty)
            }
        }
    }

    private static let troubles: [(status: Int, code: String, words: String, wait: ClosedRange<Double>)] = [
        (404, "PGRST205", "the project has no such table. Run config/supabase/metadata.sql", 3600...3600),
        (404, "42P01", "the project has no such table. Run config/supabase/metadata.sql", 3600...3600),
        (403, "42501", "this sign-in may not write it. Run config/supabase/metadata.sql", 3600...3600),
        (400, "PGRST204", "its columns are not those it needs (m (PGRST204)). Run", 3600...3600),
        (401, "PGRST303", "m (PGRST303)", 3600...3600), (503, "PGRST000", "m (PGRST000)", 6.4...9.6),
        (504, "PGRST003", "m (PGRST003)", 6.4...9.6),
    ]

    @Test(arguments: troubles.indices)
    func troubleIsOneSentenceAndAWait(_ index: Int) {
        let row = Self.troubles[index]
        let body = #"{"code":"\#(row.code)","message":"m"}"#
        let error = RestError.refused(RestRefusal(HTTPResponse(status: row.status, body: Array(body.utf8))))
        for random in [0, 0.999] {
            let trouble = MetadataTrouble(error, table: "t", failures: 2, ladder: RetryLadder(), random: random)
            #expect(trouble.sentence.hasPrefix("Rows for table \"t\" wait: " + row.words))
            #expect(row.wait.contains(trouble.wait.seconds), "\(row.code): \(trouble.wait)")
        }
    }

    @Test func rowsAreNeverGivenUp() {
        let error = RestError.noAnswer(TransferError(.unreachable, "no host", mayHaveArrived: false))
        let trouble = MetadataTrouble(error, table: "t", failures: 10_000, ladder: RetryLadder(), random: 0.5)
        #expect(trouble.wait == MetadataTrouble.probe)
    }
}

import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Queue
import Records
import Reporting
import Roots
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing

/// More files are blocked than the queue's window holds: other files are still sent.
@Suite struct BlockedRunTests {
    private static let count = 60
    private static let window = 10

    private static func file(_ size: Int, _ seed: Int) -> FileTree.Node {
        .file(Array("\(seed) ".utf8) + [UInt8](repeating: 7, count: size - "\(seed) ".utf8.count))
    }

    private static func large(_ size: Int = 100) -> FileTree {
        FileTree(
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { (FilePath("\($0).jpg"), file(size, $0)) }))
    }

    /// A gallery whose oldest file, the last to be looked at, is small.
    private func with(budget: Int?, size: Int = 100, _ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(["small.jpg": "small"]) { fixture in
            var fixture = fixture
            fixture.equip = { $0.queueWindow = Self.window }
            if let budget { fixture.settings.destination.storageBudget = .bytes(budget) }
            try Self.large(size).write(to: fixture.gallery)
            try await body(fixture)
        }
    }

    private func report(_ fixture: AgentFixture) async throws -> Report {
        try await fixture.run(.steering) { try await $0.report(.summary) }
    }

    private static func waitsForNextAttempt(_ item: Item) -> Bool {
        item.status == .pending && item.retryCount > 0 && item.blocked == nil
    }

    private func stored(_ fixture: AgentFixture) async throws -> Set<String> {
        Set(try await fixture.storage.list(bucket: "media").objects.map(\.key))
    }

    // MARK: The budget

    @Test func theOneFileThatFitsIsStoredAndTheSumsAddUp() async throws {
        try await with(budget: 50) { fixture in
            let ending = try await fixture.sync()
            #expect(
                ending
                    == .full(
                        "100 B do not fit into the budget of 50 B, of which 45 B are free. "
                            + "Raise destination.storageBudget to what the plan allows; 60 of 61 files wait"))
            #expect(try await stored(fixture) == ["Pictures/small.jpg"])
            let report = try await report(fixture)
            #expect(report.assets == Report.Assets(stored: 1, waiting: 60))
            #expect(report.queue.pending == 60)
            #expect(report.blocked.map(\.reason) == ["budget"])
            #expect(report.blocked.first?.quantity == "60 files")
            let queued = try await fixture.run(.steering) { await $0.queue.count().open }
            #expect(queued < 40, "most live in the library")
        }
    }

    @Test func raisingTheBudgetSendsWhatFitsThenAll() async throws {
        try await with(budget: 50) { fixture in
            var fixture = fixture
            _ = try await fixture.sync()
            fixture.settings.destination.storageBudget = .bytes(3_005)
            guard case .full(let sentence) = try await fixture.sync() else { throw Unexpected() }
            #expect(sentence.hasPrefix("100 B do not fit into the budget of 3 kB, of which 0 B are free."))
            #expect(try await stored(fixture).count == 31)
            fixture.settings.destination.storageBudget = .unlimited
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.count == 30)
            let report = try await report(fixture)
            #expect(report.assets == Report.Assets(stored: 61))
            #expect(report.queue.pending == 0 && report.blocked.isEmpty)
        }
    }

    @Test func aPassThatChangesNothingSendsNothing() async throws {
        try await with(budget: 50) { fixture in
            _ = try await fixture.sync()
            let asked = try await fixture.requests { _ = try await fixture.sync() }
            #expect(asked.changes.isEmpty)
        }
    }

    @Test func whyAndTheFilesOnDiskKnowWhatLivesInTheLibrary() async throws {
        try await with(budget: 50) { fixture in
            _ = try await fixture.sync()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let known = try #require(try await library.roots().first)
            let explanation = try await Explanation(
                of: fixture.gallery.appending("7.jpg"), root: (Root(known: known), "7.jpg"), library: library,
                items: try QueueStore(state: fixture.locations.state).load().entries)
            #expect(explanation.decisions.contains { $0.hasPrefix("The file waits: ") })
            #expect(explanation.decisions.contains { $0.hasPrefix("Raise destination.storageBudget") })
            #expect(try await library.eachBlocked { _ in } > 20)
        }
    }

    // MARK: Files that change or go meanwhile

    @Test func whatChangesDeletesOrIsCancelledMeanwhileIsSentAsItIs() async throws {
        try await with(budget: 50) { fixture in
            var fixture = fixture
            _ = try await fixture.sync()
            try fixture.write("changed", to: "1.jpg")
            try FileManager.default.removeItem(atPath: fixture.gallery.appending("2.jpg").display)
            let cancelled = fixture.gallery.appending("3.jpg")
            #expect(try await fixture.run(.steering) { try await $0.cancel([cancelled]) } == 1)
            fixture.settings.destination.storageBudget = .unlimited
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.count == 58)
            let keys = try await stored(fixture)
            #expect(keys.isDisjoint(with: ["Pictures/2.jpg", "Pictures/3.jpg"]))
            #expect(try await fixture.objects()["Pictures/1.jpg"] == Array("changed".utf8))
            let report = try await report(fixture)
            #expect(report.assets == Report.Assets(stored: 59))
            #expect(report.besides.gone == 1 && report.besides.excluded == 1)
        }
    }

    // MARK: Size limits

    @Test func smallFilesGoOnBehindManyThatAreTooLarge() async throws {
        try await with(budget: nil, size: 2_000) { fixture in
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: false, fileSizeLimit: 1_000))
            let ending = try await fixture.sync()
            #expect(ending == .someTooLarge(60, "larger than the bucket takes, 1 kB"))
            #expect(try await stored(fixture) == ["Pictures/small.jpg"])
            #expect(try await report(fixture).blocked.map(\.count) == [60])

            try await fixture.storage.updateBucket("media", BucketSettings(fileSizeLimit: 1_000_000))
            let file = fixture.gallery.appending("5.jpg")
            var selection = Selection()
            selection.which = .all
            selection.paths = [file]
            let chosen = selection
            let again = try await fixture.run { try await $0.reupload(chosen) }
            #expect(again.ending == .done, "one that passes shows that the limit is gone")
            #expect(try await stored(fixture).count == 61)
        }
    }

    @Test func aDayLaterTheSmallestIsTriedAndAllFollow() async throws {
        try await with(budget: nil, size: 2_000) { fixture in
            var fixture = fixture
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: false, fileSizeLimit: 1_000))
            _ = try await fixture.sync()
            try await fixture.storage.updateBucket("media", BucketSettings(fileSizeLimit: 1_000_000))
            fixture.equip = { setup in
                setup.queueWindow = Self.window
                setup.clock = { Date() + 86_401 }
            }
            try await fixture.pass()
            #expect(try await stored(fixture).count == 61)
        }
    }

    @Test func whereTheFileThatTriesALimitIsCancelledAnotherTries() async throws {
        try await with(budget: nil, size: 2_000) { fixture in
            var fixture = fixture
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: false, fileSizeLimit: 1_000))
            _ = try await fixture.sync()
            try await fixture.storage.updateBucket("media", BucketSettings(fileSizeLimit: 1_000_000))
            fixture.settings.retry.base = .seconds(3_600)
            fixture.settings.sync.patience = .seconds(36_000)
            let first = Shared<String?>(nil)
            let fails: @Sendable (Request) -> Fault? = { request in
                guard request.path.hasPrefix("/object/media/") else { return nil }
                return first.change { first in
                    defer { first = first ?? String(request.path) }
                    return first == nil ? .unavailable(retryAfter: 0) : nil
                }
            }
            let gallery = fixture.gallery
            _ = try await fixture.requests(failing: fails) {
                let ending = try await fixture.run { agent in
                    async let ending = agent.sync([gallery])
                    try await eventually("the file that tries waits for its next attempt") {
                        let items = await agent.queue.all()
                        return items.contains { Self.waitsForNextAttempt($0) }
                    }
                    let name = first.value?.split(separator: "/").last.map(String.init) ?? ""
                    #expect(try await agent.cancel([gallery.appending(name)]) == 1)
                    return try await ending
                }
                #expect(ending == .done)
            }
            #expect(try await stored(fixture).count == 60, "all but the cancelled one")
        }
    }

    // MARK: Rights

    @Test func aPolicyThatRefusesManyFilesLeavesTheOthersRoom() async throws {
        try await with(budget: nil) { fixture in
            let report = Shared<Report?>(nil)
            _ = try await fixture.requests(failing: { request in
                request.path.hasPrefix("/object/media/") && !request.path.hasSuffix("small.jpg") ? .denied : nil
            }) {
                let (ending, after) = try await fixture.run { agent in
                    (try await agent.sync([fixture.gallery]), try await agent.report(.summary))
                }
                guard case .notPermitted = ending else { throw Unexpected() }
                report.change { $0 = after }
            }
            #expect(try await stored(fixture) == ["Pictures/small.jpg"])
            #expect(report.value?.blocked.map(\.count) == [60])
            try await fixture.pass()
        }
    }
}

private struct Unexpected: Error {}

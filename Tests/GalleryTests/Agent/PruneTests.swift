import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Reconciling
import Records
import Reporting
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct PruneTests {
    /// Three stored files, two of which are deleted locally.
    private func withLeftovers(_ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two", "c.jpg": "three"]) { fixture in
            try await fixture.pass()
            for name: FilePath in ["a.jpg", "b.jpg"] { try Directory(fixture.gallery).remove(file: name) }
            try await fixture.pass()
            try await body(fixture)
        }
    }

    private func prune(_ fixture: AgentFixture, deleting: Bool) async throws -> (result: PruneResult, ending: Ending) {
        try await fixture.run(.steering) { try await $0.prune(deleting: deleting) }
    }

    @Test func aListNamesWhatIsOnlyInStorageAndDeletesNothing() async throws {
        try await withLeftovers { fixture in
            let (result, ending) = try await prune(fixture, deleting: false)
            #expect(ending == .done)
            #expect(result.objects.map(\.path) == ["Pictures/a.jpg", "Pictures/b.jpg"])
            #expect(result.bytes == 6)
            #expect(try await fixture.objects().count == 3)
        }
    }

    @Test func whatIsDeletedLeavesItsRoomInTheBudget() async throws {
        try await AgentFixture.with(["a.jpg": .file([UInt8](repeating: 1, count: 600)), "c.jpg": "x"]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(1_000)
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try fixture.write(String(repeating: "b", count: 500), to: "b.jpg")
            let gallery = fixture.gallery
            let ends = try await fixture.run { agent in
                let first = try await agent.sync([gallery])
                let pruned = try await agent.prune(deleting: true).ending
                return [first, pruned, try await agent.sync([gallery])]
            }
            guard case .full = ends[0] else { return #expect(Bool(false), "\(ends[0])") }
            #expect(ends[1...] == [.done, .done])
            #expect(Set(try await fixture.objects().keys) == ["Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    @Test func deletingForgetsThemAndWritesItDown() async throws {
        try await withLeftovers { fixture in
            let (result, ending) = try await prune(fixture, deleting: true)
            #expect(ending == .done)
            #expect(result.objects.count == 2 && result.kept.isEmpty)
            #expect(try await fixture.objects() == ["Pictures/c.jpg": Array("three".utf8)])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides == Report.Besides())
            #expect(report.assets == Report.Assets(stored: 1))
            #expect(try fixture.audit().count { $0.contains("\"action\":\"pruned\"") } == 2)
            #expect(try await prune(fixture, deleting: true).result.objects.isEmpty)
            // A file that comes back is stored like a new one.
            try fixture.write("one", to: "a.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects().count == 2)
        }
    }

    /// One after the other, 10,000 objects take as many times as long as the server is away.
    @Test func theServerIsAskedAboutSeveralAtOnce() async throws {
        try await withLeftovers { fixture in
            let line = SteppedTransport(server: fixture.client)
            let asked = Shared<Set<String>>([])
            line.before.change {
                $0 = { request in
                    guard request.url.contains("/object/info/") else { return }
                    asked.change { $0.formUnion([request.url]) }
                    try await eventually("both objects are asked about") { asked.value.count == 2 }
                }
            }
            var stepped = fixture
            stepped.equip = { $0.transport = line }
            let (result, ending) = try await prune(stepped, deleting: true)
            #expect(ending == .done)
            #expect(result.objects.map(\.path) == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// Sends each deletion twice, as two runs at once do, and answers as the second is answered: nothing was there.
    private struct DoubledDeletion: Transport {
        let server: any Transport

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            if request.method == .delete { _ = try await server.send(request) }
            return try await server.send(request)
        }
    }

    @Test func whatAnotherRunHasDeletedIsStoredAgainWhenItsFileComesBack() async throws {
        try await withLeftovers { fixture in
            var doubled = fixture
            doubled.equip = { [client = fixture.client] in $0.transport = DoubledDeletion(server: client) }
            let (result, ending) = try await prune(doubled, deleting: true)
            #expect(ending == .someFailed(2) && result.objects.isEmpty)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/c.jpg"])
            try fixture.write("one", to: "a.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
        }
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What happens before the objects of `a.jpg` and `b.jpg` are to be deleted.
        let change: @Sendable (AgentFixture) async throws -> Void
        let kept: Set<String>
        let ending: Ending

        init(
            _ fact: String, kept: Set<String>, _ ending: Ending,
            change: @escaping @Sendable (AgentFixture) async throws -> Void
        ) {
            (testDescription, self.kept, self.ending, self.change) = (fact, kept, ending, change)
        }
    }

    @Test(arguments: [
        Change("a foreign object stays", kept: ["Pictures/a.jpg"], .someFailed(1)) {
            try await $0.put(Array("theirs".utf8), at: "Pictures/a.jpg", replacing: true)
        },
        Change("a file that is back keeps its object", kept: ["Pictures/a.jpg"], .someFailed(1)) {
            try $0.write("one", to: "a.jpg")
        },
        Change("so does one that is back with other bytes", kept: ["Pictures/b.jpg"], .someFailed(1)) {
            try $0.write("another", to: "b.jpg")
        },
        Change("a directory that took its name is not the file", kept: [], .done) {
            try Directory.create(at: $0.gallery.appending("a.jpg"))
        },
        Change("a root that is away keeps all", kept: ["Pictures/a.jpg", "Pictures/b.jpg"], .someFailed(2)) {
            try Directory($0.folder).rename("Pictures", to: "Elsewhere")
        },
    ])
    func whatMayStillBeWantedIsKept(_ row: Change) async throws {
        try await withLeftovers { fixture in
            try await row.change(fixture)
            let before = try await fixture.objects()
            let (result, ending) = try await prune(fixture, deleting: true)
            #expect(ending == row.ending)
            #expect(Set(result.kept.map(\.key)) == row.kept && result.objects.count == 2 - row.kept.count)
            let kept = row.kept.union(["Pictures/c.jpg"])
            #expect(try await fixture.objects() == before.filter { kept.contains($0.key) })
        }
    }

    /// A rename that could not be followed yet: without these objects the content would be stored nowhere.
    @Test(arguments: [true, false])
    func theObjectOfAFileThatWaitsUnderAnotherNameIsKept(_ isPaused: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "two", "c.jpg": "three"]) { fixture in
            var fixture = fixture
            if !isPaused {
                fixture.settings.roots = [Settings.Root(path: fixture.gallery, autoUpload: false)]
                _ = try await fixture.sync()
                var all = Selection()
                (all.which, all.paths) = (.all, [fixture.gallery])
                _ = try await fixture.run { [all] in try await $0.reupload(all) }
            } else {
                try await fixture.pass()
                try await fixture.run(.steering) { try await $0.pause() }
            }
            #expect(try await fixture.objects().count == 3)
            try Directory(fixture.gallery).rename("a.jpg", to: "d.jpg")
            try Directory(fixture.gallery).remove(file: "b.jpg")
            (fixture.settings.sync.patience, fixture.settings.scan.settle) = (.zero, .zero)
            _ = try await fixture.sync()
            let (result, ending) = try await prune(fixture, deleting: true)
            #expect(ending == .someFailed(1))
            #expect(result.kept.map(\.key) == ["Pictures/a.jpg"] && result.objects.map(\.key) == ["Pictures/b.jpg"])
            // The next sync stores nothing while the queue is paused.
            let way = isPaused ? "it is stored first; " : "\"gallery-sync reupload\" with its path stores it"
            let reason = try #require(result.kept.first).reason
            #expect(reason.hasPrefix("a file that is not stored yet has the same content: \(way)"), "\(reason)")
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/c.jpg"])
        }
    }

    /// Each run loses the answer to another one of the requests of a prune.
    @Test(arguments: 0..<4)
    func whicheverAnswerIsLostASecondTimeEndsIt(_ lost: Int) async throws {
        try await withLeftovers { fixture in
            let number = Shared(0)
            _ = try await fixture.requests(failing: { _ in
                let isLost = number.change { number in
                    defer { number += 1 }
                    return number == lost
                }
                return isLost ? .cutAnswer(after: 0) : nil
            }) { _ = try await prune(fixture, deleting: true) }
            _ = try await prune(fixture, deleting: true)
            #expect(try await fixture.objects() == ["Pictures/c.jpg": Array("three".utf8)])
            #expect(try await prune(fixture, deleting: false).result.objects.isEmpty)
        }
    }
}

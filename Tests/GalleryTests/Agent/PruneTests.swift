import Catalog
import Configuration
import Foundation
import Gallery
import Platform
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

    @Test func aForeignObjectStays() async throws {
        try await withLeftovers { fixture in
            let theirs = Array("theirs".utf8)
            try await fixture.put(theirs, at: "Pictures/a.jpg", replacing: true)
            let (result, ending) = try await prune(fixture, deleting: true)
            #expect(ending == .someFailed(1))
            #expect(result.kept.map(\.key) == ["Pictures/a.jpg"])
            #expect(try await fixture.objects()["Pictures/a.jpg"] == theirs)
            #expect(try await fixture.objects()["Pictures/b.jpg"] == nil)
        }
    }

    @Test func aFileThatIsBackKeepsItsObject() async throws {
        try await withLeftovers { fixture in
            try fixture.write("one", to: "a.jpg")
            let (result, _) = try await prune(fixture, deleting: true)
            #expect(result.kept.map(\.key) == ["Pictures/a.jpg"])
            #expect(try await fixture.objects()["Pictures/a.jpg"] != nil)
        }
    }

    @Test func aRootThatIsAwayKeepsAll() async throws {
        try await withLeftovers { fixture in
            try Directory(fixture.folder).rename("Pictures", to: "Elsewhere")
            let (result, _) = try await prune(fixture, deleting: true)
            #expect(result.objects.isEmpty && result.kept.count == 2)
            #expect(try await fixture.objects().count == 3)
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

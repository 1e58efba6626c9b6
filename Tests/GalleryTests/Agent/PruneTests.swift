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

@Suite struct PruneTests {
    /// Three stored files of which two are deleted here.
    private func withLeftovers(_ body: (Workshop) async throws -> Void) async throws {
        try await Workshop.with(["a.jpg": "one", "b.jpg": "two", "c.jpg": "three"]) { workshop in
            try await workshop.pass()
            for name: FilePath in ["a.jpg", "b.jpg"] { try Directory(workshop.gallery).remove(file: name) }
            try await workshop.pass()
            try await body(workshop)
        }
    }

    private func prune(_ workshop: Workshop, deleting: Bool) async throws -> (result: PruneResult, ending: Ending) {
        try await workshop.run(.steering) { try await $0.prune(deleting: deleting) }
    }

    @Test func aListNamesWhatIsOnlyInStorageAndDeletesNothing() async throws {
        try await withLeftovers { workshop in
            let (result, ending) = try await prune(workshop, deleting: false)
            #expect(ending == .done)
            #expect(result.objects.map(\.path) == ["Pictures/a.jpg", "Pictures/b.jpg"])
            #expect(result.bytes == 6)
            #expect(try await workshop.objects().count == 3)
        }
    }

    @Test func whatIsDeletedLeavesItsRoomInTheBudget() async throws {
        try await Workshop.with(["a.jpg": .file([UInt8](repeating: 1, count: 600)), "c.jpg": "x"]) { workshop in
            var workshop = workshop
            workshop.settings.destination.storageBudget = .bytes(1_000)
            try await workshop.pass()
            try Directory(workshop.gallery).remove(file: "a.jpg")
            try workshop.write(String(repeating: "b", count: 500), to: "b.jpg")
            let gallery = workshop.gallery
            let ends = try await workshop.run { agent in
                let first = try await agent.sync([gallery])
                let pruned = try await agent.prune(deleting: true).ending
                return [first, pruned, try await agent.sync([gallery])]
            }
            guard case .full = ends[0] else { return #expect(Bool(false), "\(ends[0])") }
            #expect(ends[1...] == [.done, .done])
            #expect(Set(try await workshop.objects().keys) == ["Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    @Test func deletingForgetsThemAndWritesItDown() async throws {
        try await withLeftovers { workshop in
            let (result, ending) = try await prune(workshop, deleting: true)
            #expect(ending == .done)
            #expect(result.objects.count == 2 && result.kept.isEmpty)
            #expect(try await workshop.objects() == ["Pictures/c.jpg": Array("three".utf8)])
            let report = try await workshop.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides == Report.Besides())
            #expect(report.assets == Report.Assets(stored: 1))
            #expect(try workshop.audit().count { $0.contains("\"action\":\"pruned\"") } == 2)
            #expect(try await prune(workshop, deleting: true).result.objects.isEmpty)
            // A file that comes back is stored like a new one.
            try workshop.write("one", to: "a.jpg")
            try await workshop.pass()
            #expect(try await workshop.objects().count == 2)
        }
    }

    @Test func anObjectOfSomebodyElseStays() async throws {
        try await withLeftovers { workshop in
            let theirs = Array("theirs".utf8)
            try await workshop.put(theirs, at: "Pictures/a.jpg", replacing: true)
            let (result, ending) = try await prune(workshop, deleting: true)
            #expect(ending == .someFailed(1))
            #expect(result.kept.map(\.key) == ["Pictures/a.jpg"])
            #expect(try await workshop.objects()["Pictures/a.jpg"] == theirs)
            #expect(try await workshop.objects()["Pictures/b.jpg"] == nil)
        }
    }

    @Test func aFileThatIsBackKeepsItsObject() async throws {
        try await withLeftovers { workshop in
            try workshop.write("one", to: "a.jpg")
            let (result, _) = try await prune(workshop, deleting: true)
            #expect(result.kept.map(\.key) == ["Pictures/a.jpg"])
            #expect(try await workshop.objects()["Pictures/a.jpg"] != nil)
        }
    }

    @Test func aRootThatIsAwayKeepsAll() async throws {
        try await withLeftovers { workshop in
            try Directory(workshop.folder).rename("Pictures", to: "Elsewhere")
            let (result, _) = try await prune(workshop, deleting: true)
            #expect(result.objects.isEmpty && result.kept.count == 2)
            #expect(try await workshop.objects().count == 3)
        }
    }

    /// Each run loses the answer of another one of the requests that pruning takes.
    @Test(arguments: 0..<4)
    func whicheverAnswerIsLostASecondTimeEndsIt(_ lost: Int) async throws {
        try await withLeftovers { workshop in
            let number = Shared(0)
            _ = try await workshop.requests(failing: { _ in
                let isLost = number.change { number in
                    defer { number += 1 }
                    return number == lost
                }
                return isLost ? .cutAnswer(after: 0) : nil
            }) { _ = try await prune(workshop, deleting: true) }
            _ = try await prune(workshop, deleting: true)
            #expect(try await workshop.objects() == ["Pictures/c.jpg": Array("three".utf8)])
            #expect(try await prune(workshop, deleting: false).result.objects.isEmpty)
        }
    }
}

import Database
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import Testing
import Text

@testable import Catalog

/// Whether an object whose file is gone has the content of a file that is still to be stored.
@Suite struct HeirTests {
    struct Awaited: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var state = Asset.State.seen
        var content: String? = "x"
        var size: Int64 = 7
        var after = 0.0
        let isAwaited: Bool
    }

    /// A file that was only renamed is on its way under its new name: its object is not deleted before that is known.
    @Test(arguments: [
        Awaited(testDescription: "the same size and time, not read yet", content: nil, isAwaited: true),
        Awaited(testDescription: "another size", content: nil, size: 8, isAwaited: false),
        Awaited(testDescription: "another time", content: nil, after: 1, isAwaited: false),
        Awaited(testDescription: "the same bytes", content: "gone.jpg", after: 1, isAwaited: true),
        Awaited(testDescription: "other bytes", after: 1, isAwaited: false),
        Awaited(testDescription: "other bytes, the same size and time", isAwaited: true),
        Awaited(testDescription: "the same bytes, stored", state: .stored, content: "gone.jpg", isAwaited: false),
        Awaited(testDescription: "the same bytes, gone too", state: .remoteOnly, content: "gone.jpg", isAwaited: false),
        Awaited(testDescription: "the same bytes, cancelled", state: .excluded, content: "gone.jpg", isAwaited: false),
        Awaited(testDescription: "the same bytes, failed", state: .failed, content: "gone.jpg", isAwaited: true),
        Awaited(testDescription: "the same bytes, held", state: .held, content: "gone.jpg", isAwaited: true),
        Awaited(
            testDescription: "the same bytes, unreadable", state: .unreadable, content: "gone.jpg", isAwaited: true),
        Awaited(testDescription: "the same bytes, indexed", state: .indexed, content: "gone.jpg", isAwaited: true),
    ])
    func whetherAFileMayOnlyHaveAnotherName(_ row: Awaited) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("gone.jpg"))
        try await shelf.miss("gone.jpg")
        try await shelf.see("new.jpg", size: row.size, after: row.after)
        if let content = row.content {
            try await shelf.library.change(
                "UPDATE assets SET sha256 = ? WHERE name = ?", Value([UInt8](hexadecimal: Shelf.hash(content))),
                .blob(FilePath("new.jpg").name))
        }
        try await shelf.library.mark("new.jpg", as: row.state)
        let gone = try #require(
            try await shelf.library.remoteOnly(destination: Shelf.destination, after: "", count: 1).first)
        #expect(try await shelf.library.stateOfHeir(to: gone) == (row.isAwaited ? row.state : nil))
        // Of what was pruned meanwhile nothing waits.
        try await shelf.library.forgetPruned([gone.receipt])
        #expect(try await shelf.library.stateOfHeir(to: gone) == nil)
    }

    /// What a sync stores by itself comes before what needs an order.
    @Test(
        arguments: [
            ([.held, .queued], .queued), ([.indexed, .failed], .failed), ([.held, .stored], .held), ([.stored], nil),
        ] as [([Asset.State], Asset.State?)])
    func theHeirThatNeedsTheLeastIsNamed(_ states: [Asset.State], _ named: Asset.State?) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("gone.jpg"))
        try await shelf.miss("gone.jpg")
        for (number, state) in states.enumerated() {
            let name = FilePath("\(number).jpg")
            try await shelf.see(name)
            try await shelf.library.mark(name, as: state)
        }
        let gone = try #require(
            try await shelf.library.remoteOnly(destination: Shelf.destination, after: "", count: 1).first)
        #expect(try await shelf.library.stateOfHeir(to: gone) == named)
    }

    /// The file changed before it went, so that only the receipt has the content that another file has now.
    @Test func aPictureIsAwaitedWithItsOriginal() async throws {
        let shelf = try await Shelf()
        let (original, picture) = (Shelf.item("gone.jpg"), Shelf.item("gone.jpg", role: .thumbnail(512)))
        for item in [original, picture] { try await shelf.store(item) }
        try await shelf.see("gone.jpg", size: 8, after: 1)
        try await shelf.miss("gone.jpg")
        let gone = try await shelf.library.remoteOnly(destination: Shelf.destination, after: "", count: 2)
        for duplicate in gone { #expect(try await shelf.library.stateOfHeir(to: duplicate) == nil) }
        try await shelf.library.see(Shelf.item("new.jpg", content: "gone.jpg"), below: shelf.root)
        try await shelf.library.mark("new.jpg", as: .held)
        #expect(gone.map(\.receipt.role) == [.thumbnail(512), .original])
        for duplicate in gone { #expect(try await shelf.library.stateOfHeir(to: duplicate) == .held) }
        // With the object of the original its picture goes, too.
        try await shelf.library.forgetPruned([Shelf.receipt(original)])
        #expect(try await shelf.library.stateOfHeir(to: gone[0]) == nil)
    }
}

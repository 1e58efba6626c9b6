import Database
import Platform
import Queue
import Records
import Roots
import Testing

@testable import Catalog

/// Objects of deleted files whose names other files have now.
@Suite struct LastCopyMarkTests {
    /// What became of a second file with the same content, which is stored, too.
    enum Twin: CaseIterable, Sendable { case stays, deleted, reused, changed }

    @Test(arguments: [
        (Twin.stays, false, true), (.deleted, true, false), (.reused, false, true), (.changed, true, false),
    ])
    func ofTwoObjectsOneIsSetAside(_ twin: Twin, first: Bool, second: Bool) async throws {
        let shelf = try await Shelf()
        let (item, other) = (Shelf.item("x.jpg", content: "one"), Shelf.item("y.jpg", content: "one"))
        for item in [item, other] { try await shelf.store(item) }
        try await shelf.miss("x.jpg")
        if twin == .deleted || twin == .reused { try await shelf.miss("y.jpg") }
        try await shelf.see("x.jpg", size: 9, after: 60)
        if twin == .reused || twin == .changed { try await shelf.see("y.jpg", size: 8, after: 60) }
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(item)) == first)
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(other)) == second)
    }

    /// A file got another name, and was not stored by it when its former one was taken.
    @Test(arguments: [Asset.State.queued, .held, .stored, .gone, .identifying])
    func theContentOfAFileThatWaitsIsSetAside(_ state: Asset.State) async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("x.jpg", content: "one")
        try await shelf.store(item)
        try await Self.see("y.jpg", content: "one", as: state, on: shelf)
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(item)) == [.queued, .held].contains(state))
        #expect(try await shelf.library.isLastCopy(Shelf.receipt(item)) == [.queued, .held].contains(state))
    }

    /// Until the file has an object of its own.
    @Test func whatWasSetAsideIsOutdatedOnceItsFileIsStored() async throws {
        let shelf = try await Shelf()
        let (item, other) = (Shelf.item("x.jpg", content: "one"), Shelf.item("y.jpg", content: "one"))
        try await shelf.store(item)
        try await Self.see("y.jpg", content: "one", as: .queued, on: shelf)
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(item)))
        try await shelf.store(other)
        #expect(try await !shelf.library.isLastCopy(Shelf.receipt(item)))
    }

    /// A file got another name while the disk of its former one was away, and was deleted there before it was stored.
    @Test(arguments: [true, false])
    func theContentOfADeletedFileIsSetAsideWhereItsFormerDiskIsAway(isAway: Bool) async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("x.jpg", content: "one")
        try await shelf.store(item)
        try await Self.see("y.jpg", content: "one", as: .queued, on: shelf)
        if isAway { try await shelf.library.setFact(RootAbsence.fact(shelf.root), to: "it is empty") }
        try await shelf.miss("y.jpg")
        try await shelf.see("x.jpg", size: 9, after: 60)
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(item)) == isAway)
    }

    private static func see(
        _ path: FilePath, content: String, as state: Asset.State, on shelf: Shelf
    ) async throws {
        try await shelf.see(path)
        try await shelf.library.change(
            "UPDATE assets SET sha256 = ?, state = ? WHERE name = ?", Value([UInt8](hexadecimal: Shelf.hash(content))),
            .integer(state.rawValue), .blob(path.name))
    }
}

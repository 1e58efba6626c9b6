import Database
import Foundation
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

    /// The other object is about to be deleted, or was stored again after it had been.
    @Test(arguments: [(1.0, true), (-1, false)])
    func whatIsBeingDeletedKeepsNothing(_ seconds: Double, isLast: Bool) async throws {
        let shelf = try await Shelf()
        let (item, other) = (Shelf.item("x.jpg", content: "one"), Shelf.item("y.jpg", content: "one"))
        for item in [item, other] { try await shelf.store(item) }
        try await shelf.miss("x.jpg")
        try await shelf.see("x.jpg", size: 9, after: 60)
        try await shelf.library.noteDeletion(
            of: [other.objectKey], destination: Shelf.destination, at: Shelf.now + seconds)
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(item)) == isLast)
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

    /// The same content was set aside before, and needed no more: it is the last copy then, unless it is being deleted.
    @Test(arguments: [Asset.State.remoteOnly, .queued], [false, true])
    func whatWasSetAsideBeforeIsKeptAgain(_ state: Asset.State, isBeingDeleted: Bool) async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("x.jpg", content: "one")
        var aside = item
        aside.objectKey = item.objectKey.beside(item.sha256)
        for item in [item, aside] { try await shelf.store(item) }
        try await Self.see("y.jpg", content: "one", as: state, on: shelf)
        if state == .remoteOnly { try await shelf.mark(item, .lastCopy) }
        try await shelf.see("x.jpg", size: 9, after: 60)
        try await shelf.mark(aside, .outdated)
        if isBeingDeleted {
            try await shelf.library.noteDeletion(
                of: [aside.objectKey], destination: Shelf.destination, at: Shelf.now)
        }
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(item)) == isBeingDeleted)
        // The keys are in order: "x--….jpg" comes first.
        #expect(try await shelf.library.marks() == (isBeingDeleted ? [.outdated, .lastCopy] : [.lastCopy]))
        let kept = try await shelf.library.lastCopies(
            among: [item.objectKey, aside.objectKey], destination: Shelf.destination)
        #expect(kept == [isBeingDeleted ? item.objectKey : aside.objectKey])
        // The file for which it is kept is stored by its own name.
        guard state == .queued, !isBeingDeleted else { return }
        try await shelf.store(Shelf.item("y.jpg", content: "one"))
        #expect(try await shelf.library.marks() == [.outdated])
    }

    /// What a crash left of a move within one file is settled by the next start.
    @Test(arguments: [true, false])
    func anObjectThatComesBackToItsFileIsNotOutdated(isMarked: Bool) async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("x.jpg", content: "one")
        var aside = item
        aside.objectKey = item.objectKey.beside(item.sha256)
        for item in [aside, Shelf.item("y.jpg", content: "one")] { try await shelf.store(item) }
        if isMarked {
            try await shelf.library.change("DELETE FROM receipts WHERE name = ?", .blob(FilePath("y.jpg").name))
            try await shelf.miss("x.jpg")
            try await shelf.see("x.jpg", size: 9, after: 60)
            #expect(try await shelf.library.decideLastCopy(Shelf.receipt(aside)))
        }
        let library = shelf.library
        try await library.noteMove(of: item, from: aside.objectKey, destination: Shelf.destination, at: Shelf.now)
        let move = try #require(try await library.expectedMoves(destination: Shelf.destination).first)
        let held = HeldObject(id: "n", size: 7, eTag: nil, version: "w", updatedAt: nil)
        try await library.settle(moved: move, from: Shelf.receipt(aside), held: held, at: Shelf.now)
        let receipts = try await library.receipts(
            destination: Shelf.destination, keys: [item.objectKey, aside.objectKey])
        #expect(receipts.map(\.key) == [item.objectKey])
        #expect(try await shelf.library.marks() == (isMarked ? [.lastCopy] : []))
    }

    /// The request to set an object aside arrives late, and its file has the former content again by then; or another one.
    @Test(arguments: [("one", Asset.State.stored, Asset.State.seen), ("two", .stored, .stored), ("one", .gone, .gone)])
    func aFileWhoseOwnObjectWasSetAsideIsReadAgain(
        _ content: String, _ state: Asset.State, _ after: Asset.State
    ) async throws {
        let shelf = try await Shelf()
        let (item, other) = (Shelf.item("x.jpg", content: "one"), Shelf.item("y.jpg", content: "one"))
        try await shelf.store(item)
        try await Self.see("y.jpg", content: "one", as: .queued, on: shelf)
        let (library, receipt) = (shelf.library, Shelf.receipt(item))
        #expect(try await library.decideLastCopy(receipt))
        try await library.noteMove(of: receipt, to: receipt.key.beside(receipt.sha256), at: Shelf.now)
        try await shelf.store(other)
        try await Self.see("x.jpg", content: content, as: state, on: shelf)
        let move = try #require(try await library.expectedMoves(destination: Shelf.destination).first)
        let held = HeldObject(id: "n", size: 7, eTag: nil, version: "w", updatedAt: nil)
        try await library.settle(moved: move, from: receipt, held: held, at: Shelf.now)
        #expect(try await shelf.asset("x.jpg").state == after)
        // It proves nothing until it has the file's name, or another object has.
        #expect(try await library.marks() == [.outdated])
    }

    /// The file was restored under the name of an object beside another, and found that object before the move is seen;
    /// the object may have been stored again since, so that it did not move.
    @Test(arguments: [(false, Asset.State.seen), (true, .stored)])
    func aFileWhoseObjectIsAnothersThatWasSetAsideIsReadAgain(
        _ isStoredAgain: Bool, _ after: Asset.State
    ) async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("x.jpg", content: "one")
        let aside = item.objectKey.beside(item.sha256)
        let name = FilePath(String(aside.text.dropFirst("Pictures/".count)))
        let restored = Shelf.item(name, content: "one")
        #expect(restored.objectKey == aside)
        try await shelf.store(item)
        let (library, receipt) = (shelf.library, Shelf.receipt(item))
        try await library.noteMove(of: receipt, to: aside, at: Shelf.now)
        try await shelf.store(restored)
        if isStoredAgain { try await shelf.store(Shelf.item("x.jpg", content: "one")) }
        let move = try #require(try await library.expectedMoves(destination: Shelf.destination).first)
        let held = HeldObject(id: "n", size: 7, eTag: nil, version: "w", updatedAt: nil)
        try await library.settle(moved: move, from: receipt, held: held, at: Shelf.now)
        #expect(try await shelf.asset(restored.filePath).state == after)
    }

    /// A deleted file counts for the object under its own name, which may hold other bytes than the file had last; unless
    /// another file has those.
    @Test(arguments: [("one", false, 0), ("older", false, 1), ("older", true, 0)])
    func anObjectThatIsKeptForADeletedFileIsCountedOnce(
        _ stored: String, _ isHere: Bool, _ count: Int
    ) async throws {
        let shelf = try await Shelf()
        if isHere { try await Self.see("z.jpg", content: stored, as: .queued, on: shelf) }
        let kept = Shelf.item("x.jpg", content: "one")
        for item in [kept, Shelf.item("y.jpg", content: stored)] { try await shelf.store(item) }
        try await Self.see("x.jpg", content: "two", as: .stored, on: shelf)
        try await Self.see("y.jpg", content: "one", as: .remoteOnly, on: shelf)
        try await shelf.mark(kept, .lastCopy)
        #expect(try await shelf.library.counts().ofFormerFiles == count)
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

    /// The file that it was set aside for is stored; what its own file holds by then is sent under the file's name.
    @Test(
        arguments: [
            ("one", Asset.State.stored, nil), ("one", .queued, .outdated), ("one", .identifying, .outdated),
            ("two", .stored, .outdated), ("two", .queued, .outdated),
        ] as [(String, Asset.State, ObjectMark?)])
    func whatWasSetAsideIsKeptWhereItsOwnFileIsStoredByIt(
        _ content: String, _ state: Asset.State, _ mark: ObjectMark?
    ) async throws {
        let shelf = try await Shelf()
        var aside = Shelf.item("x.jpg", content: "one")
        aside.objectKey = aside.objectKey.beside(aside.sha256)
        try await shelf.store(aside)
        try await Self.see("y.jpg", content: "one", as: .queued, on: shelf)
        try await Self.see("x.jpg", content: "two", as: .stored, on: shelf)
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(aside)))
        try await Self.see("x.jpg", content: content, as: state, on: shelf)
        try await shelf.store(Shelf.item("y.jpg", content: "one"))
        #expect(try await shelf.library.marks() == [mark].compactMap(\.self))
    }

    /// A file got another name, and was deleted there before it was stored by it and before a scan came to its former one.
    @Test(arguments: [false, true], [false, true])
    func theContentOfADeletedFileIsSetAsideUntilAScanHasFoundItsTwin(isScanned: Bool, isTwinGone: Bool) async throws {
        let shelf = try await Shelf()
        let item = Shelf.item("x.jpg", content: "one")
        try await shelf.store(item)
        try await Self.see("y.jpg", content: "one", as: .queued, on: shelf)
        let early = try await shelf.library.keptCopies(below: shelf.root.id)
        try await shelf.miss("y.jpg")
        let kept = try await shelf.library.keptCopies(below: shelf.root.id)
        #expect(early.isEmpty && kept.map(\.key) == [item.objectKey])
        #expect(try await shelf.library.keptCopies(below: shelf.root.id + 1).isEmpty)
        if isTwinGone { try await shelf.see("x.jpg", size: 9, after: 60) }
        // One that began before the mark says nothing.
        try await shelf.library.release(isScanned ? kept : early) { _ in true }
        if !isTwinGone { try await shelf.see("x.jpg", size: 9, after: 60) }
        let isKept = !isScanned || isTwinGone
        #expect(try await shelf.library.decideLastCopy(Shelf.receipt(item)) == isKept)
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

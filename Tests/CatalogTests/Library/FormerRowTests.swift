import Fixtures
import Foundation
import Metadata
import Platform
import Queue
import Records
import Testing

@testable import Catalog

/// The rows of the project's database whose objects have no receipt any more.
@Suite struct FormerRowTests {
    private static let destination = Shelf.destination
    private static let item = Shelf.item("a.jpg")
    private static let held = HeldObject(id: "n", size: 7, eTag: nil, version: "w", updatedAt: nil)

    /// How a receipt leaves its key.
    enum Way: CaseIterable { case forgotten, pruned, recorded, settled }

    private func leave(by way: Way, _ library: Library) async throws {
        let receipt = Shelf.receipt(Self.item)
        let other = Shelf.item("b.jpg", content: "a.jpg")
        switch way {
        case .forgotten:
            try await library.forget(receipt)
            try await library.commit()
        case .pruned: try await library.forgetPruned([receipt])
        case .recorded: try await library.record([(Shelf.receipt(other), other)], moved: [other.id: receipt])
        case .settled:
            try await library.noteMove(of: other, from: receipt.key, destination: Self.destination, at: Shelf.now)
            let moves = try await library.expectedMoves(from: receipt.key, destination: Self.destination)
            try await library.settle(moved: try #require(moves.first), from: receipt, held: Self.held, at: Shelf.now)
        }
    }

    @Test(arguments: Way.allCases, [true, false])
    func aRowGoesWithTheReceiptOfItsObject(way: Way, areRowsWritten: Bool) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Self.item)
        try await shelf.see("b.jpg")
        if areRowsWritten { try await shelf.library.beginRows(of: Self.destination) }
        try await leave(by: way, shelf.library)
        let rows = try await shelf.library.formerRows(of: Self.destination)
        #expect(rows.map(\.key) == (areRowsWritten ? [Self.item.objectKey.text] : []))
        #expect(rows.allSatisfy { $0.verifiedAt == Shelf.now && !$0.isStored })
        try await shelf.library.settle(rows, of: Self.destination)
        #expect(try await shelf.library.formerRows(of: Self.destination).isEmpty)
    }
}

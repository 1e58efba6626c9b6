import Database
import Platform
import TestSupport
import Testing

@testable import ObjectStore
@testable import StorageServer

@Suite struct GreatestNumberTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let note: NewestNote.Text?
        let greatest: Int64

        init(_ fact: String, _ note: NewestNote.Text?, _ greatest: Int64) {
            (testDescription, self.note, self.greatest) = (fact, note, greatest)
        }
    }

    /// A number that a row can have only where the order of numbers was broken.
    private static let ofRow: Int64 = 5_000_000_000_000_000

    /// A start after a clean end must not read every row of a large index.
    @Test(arguments: [
        Row("after a clean end rows are not read", NewestNote.Text(number: 7, isClean: true), 7),
        Row("after a kill they are", NewestNote.Text(number: 7, isClean: false), ofRow),
        Row("where the index misses a change they are", NewestNote.Text(number: 8, isClean: true), ofRow),
        Row("where the index is ahead of the note they are", NewestNote.Text(number: 6, isClean: true), ofRow),
        Row("without a note they are", nil, ofRow),
        Row("the note may be ahead of all", NewestNote.Text(number: ofRow + 1, isClean: false), ofRow + 1),
    ])
    func numbersGoOnAfterAllThatMayBeThere(row: Row) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a", "hello")
        let index = try IndexSchema.open(try #require(site.folder.appending("index.sqlite").string))
        try index.run("UPDATE objects SET number = ?", .integer(Self.ofRow))
        try index.set(number: 7)
        let settlement = try Settlement(of: index, with: site.depot.blobs, note: row.note)
        #expect(settlement.greatestNumber == row.greatest)
    }
}

import Foundation
import Queue
import Testing

@Suite struct SentPiecesTests {
    /// The pieces after the server named these offsets.
    private static func after(_ offsets: Int64...) -> SentPieces? {
        offsets.reduce(SentPieces() as SentPieces?) { $0?.reaching($1) }
    }

    @Test(
        arguments: [
            ("one after another", after(6, 18, 42), [6, 12, 24]),
            ("a repeated answer is no piece", after(6, 6, 12), [6, 6]),
            ("a server that took half of one", after(6, 9, 15), [6, 3, 6]),
            ("a server that lost the last", after(6, 12, 14, 12, 20), [6, 6, 8]),
            ("a server that lost half of one", after(6, 12, 9), [6, 3]),
            ("a server that lost all", after(6, 12, 0, 5), [5]),
        ] as [(String, SentPieces?, [Int64])])
    func offsetsMakePieces(_ name: String, _ pieces: SentPieces?, _ lengths: [Int64]) {
        #expect(pieces?.lengths == lengths)
        #expect(pieces?.total == lengths.reduce(0, +))
    }

    @Test func theyAreWrittenAsRuns() throws {
        let pieces = try #require(Self.after(6, 12, 18, 30))
        let text = try JSONEncoder().encode(pieces)
        #expect(String(decoding: text, as: UTF8.self) == "[[6,3],[12,1]]")
        #expect(try JSONDecoder().decode(SentPieces.self, from: text) == pieces)
    }

    @Test(arguments: [
        "[[6]]", "[[0,1]]", "[[6,-1]]", "[[9223372036854775807,2]]", "[[9223372036854775807,1],[1,1]]",
        "[[6,99999999999]]",
    ])
    func nonsenseIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SentPieces.self, from: Data(text.utf8)) }
    }

    @Test func tooManyDifferentOnesAreUnknown() {
        var pieces: SentPieces? = SentPieces()
        var offset: Int64 = 0
        for length in 1...Int64(129) {
            offset += length
            pieces = pieces?.reaching(offset)
        }
        #expect(pieces == nil)
    }
}

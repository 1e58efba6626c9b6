import Platform
import TestSupport
import Testing

@testable import Dashboard

@Suite struct KeptPiecesTests {
    private static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

    @Test func aPieceIsThereAgain() async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder.appending("originals"), limit: 1_000)
            #expect(await kept.piece(0, of: "a") == nil)
            await kept.keep(Self.bytes(10), as: 0, of: "a")
            #expect(
                await KeptPieces(folder: folder.appending("originals"), limit: 1_000).piece(0, of: "a")?.count == 10)
            #expect(await kept.piece(1, of: "a") == nil)
        }
    }

    @Test func theOneUnusedForLongestGoesFirst() async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 1_000)
            for number: Int64 in 0..<3 { await kept.keep(Self.bytes(300), as: number, of: "a") }
            // Times of files, which may have been written within one tick of the clock.
            for (number, second) in [(0, 3), (1, 1), (2, 2)] as [(Int, Int64)] {
                try OpenFile(reading: folder.appending("a-\(number)"))
                    .setModified(FileTime(nanoseconds: second * 1_000_000_000))
            }
            await kept.keep(Self.bytes(300), as: 3, of: "a")
            #expect(await kept.piece(1, of: "a") == nil)
            for number: Int64 in [0, 2, 3] { #expect(await kept.piece(number, of: "a") != nil, "\(number)") }
        }
    }

    @Test func whatCannotBeKeptLeavesNothing() async throws {
        try await FileTree(["a-0": ["in the way": ""]]).withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 1_000)
            await kept.keep(Self.bytes(10), as: 0, of: "a")
            let left = try Directory(folder).names()
            #expect(left == ["a-0"])
        }
    }

    @Test func withoutRoomNothingIsKept() async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder.appending("originals"), limit: 0)
            await kept.keep(Self.bytes(1), as: 0, of: "a")
            let facts = try FileFacts.existing(folder.appending("originals"))
            #expect(facts == nil)
        }
    }
}

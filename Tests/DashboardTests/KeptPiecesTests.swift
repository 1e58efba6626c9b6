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
            // With their hashes three take 900 bytes.
            for number: Int64 in 0..<3 { await kept.keep(Self.bytes(268), as: number, of: "a") }
            // Times of files, which may have been written within one tick of the clock.
            for (number, second) in [(0, 3), (1, 1), (2, 2)] as [(Int, Int64)] {
                try OpenFile(reading: folder.appending("a-\(number)"))
                    .setModified(FileTime(nanoseconds: second * 1_000_000_000))
            }
            await kept.keep(Self.bytes(268), as: 3, of: "a")
            #expect(await kept.piece(1, of: "a") == nil)
            for number: Int64 in [0, 2, 3] { #expect(await kept.piece(number, of: "a") != nil, "\(number)") }
        }
    }

    /// What may have become of a piece's file.
    enum Damage: CaseIterable {
        case bitOfBytes, bitOfHash, zeros, endMissing, beginningMissing, nothingLeft, more

        func apply(to bytes: inout [UInt8]) {
            switch self {
            case .bitOfBytes: bytes[3] ^= 1
            case .bitOfHash: bytes[bytes.count - 1] ^= 128
            case .zeros: bytes = [UInt8](repeating: 0, count: bytes.count)
            case .endMissing: bytes.removeLast()
            case .beginningMissing: bytes.removeFirst()
            case .nothingLeft: bytes = []
            case .more: bytes.append(0)
            }
        }
    }

    /// After a power cut a file may have its name and its size, and hold zeros or what another one held.
    @Test(arguments: Damage.allCases)
    func aPieceThatHasChangedIsNone(damage: Damage) async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 1_000)
            await kept.keep(Self.bytes(10), as: 0, of: "a")
            let disk = try LocalDisk(directory: folder)
            var bytes = try #require(try disk.read("a-0"))
            damage.apply(to: &bytes)
            try disk.replace("a-0", with: bytes)
            #expect(await kept.piece(0, of: "a") == nil)
            await kept.keep(Self.bytes(10), as: 0, of: "a")
            #expect(await kept.piece(0, of: "a") == Self.bytes(10), "it is kept anew")
        }
    }

    @Test func aPieceUnderTheNameOfAnotherIsNone() async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 1_000)
            await kept.keep(Self.bytes(10), as: 0, of: "a")
            try Directory(folder).rename("a-0", to: "a-1")
            #expect(await kept.piece(1, of: "a") == nil)
        }
    }

    /// The largest piece, and the smallest one.
    @Test(arguments: [0, 1, KeptPieces.size - 1, KeptPieces.size])
    func aPieceOfAnySizeComesBack(size: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 10_000_000)
            await kept.keep(Self.bytes(Int(size)), as: 0, of: "a")
            #expect(await kept.piece(0, of: "a") == Self.bytes(Int(size)))
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

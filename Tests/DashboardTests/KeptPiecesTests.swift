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

    /// Whatever is kept in whatever order, also by a program that was started anew: never more than the limit lies there,
    /// and nothing goes while all of it has room.
    @Test(arguments: UInt64(1)...4)
    func theLimitIsKeptToAndUsed(seed: UInt64) async throws {
        try await FileTree().withDirectory { folder in
            var random = SeededGenerator(seed: seed)
            let limit: Int64 = 2_000
            var kept = KeptPieces(folder: folder, limit: limit)
            var (all, hasEvicted) = ([String: Int64](), false)
            for step in 0..<60 {
                let (number, size) = (Int64.random(in: 0..<12, using: &random), Int.random(in: 0...300, using: &random))
                if step % 20 == 19 { kept = KeptPieces(folder: folder, limit: limit) }
                await kept.keep(Self.bytes(size), as: number, of: "a")
                all["a-\(number)"] = Int64(size) + 32
                let directory = try Directory(folder)
                var left: Int64 = 0
                for name in try directory.names() { left += try directory.facts(of: name).size }
                #expect(left <= limit, "\(step)")
                hasEvicted = hasEvicted || all.values.reduce(0, +) > limit
                if !hasEvicted { #expect(left == all.values.reduce(0, +), "\(step)") }
            }
            #expect(hasEvicted, "the history is long enough")
        }
    }

    /// At the limit nothing goes; a byte beyond it, so much goes that a tenth of the limit is free.
    @Test(arguments: [(68, [true, true]), (69, [false, true])])
    func aByteBeyondTheLimitIsTooMuch(size: Int, isThere: [Bool]) async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 1_000)
            await kept.keep(Self.bytes(868), as: 0, of: "a")
            try OpenFile(reading: folder.appending("a-0")).setModified(FileTime(nanoseconds: 1))
            await kept.keep(Self.bytes(size), as: 1, of: "a")
            for number in 0..<2 { #expect(await (kept.piece(Int64(number), of: "a") != nil) == isThere[number]) }
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

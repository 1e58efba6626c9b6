import Fixtures
import Platform
import Queue
import Records
import TestSupport
import Testing

@testable import Dashboard

/// Ranges of originals in storage, which come in pieces.
@Suite struct StoredBytesTests {
    private static let piece = Int(KeptPieces.size)

    /// An original of so many bytes; storage holds `held` of them.
    private static func original(
        _ size: Int, held: Int? = nil, kept: KeptPieces? = nil
    ) -> (original: StoredOriginal, bytes: [UInt8], host: HostDouble) {
        let bytes = Randomness.bytes(size)
        let item = Items.pending("a.mp4", size: Int64(size))
        let host = HostDouble()
        host.hold(Array(bytes.prefix(held ?? size)), at: item.objectKey.text)
        let receipt = Receipt(
            destination: "here", key: item.objectKey, role: .original, item: item.id, sha256: item.sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now)
        return (StoredOriginal(receipt: receipt, host: host, kept: kept), bytes, host)
    }

    private static func read(_ range: Range<Int>, of original: StoredOriginal) async throws -> [[UInt8]] {
        let stored = StoredBytes(Int64(range.lowerBound)..<Int64(range.upperBound), of: original)
        var parts: [[UInt8]] = []
        while let part = try await stored.next() { parts.append(part) }
        return parts
    }

    /// At both sides of each bound of a piece the bytes are those of the file, and none comes empty.
    @Test(arguments: [1, piece - 1, piece, piece + 1, 2 * piece + 3])
    func aRangeIsWhatTheFileHasThere(size: Int) async throws {
        let (original, bytes, _) = Self.original(size)
        let bounds = [0, Self.piece - 1, Self.piece, Self.piece + 1, 2 * Self.piece, size]
        for first in bounds where first <= size {
            for last in bounds where last >= first && last <= size {
                let parts = try await Self.read(first..<last, of: original)
                #expect(parts.reduce([], +) == Array(bytes[first..<last]), "\(first)..<\(last)")
                #expect(parts.allSatisfy { !$0.isEmpty && $0.count <= Self.piece })
            }
        }
    }

    /// What was read once is at hand without a connection, whatever range it was read by.
    @Test func aPieceIsKeptWholeThoughAPartWasAskedFor() async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 10_000_000)
            let (original, bytes, host) = Self.original(Self.piece + 5, kept: kept)
            let edge = Self.piece - 1..<Self.piece + 1
            #expect(try await Self.read(edge, of: original).reduce([], +) == Array(bytes[edge]))
            host.isOffline = true
            let all = try await Self.read(0..<bytes.count, of: original)
            #expect(all.reduce([], +) == bytes)
        }
    }

    /// Where storage has less than was stored there the connection is cut: the browser must not take it for the whole.
    @Test(arguments: [0, 1, piece - 1, piece, piece + 4])
    func whatStorageHasNoMoreIsNotMadeUp(held: Int) async throws {
        try await FileTree().withDirectory { folder in
            let kept = KeptPieces(folder: folder, limit: 10_000_000)
            let (original, bytes, _) = Self.original(Self.piece + 5, held: held, kept: kept)
            await #expect(throws: PageRefusal.self) { try await Self.read(0..<bytes.count, of: original) }
            let names = try Directory(folder).names()
            #expect(names.count == held / Self.piece, "a piece that is not whole is not kept")
        }
    }

    /// Whether it can be shown is known from one byte, or from what is kept; an empty file has none to ask for.
    @Test(
        arguments: [
            Fact("storage has it", (size: 3, held: 3, isOffline: false), nil),
            Fact("storage has its beginning", (3, 1, false), nil),
            Fact("storage has nothing of it", (3, 0, false), 404),
            Fact("storage cannot be asked", (3, 3, true), 503), Fact("an empty one", (0, 0, false), nil),
            Fact("an empty one, offline", (0, 0, true), 503),
        ] as [Fact<(size: Int, held: Int, isOffline: Bool), Int?>])
    func itsBeginningTellsWhetherItIsThere(
        _ fact: Fact<(size: Int, held: Int, isOffline: Bool), Int?>
    ) async throws {
        let (original, _, host) = Self.original(fact.input.size, held: fact.input.held)
        host.isOffline = fact.input.isOffline
        do {
            try await original.check()
            #expect(fact.output == nil)
        } catch let refusal as PageRefusal {
            #expect(refusal.status == fact.output)
        }
    }
}

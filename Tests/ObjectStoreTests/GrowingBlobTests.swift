import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore

/// A blob that grows over several requests: what is taken of each, and what its digest says.
@Suite struct GrowingBlobTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var pieces: [[UInt8]] = [[1, 2, 3], [4, 5]]
        var isLost = false
        let room: Int64
        let kept: [UInt8]
        let end: PieceOutcome
    }

    /// After the two bytes that are there already.
    @Test(arguments: [
        Row(testDescription: "there is more room than that", room: 9, kept: [1, 2, 3, 4, 5], end: .complete),
        Row(testDescription: "it fits exactly", room: 5, kept: [1, 2, 3, 4, 5], end: .complete),
        Row(testDescription: "one byte is too many", room: 4, kept: [1, 2, 3, 4], end: .tooLarge),
        Row(testDescription: "a piece ends where the room does", room: 3, kept: [1, 2, 3], end: .tooLarge),
        Row(testDescription: "there is no room", room: 0, kept: [], end: .tooLarge),
        Row(
            testDescription: "there is less than no room, since a limit was lowered", room: -1, kept: [], end: .tooLarge
        ),
        Row(testDescription: "nothing comes, and there is no room", pieces: [], room: 0, kept: [], end: .complete),
        Row(
            testDescription: "nothing comes, and there is less than none", pieces: [], room: -5, kept: [],
            end: .complete),
        Row(testDescription: "empty pieces", pieces: [[], [1], []], room: 1, kept: [1], end: .complete),
        Row(testDescription: "the client leaves", isLost: true, room: 9, kept: [1, 2, 3, 4, 5], end: .lost),
    ])
    func whatIsTaken(_ row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let blobs = try Blobs(root: folder.appending("objects")) { path throws(SystemError) in
                try LocalDisk(directory: path)
            }
            try await blobs.begin("ab-blob")
            let digest = try await blobs.digest(of: "ab-blob")
            _ = try await blobs.grow("ab-blob", by: RequestBody(pieces: [[8, 9]]), room: 2, digest: digest)
            let end = try await blobs.grow(
                "ab-blob", by: RequestBody(pieces: row.pieces, isLost: row.isLost), room: row.room, digest: digest)
            #expect(end == row.end)
            let bytes = [8, 9] + row.kept
            #expect(try await blobs.open("ab-blob")?.readAll() == bytes)
            #expect(try await blobs.size(of: "ab-blob") == Int64(bytes.count))
            #expect(digest.count == Int64(bytes.count))
            // A start finds out the same from the bytes alone.
            let again = try await blobs.digest(of: "ab-blob")
            #expect(again.count == digest.count)
            #expect(again.eTag == digest.eTag)
            #expect(digest.eTag == "\"\(MD5.hash(bytes).hexadecimal)\"")
        }
    }

    @Test func aBlobThatIsNotThereHasNoSizeAndNoBytes() async throws {
        try await FileTree().withDirectory { folder in
            let blobs = try Blobs(root: folder.appending("objects")) { path throws(SystemError) in
                try LocalDisk(directory: path)
            }
            #expect(try await blobs.size(of: "ab-none") == nil)
            #expect(try await blobs.open("ab-none") == nil)
            #expect(try await blobs.digest(of: "ab-none").count == 0)
            #expect(!blobs.hasLeftovers)
            // Removing what is not there is no trouble.
            await blobs.remove("ab-none")
            #expect(!blobs.hasLeftovers)
        }
    }
}

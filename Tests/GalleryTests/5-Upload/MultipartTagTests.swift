import Catalog
import Platform
import Records
import TestSupport
import Testing

@testable import Gallery
@testable import Sync
@testable import Uploading

@Suite struct MultipartTagTests {
    private static let mebibyte: Int64 = 1 << 20

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// In MiB, like the other lengths.
        let size: Int64
        let count: Int
        var pieces: [Int64]?
        let cuts: [[Int64]]
    }

    // @tus/s3-store 2.0.3: at most 50 MiB a part on supabase/storage (TUS_PART_SIZE), 8 MiB by itself; at least 5 MiB
    // but for the last. lib-storage: 16 MiB as supabase/storage sets it, 5 MiB before.
    @Test(arguments: [
        Row(
            testDescription: "a piece is a part, or 8 MiB of it, or none has to do with pieces", size: 20, count: 3,
            pieces: [6, 12, 2], cuts: [[6, 12, 2], [6, 8, 6], [8, 8, 4]]),
        Row(
            testDescription: "a large piece is cut at 50, and its rest is a part", size: 200, count: 6,
            pieces: [6, 96, 96, 2], cuts: [[6, 50, 46, 50, 46, 2]]),
        Row(
            testDescription: "what is under 5 waits for the next piece", size: 16, count: 2, pieces: [3, 7, 6],
            cuts: [[10, 6], [8, 8]]),
        Row(
            testDescription: "two small ones wait together", size: 15, count: 2, pieces: [2, 2, 6, 5],
            cuts: [[10, 5], [8, 7]]),
        Row(
            testDescription: "what waits is the beginning of the next part", size: 102, count: 3, pieces: [54, 48],
            cuts: [[50, 50, 2]]),
        Row(
            testDescription: "the last may be of any size", size: 7, count: 2, pieces: [6, 1], cuts: [[6, 1], [5, 2]]),
        Row(testDescription: "one part of one piece", size: 6, count: 1, pieces: [6], cuts: [[6]]),
        Row(
            testDescription: "one request of unknown length, or above 5 GiB", size: 40, count: 3, cuts: [[16, 16, 8]]),
        Row(testDescription: "the same on an older server", size: 12, count: 3, cuts: [[5, 5, 2]]),
        Row(testDescription: "a count that no cut has", size: 40, count: 7, cuts: []),
        Row(
            testDescription: "pieces that are not the whole say nothing", size: 20, count: 2, pieces: [6],
            cuts: [[16, 4]]),
        Row(testDescription: "an empty object has one empty part", size: 0, count: 1, cuts: [[0]]),
    ])
    func hostedStorageCutsLikeThis(_ row: Row) {
        let unit = Self.mebibyte
        let found = PartCut.candidates(
            size: row.size * unit, count: row.count, pieces: row.pieces?.map { $0 * unit })
        #expect(found == row.cuts.map { $0.map { $0 * unit } })
    }

    @Test func aHugeUploadHasLargerParts() {
        let size = 600_000 * Self.mebibyte
        let parts = PartCut.candidates(size: size, count: 10_000, pieces: [size])
        #expect(parts == [Array(repeating: size / 10_000, count: 10_000)])
    }

    // Of 12 MiB of zeros: md5(md5(part 1) + md5(part 2) + …), in hex, and the count; from Python's hashlib.
    @Test(
        arguments: [
            ("three parts of 5, 5 and 2 MiB", "4e982d58b6c2ce178ae042c23f9bca6e-3", nil),
            ("one part", "68a0cb7775fea587be309565e83ff49a-1", nil),
            ("two pieces of 6 MiB", "41e617bc0d1a75adf8a87a522ed6212c-2", [6, 6]),
        ] as [(String, String, [Int64]?)])
    func aTagOfTheBytesIsRecognised(_ name: String, _ tag: String, _ pieces: [Int64]?) async throws {
        let zeros = [UInt8](repeating: 0, count: 12 << 20)
        try await (["zeros": .file(zeros), "other": .file(zeros.dropLast() + [1])] as FileTree).withDirectory {
            folder in
            let wanted = try #require(MultipartTag("\"\(tag)\""))
            let size = Int64(zeros.count)
            let lengths = pieces?.map { $0 * Self.mebibyte }
            let file = try OpenFile(reading: folder.appending("zeros"))
            #expect(try await wanted.isOf(file, size: size, pieces: lengths))
            let other = try OpenFile(reading: folder.appending("other"))
            #expect(try await !wanted.isOf(other, size: size, pieces: lengths))
        }
    }

    @Test(arguments: [
        "\"5d41402abc4b2a76b9719d911017c592\"", "5d41402abc4b2a76b9719d911017c592-",
        "5d41402abc4b2a76b9719d911017c592-0",
        "5d41402abc4b2a76b9719d911017c592-10001", "5d41402abc4b2a76b9719d911017c59-2", "x-2", "", "a-b-c",
    ])
    func anythingElseIsNoTagOfParts(_ text: String) {
        #expect(MultipartTag(text) == nil)
    }
}

@Suite struct EvidenceTests {
    private static let md5 = "5d41402abc4b2a76b9719d911017c592"
    private static let parts = MultipartTag("\(md5)-3")

    @Test(
        arguments: [
            ("the MD5 agrees", Evidence(md5: md5), "\"\(md5.uppercased())\"", .proven(.md5)),
            (
                "the MD5 in a weak tag, as a proxy that compresses makes it", Evidence(md5: md5), "W/\"\(md5)\"",
                .proven(.md5)
            ),
            ("another MD5", Evidence(md5: md5), "900150983cd24fb0d6963f7d28e17f72", .contradicted),
            (
                "a tag of parts that was found", Evidence(md5: md5, multipartTag: parts), "W/\"\(md5)-3\"",
                .proven(.multipartMD5)
            ),
            ("a tag of parts that was not", Evidence(md5: md5, multipartTag: parts), "\(md5)-4", .open),
            ("an MD5 that was not computed", Evidence(multipartTag: parts), md5, .open),
            ("no tag", Evidence(md5: md5), nil, .open),
            ("a tag of another kind", Evidence(md5: md5), "0x8D4BCC2E4835CD0", .open),
        ] as [(String, Evidence, String?, Evidence.Finding)])
    func whatATagSays(_ name: String, _ evidence: Evidence, _ eTag: String?, _ finding: Evidence.Finding) {
        #expect(evidence.finding(eTag) == finding)
    }
}

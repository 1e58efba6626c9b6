import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct ETagTests {
    private static let mebibyte = 1 << 20

    /// Bytes that differ from piece to piece.
    private static func bytes(_ count: Int) -> [UInt8] { Randomness.bytes(count) }

    /// The eTag of an object in `parts`, by its definition.
    private static func eTag(_ bytes: [UInt8], parts: [Int]) -> String {
        var (rest, digests) = (bytes[...], [UInt8]())
        for count in parts {
            digests += MD5.hash(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return "\"\(MD5.hash(digests).hexadecimal)-\(parts.count)\""
    }

    private func stored(_ site: Site, _ key: String) async throws -> String? {
        try await site.get("/object/info/b/\(key)").json["etag"]?.string
    }

    /// A single part is stored by one request, so its eTag is the plain MD5.
    @Test(
        arguments: [
            Fact("nothing", 0, nil), Fact("a full part", 1000, nil), Fact("one byte more", 1001, [1000, 1]),
            Fact("three parts", 3000, [1000, 1000, 1000]),
        ] as [Fact<Int, [Int]?>])
    func standardUploadsAreCutEvenly(_ fact: Fact<Int, [Int]?>) async throws {
        let site = try Site(eTags: .multipart(standard: 1000, resumable: 50 << 20))
        try await site.makeBucket("b")
        let bytes = Self.bytes(fact.input)
        _ = try await site.ask("POST", "/object/b/a", ["Content-Type": "a/b"], body: bytes)
        let plain = "\"\(MD5.hash(bytes).hexadecimal)\""
        #expect(try await stored(site, "a") == (fact.output.map { Self.eTag(bytes, parts: $0) } ?? plain))
    }

    /// Each row: the MiB of every request, and the MiB of the resulting parts.
    @Test(
        arguments: [
            Fact("one request, one part", [6], [6]), Fact("a part for each request", [6, 6, 3], [6, 6, 3]),
            Fact("short ones wait for the next", [3, 4, 2, 2], [7, 4]),
            Fact("a long request is cut", [17], [8, 8, 1]), Fact("its short end waits", [9, 6, 1], [8, 7, 1]),
            Fact("an end of 5 MiB is a part", [13, 1], [8, 5, 1]),
        ] as [Fact<[Int], [Int]>])
    func resumableUploadsAreCutByTheirRequests(_ fact: Fact<[Int], [Int]>) async throws {
        let site = try Site(eTags: .multipart(standard: 16 << 20, resumable: 8 << 20))
        try await site.makeBucket("b")
        let bytes = Self.bytes(fact.input.reduce(0, +) * Self.mebibyte)
        let path = try await site.path("b", "a", length: Int64(bytes.count))
        var (offset, depot) = (0, site.depot)
        for count in fact.input {
            let piece = Array(bytes[offset..<offset + count * Self.mebibyte])
            let answer = try await Answer(
                await depot.answer(site.patching(path, at: offset, RequestBody(piece))))
            #expect(answer.status == 204)
            offset += piece.count
            // The part boundaries outlive the server.
            depot = try site.reopened()
        }
        #expect(try await stored(site, "a") == Self.eTag(bytes, parts: fact.output.map { $0 * Self.mebibyte }))
    }

    @Test func anEmptyResumableUploadHasOnePart() async throws {
        let site = try Site(eTags: .hosted)
        try await site.makeBucket("b")
        #expect(try await site.begin("b", "a", length: 0).status == 201)
        #expect(try await stored(site, "a") == Self.eTag([], parts: [0]))
    }

    @Test func aMoveAndACopyHaveNoParts() async throws {
        let site = try Site(eTags: .multipart(standard: 10, resumable: 50 << 20))
        try await site.makeBucket("b")
        let text = "more than ten bytes"
        try await site.upload("b/a", text)
        #expect(try await stored(site, "a")?.hasSuffix("-2\"") == true)
        _ = try await site.post("/object/copy", ["bucketId": "b", "sourceKey": "a", "destinationKey": "c"])
        _ = try await site.post("/object/move", ["bucketId": "b", "sourceKey": "a", "destinationKey": "m"])
        let plain = "\"\(MD5.hash(text.utf8).hexadecimal)\""
        #expect(try await stored(site, "c") == plain)
        #expect(try await stored(site, "m") == plain)
    }

    @Test(
        arguments: [
            Fact("as files", "md5", .md5), Fact("as hosted", "multipart", .hosted),
            Fact("one size", "multipart:5", .multipart(standard: 5 << 20, resumable: 50 << 20)),
            Fact("two sizes", "multipart:6:12", .multipart(standard: 6 << 20, resumable: 12 << 20)),
            Fact("too small", "multipart:4", nil), Fact("no number", "multipart:x", nil),
            Fact("a sign", "multipart:+5", nil), Fact("empty", "", nil),
            Fact("too many", "multipart:6:6:6", nil), Fact("md5 has no size", "md5:5", nil),
        ] as [Fact<String, ETagRule?>])
    func rulesAreRead(_ fact: Fact<String, ETagRule?>) {
        #expect(ETagRule(words: fact.input) == fact.output)
    }

    @Test(
        arguments: [
            Fact("at least 5 MiB", 1, 5 << 20), Fact("all that fits", 40 << 20, 40 << 20),
            Fact("the preferred size", 51 << 20, 50 << 20), Fact("at most 10,000 parts", 1 << 40, 109_951_163),
            Fact("of unknown length", nil, 549_755_814),
        ] as [Fact<Int64?, Int64>])
    func partsOfResumableUploadsGrowWithTheLength(_ fact: Fact<Int64?, Int64>) {
        #expect(ETagRule.hosted.resumablePart(length: fact.input) == fact.output)
    }
}

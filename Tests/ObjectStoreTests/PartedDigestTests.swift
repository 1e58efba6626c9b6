import Platform
import TestSupport
import Testing

@testable import ObjectStore

/// The eTag of an object in parts, however its bytes arrive.
@Suite struct PartedDigestTests {
    /// The tag of these parts, computed without any of the code that makes it.
    private static func tag(_ parts: [[UInt8]]) -> String {
        "\(MD5.hash(parts.flatMap { MD5.hash($0) }).hexadecimal)-\(parts.count)"
    }

    /// Bytes that differ from each other.
    private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) } }

    /// A full part ends only once more bytes follow, and an empty object has one empty part.
    @Test(
        arguments: [
            Fact("nothing is one empty part", 0, [0]), Fact("one byte", 1, [1]),
            Fact("a byte less than a part", 9, [9]),
            Fact("one part", 10, [10]), Fact("one byte more", 11, [10, 1]), Fact("two parts", 20, [10, 10]),
            Fact("and a byte", 21, [10, 10, 1]),
        ] as [Fact<Int, [Int64]>])
    func partsAreCutAtTheirLimit(_ fact: Fact<Int, [Int64]>) {
        let bytes = Self.bytes(fact.input)
        // In pieces of each size, since no reader promises where its pieces end.
        for size in 1...23 {
            var digest = PartedDigest(limit: 10)
            for start in stride(from: 0, to: bytes.count, by: size) {
                digest.update(Array(bytes[start...].prefix(size)))
            }
            digest.update([])
            let tag = digest.eTag()
            #expect(digest.sizes == fact.output, "in pieces of \(size)")
            var rest = bytes[...]
            let parts = fact.output.map { count in
                defer { rest = rest.dropFirst(Int(count)) }
                return Array(rest.prefix(Int(count)))
            }
            #expect(tag == Self.tag(parts), "in pieces of \(size)")
        }
    }

    /// The end of a request ends a part of the least size and more; less waits for the next request.
    @Test(
        arguments: [
            Fact("a request of the least size", [ETagRule.smallestPart, 1], [ETagRule.smallestPart, 1]),
            Fact("one byte less", [ETagRule.smallestPart - 1, 1], [ETagRule.smallestPart]),
            Fact(
                "what waited counts for the next", [3, ETagRule.smallestPart - 3, 4],
                [ETagRule.smallestPart, 4]),
            Fact("requests without a byte end nothing", [0, 0, 7, 0], [7]),
            Fact(
                "a last request of the least size leaves no empty part", [ETagRule.smallestPart],
                [ETagRule.smallestPart]),
        ] as [Fact<[Int64], [Int64]>])
    func requestsEndParts(_ fact: Fact<[Int64], [Int64]>) {
        var digest = PartedDigest(limit: 8 << 20)
        for count in fact.input {
            digest.update([UInt8](repeating: 1, count: Int(count)))
            digest.endRequest()
        }
        let tag = digest.eTag()
        #expect(digest.sizes == fact.output)
        #expect(tag == Self.tag(fact.output.map { [UInt8](repeating: 1, count: Int($0)) }))
    }

    /// A digest that is made anew from the blob after a restart gives the tag that the first would have given.
    @Test(arguments: [[Int64]](arrayLiteral: [], [4], [4, 7], [11, 1, 1]))
    func aDigestGoesOnAfterARestart(parts: [Int64]) async throws {
        try await FileTree().withDirectory { folder in
            let blobs = try Blobs(root: folder) { path throws(SystemError) in try LocalDisk(directory: path) }
            let bytes = Self.bytes(23)
            let path = blobs.path(of: "ab-1")
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).append(bytes)
            let digest = try await blobs.digest(of: "ab-1", part: 16, parts: parts)
            #expect(digest.count == 23)
            #expect(digest.partSizes.starts(with: parts))
            var (cut, rest) = ([[UInt8]](), bytes[...])
            for count in parts {
                cut.append(Array(rest.prefix(Int(count))))
                rest = rest.dropFirst(Int(count))
            }
            // What no part had ended is cut as it is read.
            while !rest.isEmpty {
                cut.append(Array(rest.prefix(16)))
                rest = rest.dropFirst(16)
            }
            #expect(digest.eTag == "\"\(Self.tag(cut))\"")
            #expect(digest.eTag == "\"\(Self.tag(cut))\"", "asked twice")
            #expect(try await blobs.digest(of: "ab-none", part: 16).count == 0)
        }
    }

    /// Numbers only grow, whatever the clock says.
    @Test(arguments: [0, 1_795_199_805_000_001, Int64.max - 10])
    func numbersOnlyGrow(last: Int64) {
        let numbers = ChangeNumbers(after: last)
        var before = last
        for _ in 0..<5 {
            let next = numbers.next()
            #expect(next > before)
            before = next
        }
    }
}

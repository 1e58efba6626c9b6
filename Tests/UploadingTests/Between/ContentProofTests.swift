import Platform
import TestSupport
import Testing

@testable import Uploading

/// What tells whether bytes are those of an object.
@Suite struct ContentProofTests {
    private static let md5 = "d41d8cd98f00b204e9800998ecf8427e"

    @Test(
        arguments: [
            Fact("an MD5", "\"\(md5)\"", ContentProof.md5(md5)), Fact("in capitals", md5.uppercased(), .md5(md5)),
            Fact("a weak one", "W/\"\(md5)\"", .md5(md5)), Fact("of parts", "\"\(md5)-2\"", .none),
            Fact("a digit short", String(md5.dropLast()), .none),
            Fact("no digits", String(repeating: "g", count: 32), .none),
            Fact("none", nil, .none), Fact("empty quotes", "\"\"", .none),
        ] as [Fact<String?, ContentProof>])
    func withoutMetadataAnETagMayTell(_ fact: Fact<String?, ContentProof>) {
        #expect(ContentProof(nil, eTag: fact.input) == fact.output)
    }

    /// What cannot be compared proves nothing.
    @Test(
        arguments: [
            Fact("the same", (ContentProof.md5("a"), "a"), true), Fact("another", (.sha256("a"), "b"), false),
            Fact("no digest", (.sha256("a"), nil), false), Fact("no proof", (.none, "a"), false),
            Fact("neither", (.none, nil), false),
        ] as [Fact<(proof: ContentProof, digest: String?), Bool>])
    func whatAgrees(_ fact: Fact<(proof: ContentProof, digest: String?), Bool>) {
        #expect(fact.input.proof.agrees(with: fact.input.digest) == fact.output)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 100_000])
    func aFileHasTheDigestOfItsBytes(size: Int) async throws {
        let bytes = Randomness.bytes(size)
        try await FileTree(["x": .file(bytes)]).withDirectory { folder in
            let file = try OpenFile(reading: folder.appending("x"))
            #expect(try await ContentProof.sha256("").digest(of: file) == SHA256.hash(bytes).hexadecimal)
            #expect(try await ContentProof.md5("").digest(of: file) == MD5.hash(bytes).hexadecimal)
            #expect(try await ContentProof.none.digest(of: file) == nil)
        }
    }

    @Test func aCancellationEndsIt() async throws {
        try await FileTree(["x": "abc"]).withDirectory { folder in
            let file = try OpenFile(reading: folder.appending("x"))
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await ContentProof.sha256("").digest(of: file)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

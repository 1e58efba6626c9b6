import CLinux
import Platform
import TestSupport
import Testing

@Suite struct HashingTests {
    // FIPS 180-4 examples and RFC 1321, appendix A.5.
    static let known: [(String, sha256: String, md5: String)] = [
        (
            "", sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            md5: "d41d8cd98f00b204e9800998ecf8427e"
        ),
        (
            "abc", sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            md5: "900150983cd24fb0d6963f7d28e17f72"
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            sha256: "f371bc4a311f2b009eef952dd83ca80e2b60026c8e935592d0f9c308453c813e",
            md5: "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ]

    @Test(arguments: known)
    func knownHashes(text: String, sha256: String, md5: String) {
        #expect(SHA256.hash(text.utf8).hexadecimal == sha256)
        #expect(MD5.hash(text.utf8).hexadecimal == md5)
    }

    /// FIPS 180-2, appendix A.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ])
    func knownSHA1Hashes(text: String, hash: String) {
        #expect(SHA1.hash(text.utf8).hexadecimal == hash)
    }

    @Test func piecesHashLikeTheWhole() {
        let whole = Array(0...255 as ClosedRange<UInt8>) + [1, 2, 3]
        let digest = SHA256()
        digest.update(whole[..<100])
        digest.update([])
        digest.update(whole[100...].reversed().reversed())
        #expect(digest.finish() == SHA256.hash(whole))
        digest.restart()
        digest.update(whole.span.bytes)
        #expect(digest.finish() == SHA256.hash(whole))
    }

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 600_000])
    func aFileHashesLikeItsBytes(count: Int) async throws {
        try await FileTree().withDirectory { root in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let file = try OpenFile(creating: root.appending("a"))
            try file.append(bytes)
            #expect(try SHA256.hash(of: file) == SHA256.hash(bytes))
            let middle = bytes.dropFirst(count / 3).prefix(count / 2)
            #expect(try SHA256.hash(of: file, from: Int64(count / 3), count: Int64(count / 2)) == SHA256.hash(middle))
            #expect(try MD5().update(file: file, count: Int64(count) + 5) == Int64(count))
        }
    }

    /// What stays between two buffers, as anything that lives longer, must not keep the first from being used again.
    @Test func theBuffersOfManyFilesAreUsedAgain() async throws {
        try await FileTree().withDirectory { root in
            let file = try OpenFile(creating: root.appending("a"))
            try file.append([1])
            let before = mallinfo2().arena
            var kept: [[UInt8]] = []
            for count in 0..<32_000 {
                kept.append([UInt8](repeating: 1, count: 32 + count % 100))
                kept.append(try SHA256.hash(of: file))
            }
            // Other tests of this process allocate meanwhile; without reuse it were 1.3 GB.
            #expect(mallinfo2().arena < before + 1 << 29)
            #expect(kept.count == 64_000)
        }
    }

    // RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func knownAuthenticationCodes(key: [UInt8], message: String, code: String) throws {
        let computed = HMAC.sha256(Array(message.utf8), key: key)
        #expect(computed.hexadecimal == code)
        #expect(HMAC.isValid(computed, for: Array(message.utf8), key: key))
        #expect(!HMAC.isValid(computed.dropLast() + [computed[31] ^ 1], for: Array(message.utf8), key: key))
        #expect(!HMAC.isValid(Array(computed.dropLast()), for: Array(message.utf8), key: key))
    }

    @Test(
        arguments: [
            ("fFA0", [0xff, 0xa0]), ("", []), ("00", [0]), ("f", nil), ("abc", nil), ("0g", nil), ("0x", nil),
            (" 00", nil), ("é0", nil), ("٠٠", nil), ("-1", nil), ("+1", nil),
        ] as [(String, [UInt8]?)])
    func hexadecimalIsRead(_ row: (text: String, bytes: [UInt8]?)) {
        #expect([UInt8](hexadecimal: row.text) == row.bytes)
        if let bytes = row.bytes { #expect(bytes.hexadecimal == row.text.lowercased()) }
    }

    @Test func everyByteIsWrittenInHexadecimalAndReadBack() {
        let all = Array(0...255 as ClosedRange<UInt8>)
        #expect([UInt8](hexadecimal: all.hexadecimal) == all)
    }

    @Test func randomBytesDiffer() {
        #expect(Randomness.bytes(0).isEmpty)
        #expect(Randomness.bytes(32).count == 32)
        #expect(Randomness.bytes(32) != Randomness.bytes(32))
    }

    @Test(arguments: [1, 7, 8, 255, 256, 257, 10_000])
    func everyByteIsRandom(count: Int) {
        // That one of them is 0 each time would happen once in 2^128.
        let drawn = (0..<16).map { _ in Randomness.bytes(count) }
        #expect(drawn.allSatisfy { $0.count == count })
        #expect((0..<count).allSatisfy { place in drawn.contains { $0[place] != 0 } })
    }

    @Test func aUUIDHasItsVersionAndVariant() {
        let uuid = Array(Randomness.uuid())
        #expect(uuid.count == 36)
        #expect([8, 13, 18, 23].allSatisfy { uuid[$0] == "-" })
        #expect(uuid[14] == "4")
        #expect("89ab".contains(uuid[19]))
        #expect(Randomness.uuid(of: 0..<16) == "00010203-0405-0607-0809-0a0b0c0d0e0f")
    }
}

import Platform
import TestSupport
import Testing

@testable import Uploading

/// Hashes of a body that is sent in any parts, and begun anew at any place.
@Suite struct BodyDigestTests {
    private static func send(_ bytes: ArraySlice<UInt8>, to digest: BodyDigest) {
        let part = Array(bytes)
        digest.sent(part.span.bytes)
    }

    @Test(arguments: UInt64(1)...6)
    func theyAreThoseOfTheWholeHoweverItWasSent(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let body = Randomness.bytes(.random(in: 0...300, using: &random))
        let digest = BodyDigest()
        for isLast in [false, false, true] {
            digest.restarted()
            let end = isLast ? body.count : Int.random(in: 0...body.count, using: &random)
            var offset = 0
            while offset < end {
                let next = min(end, offset + Int.random(in: 1...70, using: &random))
                Self.send(body[offset..<next], to: digest)
                offset = next
            }
        }
        let sums = digest.finish()
        #expect(sums.sha256 == SHA256.hash(body).hexadecimal)
        #expect(sums.md5 == MD5.hash(body).hexadecimal)
    }

    @Test func ofNothingTheyAreThoseOfNothing() {
        let sums = BodyDigest().finish()
        #expect(sums.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(sums.md5 == "d41d8cd98f00b204e9800998ecf8427e")
    }
}

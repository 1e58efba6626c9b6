import Foundation
import Testing

@testable import Cleansing

@Suite struct KnownSecretTests {
    private static let secret = "Vq8-tZ3xP0rLw_7kYc5NbE2u"
    private static let escaped = secret.utf8.map { "%" + String($0, radix: 16) }.joined()

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test(arguments: [
        ("as it is", "key \(secret) is wrong", "key … is wrong"),
        ("inside a word", "x\(secret)y", "x…y"),
        ("twice", "\(secret),\(secret)", "…,…"),
        ("percent-encoded", "k/\(escaped)/e", "k/…/e"),
        ("partly percent-encoded", "k/\(secret.replacing("-", with: "%2D"))/e", "k/…/e"),
        ("escaped as in JSON", #"{"k":"\#(secret.replacing("-", with: #"\u002d"#))"}"#, #"{"k":"…"}"#),
        ("its first eight", "\(secret.prefix(8))!", "…!"),
        ("eight of the middle", "-\(secret.dropFirst(7).prefix(8))-", "-…-"),
        ("seven say nothing", "\(secret.prefix(7))!", "\(secret.prefix(7))!"),
        ("another word", "Vq8-tZ3yP0rLw", "Vq8-tZ3yP0rLw"),
    ])
    func aSecretIsFoundAs(row: (why: String, text: String, shown: String)) {
        #expect(Cleanser(hiding: [Self.secret]).text(row.text) == row.shown, "\(row.why)")
    }

    /// The text before a secret determines its base64 form.
    @Test(arguments: ["", "u", "us", "user:", "users:"])
    func aSecretIsFoundInBase64(before: String) {
        let spelled = Self.base64(before + Self.secret + "?")
        let shown = Cleanser(hiding: [Self.secret]).text("Authorization \(spelled)")
        #expect(shown.count < "Authorization ".count + before.count * 2 + 8, "\(shown)")
        for start in 0..<(spelled.count - 8) where start > before.count * 2 && start + 8 < spelled.count - 4 {
            #expect(!shown.contains(spelled.dropFirst(start).prefix(8)))
        }
    }

    @Test func aShortSecretIsFoundWholeAndAnAccidentIsNone() {
        #expect(Cleanser(hiding: ["pass1"]).text("with pass1.") == "with ….")
        #expect(Cleanser(hiding: ["", "a"]).text("a cat") == "a cat")
    }

    @Test func theStartThatAllKeysOfAKindHaveIsNoSecret() {
        let cleanser = Cleanser(hiding: ["sb_secret_Vq8tZ3xP0rLw"])
        #expect(cleanser.text("a sb_secret key, not q8tZ3xP0r") == "a sb_secret key, not …")
    }

    @Test func namedSecretsGoWhereverTheyStand() {
        #expect(Cleanser(hiding: ["fal-key-1", ""]).text("x fal-key-1 y fal-key-1") == "x … y …")
    }
}

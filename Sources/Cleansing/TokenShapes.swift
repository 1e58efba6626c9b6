/// The forms of tokens and keys, so that they are recognised whatever their value.
enum TokenShapes {
    /// `text` with `…` in place of JSON web tokens and of keys with a known prefix.
    static func hidden(in text: String) -> String {
        guard starts.contains(where: { text.contains($0.text) }) || text.contains(webToken) else { return text }
        var result: [UInt8] = []
        var word: [UInt8] = []
        for byte in text.utf8 {
            if isOfToken(byte) {
                word.append(byte)
            } else {
                result += shown(word)
                result.append(byte)
                word = []
            }
        }
        return String(decoding: result + shown(word), as: UTF8.self)
    }

    /// `secret` without the prefix that all keys of its kind share, which is not secret.
    static func withoutPublicStart(_ secret: String) -> String {
        for start in starts where start.isSupabase && secret.hasPrefix(start.text) {
            return String(secret.dropFirst(start.text.count))
        }
        return secret
    }

    /// A prefix by which a kind of key is recognised.
    private struct Start {
        let text: String
        var isSupabase = false
    }

    private static let webToken = "eyJ"
    private static let starts =
        ["sb_secret_", "sb_publishable_", "sbp_"].map { Start(text: $0, isSupabase: true) }
        + ["sk-", "sk_", "r8_", "AIza", "AKIA", "ASIA", "luma-", "key_"].map { Start(text: $0) }

    /// The word without its secret part; a file name that begins like a key stays, because it has a dot or is short.
    private static func shown(_ word: [UInt8]) -> [UInt8] {
        guard word.count >= 8 else { return word }
        if let start = start(ofWebTokenIn: word) { return Array(word[..<start]) + Array(Cleanser.mark.utf8) }
        for start in starts where word.starts(with: start.text.utf8) {
            if start.isSupabase || word.count >= 20 && !word.contains(UInt8(ascii: ".")) {
                return Array(Cleanser.mark.utf8)
            }
        }
        return word
    }

    /// Where a JSON web token begins: at the base64 of `{"`, if a dot follows.
    private static func start(ofWebTokenIn word: [UInt8]) -> Int? {
        let mark = Array(webToken.utf8)
        var rest = word[...]
        while let start = rest.indices.first(where: { rest[$0...].starts(with: mark) }) {
            guard let dot = rest[start...].firstIndex(of: UInt8(ascii: ".")) else { return nil }
            if dot - start >= 8 { return start }
            rest = rest[dot...]
        }
        return nil
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

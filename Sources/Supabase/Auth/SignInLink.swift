/// What the link of a sign-in e-mail carries.
package struct SignInLink: Hashable, Sendable {
    package let tokenHash: String
    /// Such as `email` or `magiclink`.
    package let type: String

    /// Reads a pasted link: its `token_hash`, or the `token` of the service's own `/verify` link.
    ///
    /// `nil` where it carries neither, as a link that was opened already.
    package init?(_ text: String) {
        let pasted = text.split(whereSeparator: \.isWhitespace).joined()
        guard let query = pasted.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        var values: [Substring: String] = [:]
        for pair in query.prefix(while: { $0 != "#" }).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            // E-mail programs write the ampersand of HTML.
            let name = parts.first.map { $0.hasPrefix("amp;") ? $0.dropFirst(4) : $0 } ?? ""
            if parts.count == 2 { values[name] = Self.decoded(parts[1]) }
        }
        guard let hash = values["token_hash"] ?? values["token"], !hash.isEmpty else { return nil }
        tokenHash = hash
        type = values["type"] ?? "email"
    }

    /// `%XX` undone; what is no such escape stays.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

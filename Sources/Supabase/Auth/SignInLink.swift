import Formats

/// The one-time token of a sign-in e-mail's link.
package struct SignInLink: Hashable, Sendable {
    /// The one-time token, as `/verify` expects it; secret.
    package let tokenHash: String
    /// What the token is for, such as `email` or `magiclink`.
    package let type: String

    /// Reads a pasted link: its `token_hash`, or the `token` of the service's own `/verify` link.
    ///
    /// `nil` if the text has neither, such as the address that a browser shows after the link was opened.
    package init?(_ text: String) {
        let pasted = text.split(whereSeparator: \.isWhitespace).joined()
        guard let query = pasted.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        var values: [Substring: String] = [:]
        for pair in query.prefix(while: { $0 != "#" }).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            // E-mail programs may show the ampersand as HTML's `&amp;`.
            let name = parts.first.map { $0.hasPrefix("amp;") ? $0.dropFirst(4) : $0 } ?? ""
            guard parts.count == 2 else { continue }
            values[name] = String(
                decoding: PercentEncoding.decodedLeniently(Array(parts[1].utf8)), as: UTF8.self)
        }
        guard let hash = values["token_hash"] ?? values["token"], !hash.isEmpty else { return nil }
        tokenHash = hash
        type = values["type"] ?? "email"
    }
}

/// Makes text from outside fit to be kept and shown: no secrets, no signed queries, nothing that steers a terminal.
///
/// Text is cleansed once, where it enters. Whoever holds a secret makes the cleanser that hides it: there is no
/// list of secrets beside them. What was cleansed stays as it is when it is cleansed again.
package struct Cleanser: Sendable {
    private let secrets: SecretFragments

    /// A cleanser that knows `secrets` by their values; what only looks like one it hides anyway.
    package init(hiding secrets: [String] = []) {
        self.secrets = SecretFragments(secrets)
    }

    /// `text` in one line of at most `limit` characters, with `…` for whatever is left out.
    ///
    /// Links lose user, query and fragment. White space becomes one blank, other control characters and direction
    /// marks become `·`. Secrets are found as they are, percent-encoded, escaped as in JSON, in base64, and in
    /// pieces of eight characters and more.
    package func text(_ text: String, limit: Int = 2_000) -> String {
        let head = text.utf8.count > Self.most ? String(decoding: text.utf8.prefix(Self.most), as: UTF8.self) : text
        var text = secrets.hidden(in: head)
        text = TokenShapes.hidden(in: text)
        text = LinkText.withoutQueries(text)
        text = LinkText.withoutValues(text)
        text = Self.inOneLine(text)
        return text.count > limit ? String(text.prefix(max(0, limit - 1))) + Self.mark : text
    }

    /// A word of the other side's, such as an error's code: what no such word holds becomes `_`.
    package func word(_ text: String) -> String {
        let word = self.text(text, limit: 64)
        var safe = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            safe.append(scalar.isASCII && scalar.value > 0x20 || scalar == "…" ? scalar : "_")
        }
        return String(safe)
    }

    /// A link as people may see it: without what opens it.
    package static func link(_ link: String) -> String { Cleanser().text(link) }

    /// What stands for whatever was left out.
    static let mark = "…"

    /// Bytes that are looked at; a server's page may be larger than anybody reads.
    private static let most = 64 << 10

    private static func inOneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.steersText) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !scalar.steersText {
                line.append(scalar)
            } else if !scalar.properties.isWhitespace {
                line.append("·")
            } else if line.last != " " {
                line.append(" ")
            }
        }
        return String(line)
    }
}

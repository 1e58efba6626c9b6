/// Makes text from outside safe to store and show: without secrets and without control characters.
///
/// Text is cleansed once, where it enters. The code that holds a secret creates the cleanser that hides it, so
/// no central list of secrets is needed. Cleansing is idempotent.
package struct Cleanser: Sendable {
    private let secrets: SecretFragments

    /// A cleanser that hides these `secrets`, and everything that has the form of a token or key.
    package init(hiding secrets: [String] = []) {
        self.secrets = SecretFragments(secrets)
    }

    /// `text` as one line of at most `limit` characters, with `…` for everything left out.
    ///
    /// Links lose user, query and fragment. White space becomes one blank, other control characters and direction
    /// marks become `·`. Secrets are recognised in plain text, percent-encoded, escaped as in JSON, in base64, and in
    /// pieces of eight characters or more.
    package func text(_ text: String, limit: Int = 2_000) -> String {
        let head = text.utf8.count > Self.most ? String(decoding: text.utf8.prefix(Self.most), as: UTF8.self) : text
        var text = secrets.hidden(in: head)
        // Done before the search for tokens and links, because a control character would end one too early.
        text = Self.inOneLine(text)
        text = TokenShapes.hidden(in: text)
        text = LinkText.withoutQueries(text)
        text = LinkText.withoutValues(text)
        return text.count > limit ? String(text.prefix(max(0, limit - 1))) + Self.mark : text
    }

    /// A single word from outside, such as an error's code; unusual characters become `_`.
    package func word(_ text: String) -> String {
        let word = self.text(text, limit: 64)
        var safe = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            safe.append(scalar.isASCII && scalar.value > 0x20 || scalar == "…" ? scalar : "_")
        }
        return String(safe)
    }

    /// A link that is safe to show: without user, query and fragment.
    package static func link(_ link: String) -> String { Cleanser().text(link) }

    /// Stands for everything that was left out.
    static let mark = "…"

    /// The most bytes that are examined, because a server's page may be far larger than needed.
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

/// Takes secrets out of text before anybody sees it.
struct Secrets: Sendable {
    /// The secrets that are known by their value, longest first.
    private let known: [String]

    init(_ known: [String] = []) {
        self.known = known.filter { $0.utf8.count >= 6 }.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// `text` with known secrets, tokens and signed addresses' tokens as `•••`.
    func redacted(_ text: String) -> String {
        var text = text
        for secret in known { text = text.replacing(secret, with: Self.mark) }
        guard Self.signs.contains(where: text.contains) else { return text }
        for token in Self.tokens { text = text.replacing(token, with: Self.mark) }
        return text.replacing(Self.named) { match in match.1 + Self.mark }
    }

    private static let mark = "•••"
    /// What every pattern below needs; most lines have none of it.
    private static let signs = ["eyJ", "sb_", "earer ", "=", "ey: "]

    /// JSON web tokens and Supabase's keys.
    private static var tokens: [Regex<Substring>] {
        [/eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*\.?[A-Za-z0-9_-]*/, /sb_(?:secret|publishable)_[A-Za-z0-9_-]+/]
    }

    /// What follows `Bearer`, an `apikey` header, or a token in a query.
    private static var named: Regex<(Substring, Substring)> {
        /([Bb]earer |apikey: |[?&](?:token|apikey|signature|X-Amz-Signature)=)[^&\s"•]+/
    }
}

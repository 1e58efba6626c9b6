import Cleansing
import Testing

/// Text that was made to be cleansed slowly, or only in part.
@Suite struct HostileTextTests {
    private static let length = 64 << 10

    /// Were each place looked at once for every other, one of these would take minutes.
    @Test(arguments: [
        ("links without end, and one with escaped slashes", ":// ", ":\\/\\/"),
        ("links with escaped slashes without end, and a plain one", ":\\/\\/ ", "://"),
        ("beginnings of tokens", "eyJ", "."), ("beginnings of links", ":", "://a?b"),
        ("escapes without an end", "\\u00", "\\u0041"), ("percent signs", "%", "%41"),
        ("names of secrets", "token=", ""),
        ("marks of users", "://a@", "b"), ("combining marks", "e\u{301}", "://a?b"), ("white space", " \t\n", "end"),
    ])
    func aTextThatIsMadeToBeSlowIsNot(_ what: String, _ piece: String, _ end: String) {
        let text = String(repeating: piece, count: Self.length / piece.utf8.count - 8) + end
        let shown = Cleanser(hiding: ["a secret of some length", "short"]).text(text, limit: 1_000)
        #expect(shown.count <= 1_000, "\(what)")
        #expect(!shown.contains("?b"))
    }
}

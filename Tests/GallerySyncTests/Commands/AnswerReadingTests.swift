import Configuration
import Platform
import SetUp
import TestSupport
import Testing

/// What the answers of the set-up mean, typed on a terminal or in the page.
@Suite struct AnswerReadingTests {
    /// What was read, or why it was not.
    static func said<Value>(_ reading: SetUpReading<Value>) -> String {
        switch reading {
        case .taken(let value): "\(value)"
        case .refused(let reason): reason
        }
    }

    @Test(arguments: [
        Fact("below the home", "~/Pictures", "HOME/Pictures"), Fact("absolute", "HOME/Pictures", "HOME/Pictures"),
        Fact("a link to one", "~/link", "HOME/link"), Fact("the home itself", "~/", "HOME"),
        Fact("a slash at its end", "~/Pictures/", "HOME/Pictures"), Fact("slashes", "~//Pictures//", "HOME/Pictures"),
        Fact("all of the computer", "/", "/"),
        Fact("dropped on a terminal", "'HOME/Pictures'", "HOME/Pictures"),
        Fact("dropped on another", "\"HOME/Pictures\"", "HOME/Pictures"),
        Fact("with a quote at its end alone", "HOME/Pictures'", "HOME/Pictures' is no directory."),
        Fact("quotes around nothing", "''", "Begin with / or ~/."),
        Fact("a relative one", "Pictures", "Begin with / or ~/."), Fact("nothing", "", "Begin with / or ~/."),
        Fact("another user's home", "~ada/Pictures", "Begin with / or ~/."),
        Fact("a tilde alone", "~", "Begin with / or ~/."),
        Fact("one that is not there", "~/None", "HOME/None is no directory."),
        Fact("a file", "~/file", "HOME/file is no directory."),
        Fact("a link to nothing", "~/gone", "HOME/gone is no directory."),
        Fact("below a file", "~/file/x", "HOME/file/x is no directory."),
        Fact("a space before it", " /tmp", "Begin with / or ~/."),
        Fact("one with what ends a path in C", "~/Pictures\0/x", "A path has no NUL in it."),
    ])
    func aFolder(_ row: Fact<String, String>) async throws {
        let tree: FileTree = [
            "Pictures": [:], "file": "x", "link": .symlink(to: "Pictures"), "gone": .symlink(to: "none"),
        ]
        try await tree.withDirectory { home async throws in
            let text = row.input.replacing("HOME", with: home.display)
            let said = Self.said(AnswerReading.folder(text, home: home))
            #expect(said.replacing(home.display, with: "HOME") == row.output)
        }
    }

    @Test(arguments: [
        Fact("a project", "https://a.supabase.co", "Optional(\"https://a.supabase.co\")"),
        Fact("this computer", "local", "nil"),
        Fact("a server at home", "http://nas:8000", "Optional(\"http://nas:8000\")"),
        Fact("no scheme", "a.supabase.co", "It"), Fact("another scheme", "ftp://a", "It"), Fact("nothing", "", "It"),
        Fact("in capitals this computer is none", "LOCAL", "It"), Fact("a user in it", "https://a:b@c", "It"),
        Fact("a question in it", "https://a/?x", "It"), Fact("spaces", "https://a b", "It"),
        Fact("a scheme alone", "https://", "It"), Fact("a line end", "https://a\n", "It"),
        // What the configuration would be given is what was typed.
        Fact("between quotes", "\"https://a.supabase.co\"", "It"), Fact("between others", "'https://a'", "It"),
        Fact("a word of JSON", "null", "It"),
    ])
    func anAddress(_ row: Fact<String, String>) {
        let said = Self.said(AnswerReading.url(row.input))
        #expect(row.output == "It" ? said.hasPrefix("It is ") && said.hasSuffix(".") : said == row.output, "\(said)")
    }

    @Test(arguments: [
        Fact("a bucket", "media", "(bucket: \"media\", prefix: \"\")"),
        Fact("with a prefix", "media/nas", "(bucket: \"media\", prefix: \"nas\")"),
        Fact("a prefix of two parts", "media/a/b", "(bucket: \"media\", prefix: \"a/b\")"),
        Fact("nothing", "", "It"), Fact("a prefix alone", "/nas", "It"), Fact("two slashes", "media//nas", "It"),
        Fact("a way up", "media/../x", "It"), Fact("a slash in the bucket's place", "/", "It"),
        Fact("between quotes", "\"media\"", "It"), Fact("a prefix between quotes", "media/'nas'", "It"),
        Fact("a number", "2026/11", "(bucket: \"2026\", prefix: \"11\")"),
    ])
    func aPlaceThere(_ row: Fact<String, String>) {
        let said = Self.said(AnswerReading.place(row.input))
        #expect(row.output == "It" ? said.hasPrefix("It is ") && said.hasSuffix(".") : said == row.output, "\(said)")
    }

    static let sizes = "Answer \"free\", a size like 90GB, or \"unlimited\"."

    @Test(arguments: [
        Fact("the free plan", "free", "nil"),
        Fact("a size", "90GB", "Optional(Configuration.StorageAllowance.bytes(90000000000))"),
        Fact("no limit", "unlimited", "Optional(Configuration.StorageAllowance.unlimited)"),
        Fact("a word", "plenty", sizes), Fact("nothing", "", sizes), Fact("below zero", "-1GB", sizes),
        Fact("more than there is", "99999999999TB", sizes), Fact("another unit", "90 apples", sizes),
        Fact("between quotes", "\"90GB\"", sizes), Fact("a word of JSON", "null", sizes),
        Fact("a bare number is bytes", "1000", "Optional(Configuration.StorageAllowance.bytes(1000))"),
    ])
    func aPlan(_ row: Fact<String, String>) {
        #expect(Self.said(AnswerReading.budget(row.input)) == row.output)
    }

    @Test(arguments: [
        Fact("an address", "ada@example.org", true), Fact("of one computer", "ada@localhost", true),
        Fact("with a plus", "ada+gallery@example.org", true), Fact("beyond ASCII", "größe@example.org", true),
        Fact("no sign", "ada.example.org", false), Fact("nothing", "", false),
        Fact("a space", "ada @example.org", false),
        Fact("a line end", "ada@example.org\n", false),
        Fact("a space of another script", "ada@\u{3000}example.org", false),
        Fact("the sign alone", "@", false), Fact("nothing before it", "@example.org", false),
        Fact("nothing after it", "ada@", false),
    ])
    func anEMailAddress(_ row: Fact<String, Bool>) {
        let said = Self.said(AnswerReading.email(row.input))
        #expect(said == (row.output ? row.input : "Give an address like ada@example.org."))
    }

    /// Three parts in base64: a header, claims and a signature that nothing checks here.
    static func token(_ role: String) -> String {
        let user = role == "authenticated" ? ",\"sub\":\"1\"" : ""
        let claims = Array("{\"role\":\"\(role)\"\(user)}".utf8)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for start in stride(from: 0, to: claims.count, by: 3) {
            let group = claims[start..<min(start + 3, claims.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
        }
        return "eyJhbGciOiJIUzI1NiJ9.\(text).c2ln"
    }

    @Test(arguments: [
        Fact("a new key", "sb_secret_abc", true), Fact("nothing", "", true),
        Fact("what is no key of a known form", "abc", true),
        Fact("a service key", token("service_role"), true), Fact("an anonymous key", token("anon"), true),
    ])
    func aKey(_ row: Fact<String, Bool>) {
        #expect(Self.said(AnswerReading.key(row.input)) == row.input)
    }

    static let beyondASCII = "A key is one word of ASCII: this has other characters, which may be invisible."

    @Test(arguments: [
        Fact("a letter beyond ASCII", "sb_secret_ä", beyondASCII),
        Fact("a blank without width, as pages have them", "sb_secret_abc\u{200B}", beyondASCII),
        Fact("a mark of direction", "\u{200E}sb_secret_abc", beyondASCII),
        Fact("a control", "sb_secret_\u{1B}abc", beyondASCII), Fact("NUL", "abc\0", beyondASCII),
        Fact("two words", "sb_secret_abc d", "A key is one word."), Fact("a line end", "abc\n", "A key is one word."),
        Fact(
            "a user's token", token("authenticated"),
            "This is a signed-in user's token, which ends within the hour: give a key of the project, or nothing."),
    ])
    func aKeyThatIsNone(_ row: Fact<String, String>) {
        #expect(Self.said(AnswerReading.key(row.input)) == row.output)
    }
}

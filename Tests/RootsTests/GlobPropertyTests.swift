import TestSupport
import Testing

@testable import Roots

/// The matcher, compared with one that tries every way, and with names made to be slow.
@Suite struct GlobPropertyTests {
    /// Every way in which a pattern may match, tried one after the other: slow, and right.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        let slash = UInt8(ascii: "/")
        switch first {
        case UInt8(ascii: "*") where rest.first == UInt8(ascii: "*"):
            let after = rest.dropFirst()
            if after.first == slash, matches(after.dropFirst(), text) { return true }
            return (text.startIndex...text.endIndex).contains { matches(after, text[$0...]) }
        case UInt8(ascii: "*"):
            let segment = text.prefix { $0 != slash }
            return (segment.startIndex...segment.endIndex).contains { matches(rest, text[$0...]) }
        case UInt8(ascii: "?"): return text.first.map { $0 != slash } ?? false && matches(rest, text.dropFirst())
        default: return text.first == first && matches(rest, text.dropFirst())
        }
    }

    @Test(arguments: 0..<40)
    func itMatchesWhatOneOfAllWaysMatches(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func word(of signs: [String], upTo count: Int) -> String {
            (0..<Int.random(in: 0...count, using: &random)).map { _ in
                signs[Int.random(in: signs.indices, using: &random)]
            }.joined()
        }
        for _ in 0..<400 {
            let pattern = word(of: ["a", "b", "/", "*", "**", "**/", "?", "*"], upTo: 7)
            let text = word(of: ["a", "b", "a", "/"], upTo: 9)
            // A slash at either end says something else.
            guard !pattern.hasPrefix("/"), !pattern.hasSuffix("/") else { continue }
            let expected = Self.matches(Array(pattern.utf8)[...], Array(text.utf8)[...])
            #expect(Glob(pattern).matches(Array(text.utf8)) == expected, "“\(pattern)” and “\(text)”")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pattern: String
        let name: [UInt8]
        let isMatch: Bool

        init(_ sentence: String, _ pattern: String, _ name: [UInt8], _ isMatch: Bool) {
            (testDescription, self.pattern, self.name, self.isMatch) = (sentence, pattern, name, isMatch)
        }
    }

    private static func many(_ sign: String, _ count: Int, then end: String = "") -> [UInt8] {
        Array((String(repeating: sign, count: count) + end).utf8)
    }

    /// A walk must not stand still at a name that another program chose.
    @Test(arguments: [
        Row("twelve stars, and a name that nearly fits", "*a*a*a*a*a*a*a*a*a*a*a*b*", many("a", 255), false),
        Row(
            "twelve stars, and a name that fits at its end", "*a*a*a*a*a*a*a*a*a*a*a*b", many("a", 254, then: "b"), true
        ),
        Row("stars between underscores", "*_*_*_*_*_*_*_*_*.bak", many("_", 250, then: ".bax"), false),
        Row("stars across directories", "**/a/**/a/**/a/**/a/**/a/**/a/b", many("a/", 400, then: "a"), false),
        Row("stars across directories that fit", "**/a/**/a/**/a/**/a/b", many("a/", 400, then: "b"), true),
        Row("nothing but stars", String(repeating: "*", count: 200), many("a", 255), true),
        Row("stars with signs between them", String(repeating: "*?", count: 100), many("a", 99), false),
        Row("as many signs as there are", String(repeating: "*?", count: 100), many("a", 100), true),
    ])
    func aNameThatIsMadeToBeSlowIsNot(_ row: Row) async throws {
        let isMatch = try await withLimit("“\(row.pattern)” is compared", .seconds(60)) {
            Glob(row.pattern).matches(row.name)
        }
        #expect(isMatch == row.isMatch)
    }

    @Test(arguments: [
        Row("bytes that are no text", "a*b", [0x61, 0xFF, 0xFE, 0x62], true),
        Row("one sign is one byte", "?", Array("é".utf8), false),
        Row("two of them are one letter of two bytes", "??", Array("é".utf8), true),
        Row("a NUL is a byte like any other", "a?b", [0x61, 0, 0x62], true),
        Row("a line feed, too", "*.tmp", Array("a\nb.tmp".utf8), true),
        Row("brackets mean themselves", "[ab]", Array("a".utf8), false),
        Row("so do they", "[ab]", Array("[ab]".utf8), true),
        Row("a backslash means itself", "\\*", Array("\\x".utf8), true),
        Row("and escapes nothing", "\\*", Array("*".utf8), false),
        Row("no name at all", "*", [], true),
        Row("a slash alone", "/", [], true),
        Row("two stars alone take directories", "**", Array("a/b/c".utf8), true),
        Row("three stars are two and one", "***", Array("a/b".utf8), true),
        Row("in the middle, no directory", "a/**/b", Array("a/b".utf8), true),
        Row("in the middle, two", "a/**/b", Array("a/x/y/b".utf8), true),
        Row("what is below, not the directory itself", "a/**", Array("a".utf8), false),
    ])
    func signsMeanWhatTheyMean(_ row: Row) { #expect(Glob(row.pattern).matches(row.name) == row.isMatch) }
}

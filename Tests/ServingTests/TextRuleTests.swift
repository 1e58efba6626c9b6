import TestSupport
import Testing

@testable import Serving

/// Rules over short texts, compared with plain ones for every text of a small alphabet.
@Suite struct TextRuleTests {
    /// All texts of at most `length` signs of `alphabet`.
    static func texts(of alphabet: String, upTo length: Int) -> [String] {
        var (all, last) = ([""], [""])
        for _ in 0..<length {
            last = last.flatMap { text in alphabet.map { text + String($0) } }
            all += last
        }
        return all
    }

    /// Whether `pattern` matches `text`, found by trying every number of bytes for its first asterisk.
    private static func matches(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return (0...text.count).contains { matches(text.dropFirst($0), pattern.dropFirst()) }
        }
        return text.first == first && matches(text.dropFirst(), pattern.dropFirst())
    }

    @Test func aWildcardMatchesWhatAPlainSearchDoes() {
        for pattern in Self.texts(of: "a*/", upTo: 4) {
            for text in Self.texts(of: "a/", upTo: 5) {
                #expect(Wildcard(pattern).matches(text) == Self.matches(text[...], pattern[...]), "\(pattern) \(text)")
            }
        }
    }

    /// The range of `first` and `last` as RFC 9110 words it, without any arithmetic that could go wrong.
    private static func range(_ first: Int?, _ last: Int?, of size: Int) -> [Int] {
        (0..<size).filter { place in
            switch (first, last) {
            case (let first?, let last?): first <= last && first <= place && place <= last
            case (let first?, nil): first <= place
            case (nil, let last?): place >= size - last
            case (nil, nil): false
            }
        }
    }

    @Test func aRangeHoldsTheBytesThatItNames() {
        let numbers = [nil] + (0...6).map(Optional.init)
        for size in 0...5 {
            for first in numbers {
                for last in numbers {
                    let text = "bytes=\(first.map(String.init) ?? "")-\(last.map(String.init) ?? "")"
                    let found = RangeHeader.range(text, of: Int64(size)).map { $0.map(Int.init) } ?? []
                    #expect(found == Self.range(first, last, of: size), "\(text) of \(size)")
                }
            }
        }
    }

    /// Nothing but a range is one, and none is longer than what there is.
    @Test(
        arguments: [
            ("bytes=0-18446744073709551616", 0..<9), ("bytes=-18446744073709551616", 0..<9),
            ("bytes=18446744073709551616-", nil), ("bytes=9223372036854775807-9223372036854775807", nil),
            ("bytes=8-9223372036854775807", 8..<9), ("bytes=9-", nil), ("bytes=00000000000000000000008-", 8..<9),
            ("bytes=0-0,2-3", nil), ("bytes= 0-1", nil), ("bytes=0 -1", nil), ("bytes=0-1 ", nil), ("bytes=0--1", nil),
            ("bytes=--1", nil), ("bytes=+1-2", nil), ("bytes=0x1-2", nil), ("bytes=١-٢", nil), ("bytes=1", nil),
            ("bytes 0-1", nil), ("Bytes=0-1", nil), ("lines=0-1", nil), ("bytes=-", nil), ("bytes=", nil), ("", nil),
            ("bytes=\u{301}0-1", nil), ("bytes=0-\u{301}1", nil),
        ] as [(String, Range<Int64>?)])
    func whatIsNoRangeAsksForNone(header: String, range: Range<Int64>?) {
        #expect(RangeHeader.range(header, of: 9) == range)
        #expect(RangeHeader.range(header, of: 0) == nil)
    }

    /// What a pattern captures, found by comparing whole lists of segments.
    private static func captured(_ path: String, by pattern: String) -> [Substring]? {
        let wanted = pattern.split(separator: "/")
        guard path.hasPrefix("/") else { return nil }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let hasRest = wanted.last == "*"
        let fixed = hasRest ? wanted.dropLast() : wanted[...]
        guard hasRest ? segments.count > fixed.count : segments.count == fixed.count else { return nil }
        var found: [Substring] = []
        for (segment, word) in zip(segments, fixed) {
            if word == ":" && !segment.isEmpty { found.append(segment) } else if word != segment { return nil }
        }
        return hasRest ? found + [segments.dropFirst(fixed.count).joined(separator: "/")[...]] : found
    }

    @Test(arguments: ["/a", "/:", "/*", "/a/:", "/a/*", "/:/:", "/:/*", "/a/:/b", "/:/a/*", "/a/b/:/*"])
    func aPathIsTakenApartAtItsSlashes(pattern: String) {
        for path in Self.texts(of: "ab/", upTo: 6) {
            #expect(PathPattern(pattern).match(path[...]) == Self.captured(path, by: pattern), "\(path)")
        }
    }

    @Test func anAsteriskInTheMiddleMatchesNothing() {
        #expect(PathPattern("/*/a").match("/b/a") == nil)
    }
}

@Suite struct Base64URLTests {
    @Test func bytesOfEveryLengthComeBack() {
        var random = SeededGenerator(seed: 4648)
        for length in 0...100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            #expect(text.utf8.count == (length * 4 + 2) / 3)
            #expect(text.utf8.allSatisfy { "-_".utf8.contains($0) || $0 > 47 && $0 != 61 }, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("", []), ("_-8", [0xFF, 0xEF]), ("AA", [0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]), ("A", nil),
            ("AAAAA", nil), ("A A", nil), ("AA\n", nil), ("AA.", nil), ("\u{212A}AAA", nil), ("AÄA", nil),
            ("A===", nil),
            ("=", nil), ("====", nil), ("AA=A", nil),
        ] as [(String, [UInt8]?)])
    func whatIsNoSuchTextIsNone(text: String, bytes: [UInt8]?) {
        #expect(Base64URL.decode(text) == bytes)
    }
}

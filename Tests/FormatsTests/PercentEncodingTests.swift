import Formats
import Testing

@Suite struct PercentEncodingTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let path: String
        let signing: String

        init(_ description: String, _ text: String, _ path: String, signing: String? = nil) {
            (testDescription, self.text, self.path) = (description, text, path)
            self.signing = signing ?? path
        }
    }

    @Test(arguments: [
        Row("slashes part segments", "a/b//c/", "a/b//c/"),
        Row("a space is never a plus", "a b+c", "a%20b%2Bc", signing: "a%20b+c"),
        Row("marks stay", "-_.!~*'()", "-_.!~*'()"),
        Row("what the sign route must see bare", ";,:@&=+$", "%3B%2C%3A%40%26%3D%2B%24", signing: ";,:@&=+$"),
        Row("what would end the path", "?#", "%3F%23"),
        Row("a percent sign is no escape", "%41", "%2541"),
        Row("text is UTF-8", "é日🏞", "%C3%A9%E6%97%A5%F0%9F%8F%9E"),
        Row("both normal forms stay what they are", "e\u{301}", "e%CC%81"),
        Row("control bytes", "\0\n\u{7f}", "%00%0A%7F"),
        Row("dots are not climbed", "../..", "../.."),
        Row("nothing", "", ""),
    ])
    func textBecomesPath(_ row: Row) {
        #expect(PercentEncoding.path.encoded(row.text) == row.path)
        #expect(PercentEncoding.signing.encoded(row.text) == row.signing)
    }

    /// The right side is what `g_filename_to_uri` answers.
    @Test func fileURIsAreThoseOfGLib() {
        let name = Array("/a b;c,d:e@f&g=h+i$j%!*()~'#?[]é".utf8) + [0xFF]
        let uri = "/a%20b%3Bc,d:e@f&g=h+i$j%25!*()~'%23%3F%5B%5D%C3%A9%FF"
        #expect(PercentEncoding.file.encoded(name) == uri)
    }

    @Test(arguments: 0..<200)
    func encodingIsUndoneByDecodingOnce(seed: Int) {
        let text = Self.text(seed)
        for encoding in [PercentEncoding.path, .signing] {
            let path = encoding.encoded(text)
            #expect(Self.decoded(path, leaving: "") == Array(text.utf8))
            #expect(path.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#\"<>\\^`{|}".utf8.contains($0) })
        }
    }

    /// The service signs `decodeURI` of the path and compares with the whole key (contract 1.5).
    @Test(arguments: 0..<200)
    func theSignRouteSeesTheKeyItself(seed: Int) {
        // By scalars, since `?` and a following accent are one character.
        let key = String(String.UnicodeScalarView(Self.text(seed).unicodeScalars.filter { $0 != "?" && $0 != "#" }))
        #expect(Self.decoded(PercentEncoding.signing.encoded(key), leaving: ";/?:@&=+$,#") == Array(key.utf8))
    }

    @Test(
        arguments: [
            ("", ""), ("abc", "abc"), ("%41", "A"), ("%2f%2F", "//"), ("a%20b", "a b"), ("%2525", "%25"), ("+", "+"),
            ("%", nil), ("%4", nil), ("%zz", nil), ("%4z", nil), ("ab%", nil), ("%00", "\0"), ("日", "日"),
        ] as [(String, String?)])
    func percentEscapesAreDecodedOnce(text: String, decoded: String?) {
        #expect(PercentEncoding.decoded(text) == decoded.map { Array($0.utf8) })
    }

    /// Browsers send what people typed: a `%` that begins no escape is one.
    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("%41", "A"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"),
        ("%4%41", "%4A"),
        ("100%", "100%"), ("100%25", "100%"), ("%2525", "%25"), ("%E5%86%99", "写"), ("写%", "写%"), ("%0", "%0"),
        ("%00", "\0"),
        ("%+4", "%+4"), ("% 41", "% 41"),
    ])
    func aBrokenEscapeIsText(text: String, decoded: String) {
        #expect(PercentEncoding.decodedLeniently(Array(text.utf8)) == Array(decoded.utf8))
    }

    /// What `decodeURI` and `encodeURIComponent` of a browser make of the same.
    @Test(
        arguments: [
            ("abc", "abc"), ("a%20b", "a b"), ("%E5%86%99", "写"), ("%2525", "%25"), ("%zz", nil), ("%E5%86", nil),
            ("%3B%2C%2F%3F%3A%40%26%3D%2B%24%23", "%3B%2C%2F%3F%3A%40%26%3D%2B%24%23"), ("%3b%2f", "%3b%2f"),
            ("a%2Cb%20c", "a%2Cb c"), ("%21%27%28", "!'("),
        ] as [(String, String?)])
    func aWholeURIIsDecodedButForItsMarks(text: String, decoded: String?) {
        #expect(PercentEncoding.decodedURI(text) == decoded)
    }

    @Test(arguments: [
        ("abc-_.!~*'()", "abc-_.!~*'()"), ("a b/c", "a%20b%2Fc"), ("写", "%E5%86%99"), ("%", "%25"),
        ("+&=;", "%2B%26%3D%3B"),
    ])
    func aComponentIsEncoded(text: String, encoded: String) {
        #expect(PercentEncoding.component.encoded(text) == encoded)
        #expect(PercentEncoding.decoded(encoded) == Array(text.utf8))
    }

    /// Text of letters, marks and several scripts, always the same for a seed.
    private static func text(_ seed: Int) -> String {
        let alphabet = Array("abzAZ09-_.!~*'() ;,/?:@&=+$#%[]{}|\\^`\"<>\u{1}\n\u{7f}éü日本🏞\u{301}".unicodeScalars)
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        var scalars = String.UnicodeScalarView()
        for _ in 0..<(seed % 40) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            scalars.append(alphabet[Int(state >> 33) % alphabet.count])
        }
        return String(scalars)
    }

    /// Decodes `%XX` once, except for the bytes in `reserved`, as JavaScript's `decodeURI` does.
    private static func decoded(_ path: String, leaving reserved: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16), !reserved.utf8.contains(value) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

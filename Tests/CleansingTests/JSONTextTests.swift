import Cleansing
import Foundation
import Testing

@Suite struct JSONTextTests {
    @Test(arguments: [
        ("plain", #"{"a":"b"}"#, #"{"a":"b"}"#), ("letters of any language", #"["é日😀"]"#, #"["é日😀"]"#),
        ("white space between values", "[\n  1\n]\n", "[\n  1\n]\n"),
        ("a direction override", "[\"a\u{202E}b\"]", #"["a\u202eb"]"#),
        ("a control of one byte in Latin 1", "[\"\u{9B}31m\u{7F}\"]", #"["\u009b31m\u007f"]"#),
        ("a tag, which takes two", "[\"\u{E0041}\"]", #"["\udb40\udc41"]"#),
        ("joiners of emoji", "[\"👩\u{200D}👧\"]", "[\"👩\u{200D}👧\"]"),
    ])
    func whatSteersATerminalIsEscaped(row: (why: String, json: String, inert: String)) {
        #expect(JSONText.inert(Array(row.json.utf8)) == Array(row.inert.utf8), "\(row.why)")
    }

    @Test(arguments: [
        ("plain", "a b", #""a b""#), ("what JSON escapes", "\"\\\n\r\t", #""\"\\\n\r\t""#),
        ("a control", "\u{1B}[2J\0\u{7F}", #""\u001b[2J\u0000\u007f""#),
        ("a control of one byte in Latin 1", "\u{9B}2J", #""\u009b2J""#),
        ("a direction override", "a\u{202E}gpj.exe", #""a\u202egpj.exe""#),
        ("a line separator", "a\u{2028}b", #""a\u2028b""#), ("a tag", "\u{E0041}", #""\udb40\udc41""#),
        ("letters of any language, and joiners", "é日👩\u{200D}👧", "\"é日👩\u{200D}👧\""), ("nothing", "", #""""#),
    ])
    func aTextInQuotesSteersNothing(row: (why: String, text: String, quoted: String)) throws {
        let quoted = JSONText.quoted(row.text)
        #expect(quoted == row.quoted, "\(row.why)")
        #expect(try JSONDecoder().decode(String.self, from: Data(quoted.utf8)) == row.text, "\(row.why)")
    }
}

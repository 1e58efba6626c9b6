import Cleansing
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
}

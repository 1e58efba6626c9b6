import Testing

@testable import Formats

@Suite struct JSON5Tests {
    @Test(arguments: [
        ("a comma forgotten", "{a: 1\n b: 2}", "is not valid JSON5, line 1: a comma is missing"),
        ("a bracket forgotten", "{a: [1, 2\n", "is not valid JSON5, line 1: \"[\" is never closed"),
        ("the wrong bracket", "{a: [1, 2}\n", "is not valid JSON5, line 1: \"[\" of line 1 is not closed before this"),
        ("a brace forgotten", "{\na: {b: 1\n", "is not valid JSON5, line 2: \"{\" is never closed"),
        ("a string not ended", "{a: 'x\n}", "is not valid JSON5, line 1: a quotation mark is missing"),
        (
            "a string not ended before a carriage return", "{a: 'x\r}",
            "is not valid JSON5, line 1: a quotation mark is missing"
        ),
        (
            "a fault after a string of two lines", "{a: 'x\\\r\ny' b: 1}",
            "is not valid JSON5, line 2: a comma is missing"
        ),
        ("a comment not ended", "{a: 1}\n/* never", "is not valid JSON5, line 2: a comment is never closed"),
        ("one whose star was to end it, too", "{a: 1}\n/*/", "is not valid JSON5, line 2: a comment is never closed"),
        (
            "a fault after a comment that a carriage return ends", "{\r// c\ra: 1 b: 2}",
            "is not valid JSON5, line 3: a comma is missing"
        ),
        ("lines that end in both", "{\r\n// c\r\na: 1 b: 2}", "is not valid JSON5, line 3: a comma is missing"),
        ("a colon forgotten", "{a 1}", "is not valid JSON5, line 1: a \":\" is missing after a name"),
        ("a value forgotten", "{a: , b: 1}", "is not valid JSON5, line 1: a value is missing before \",\""),
        ("two commas", "[1,,2]", "is not valid JSON5, line 1: a value is missing before \",\""),
        ("something after the end", "{}\n}", "is not valid JSON5, line 2: \"}\" after the end"),
        ("a name forgotten", "{: 1}", "is not valid JSON5, line 1: a name is missing before \":\""),
        (
            "not a word of JSON5", "{a: 1,\nb: bogus}",
            "is not valid JSON5, line 2: bogus is no value; text needs quotation marks"
        ),
        (
            "a word with a capital", "{a: True}",
            "is not valid JSON5, line 1: True is no value; did you mean true?"
        ),
        ("a number with a separator", "{a: 1_000}", "is not valid JSON5, line 1: 1_000 is no number"),
        ("a number that begins with 0", "[\n012]", "is not valid JSON5, line 2: 012 is no number"),
        (
            "a number with a unit", "{a: 5MB}",
            "is not valid JSON5, line 1: 5MB is no number; text needs quotation marks"
        ),
        ("two signs", "{a: +-1}", "is not valid JSON5, line 1: +-1 is no number"),
        ("a name with a hyphen", "{\nmy-nas: {}}", "is not valid JSON5, line 2: the name my-nas needs quotation marks"),
        (
            "a name that begins with a digit", "{2nd: 1}",
            "is not valid JSON5, line 1: the name 2nd needs quotation marks"
        ),
        ("a name twice", "{a: 1,\n b: 2,\n a: 3}", "has a twice, in lines 1 and 3; keep one"),
        ("a name twice, one quoted", "{a: 1,\n 'a': 2}", "has a twice, in lines 1 and 2; keep one"),
        ("quoted in both ways", "{\"a b\": 1, 'a b': 1}", "has a b twice, in line 1; keep one"),
        ("one with an escape", "{'\\u0061': 1,\n a: 1}", "has a twice, in lines 1 and 2; keep one"),
        ("a name without quotes and with an escape", "{\\u0061: 1,\n a: 1}", "has a twice, in lines 1 and 2; keep one"),
        (
            "a name twice further in", "{x: [{}, {a: {b: 1,\r\n b: 1}}]}",
            "has x[1].a.b twice, in lines 1 and 2; keep one"
        ),
        ("a table twice", "{p: {a: {}}, // c\np: {b: {}}}", "has p twice, in lines 1 and 2; keep one"),
        ("only spaces", " \n ", "is empty, expected {a: 1}"),
        (
            "lists without an end", String(repeating: "[", count: 100_000),
            "is not valid JSON5, line 1: more than 100 brackets within each other"
        ),
        (
            "tables without an end", String(repeating: "{a:\n", count: 100_000),
            "is not valid JSON5, line 101: more than 100 brackets within each other"
        ),
        (
            "one list too many", String(repeating: "[", count: 101) + String(repeating: "]", count: 101),
            "is not valid JSON5, line 1: more than 100 brackets within each other"
        ),
        (
            "as many as there may be, and a fault", String(repeating: "[", count: 100),
            "is not valid JSON5, line 1: \"[\" is never closed"
        ),
        (
            "brackets beside each other", "[" + String(repeating: "[],", count: 1_000) + "}",
            "is not valid JSON5, line 1: a value is missing before \"}\""
        ),
    ])
    func theFirstFaultIsTold(_ row: (why: String, text: String, sentence: String)) {
        #expect(JSON5.fault(in: Array(row.text.utf8), expecting: "{a: 1}") == row.sentence, "\(row.why)")
    }

    @Test(arguments: ["{a: 1, a: 1}", "{a: 1, 'a': 1}", "[{b: {\"\\x61\": 1, a: 2}}]", "{a: 1, b: 2, a: 3"])
    func aNameThatStandsTwiceIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try JSON5.decode(Anything.self, from: Array(text.utf8)) }
    }

    @Test func bytesThatAreNotTextAreTold() {
        #expect(JSON5.fault(in: [0x7B, 0xFF, 0x7D], expecting: "{a: 1}") == "is not UTF-8 text")
    }

    @Test(arguments: [
        "{a: 1, b: [1, 2,], 'c': \"x\", /* c */ d: null, // e\n}", "[]", "1", "{a: 'it\\'s', b: \"//\"}",
        "{a: +1.5e3, b: .5, c: Infinity, d: 0x1F}", "[-0, 0.0, 1., 1e5, 1E-5, -.5e+1, 0]", "[-Infinity, NaN, +NaN]",
        "{$: 1, _b: 2, é: 3, a1: 4}", "{a: 'it\\\ngoes on'}", "{a: 'it\\\rgoes on'}",
        "{a: 'it\\\r\ngoes on',\r\n}", "{// one\r// two\r\n// three\na: 1}",
        "{a: {a: 1}, b: {a: 1}, c: [{a: 1}, {a: 1}], A: 1}", "{\"it's\": 1, its: 2, 'it\"s': 3}",
        "{/*/ a: 1, */ b: 2}", "{/**/ a: 1 /***/}",
    ])
    func validTextHasNoFault(_ text: String) throws {
        _ = try JSON5.decode(Anything.self, from: Array(text.utf8))
        #expect(JSON5.fault(in: Array(text.utf8), expecting: "{a: 1}") == "is not valid JSON5")
    }

    @Test(arguments: [
        "0x0x1", "{a: 0x}", "[-0X1G]", "[1, // ends here\r0x0x1\n]", "[1, // ends here\r\n0x0x1]",
        "[/*/ // */ 0x0x1\n]",
    ])
    func aNumberAtWhichTheDecoderEndsTheProcessIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try JSON5.decode(Numbers.self, from: Array(text.utf8)) }
    }

    /// Table 1 of its specification: tab, VT, FF, space, NBSP, BOM, the line ends and what Unicode has as Zs.
    @Test(arguments: [
        "\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}", "\n", "\r", "\u{2028}", "\u{2029}", "\u{1680}",
        "\u{2000}", "\u{2009}", "\u{200A}", "\u{202F}", "\u{205F}", "\u{3000}",
    ])
    func whiteSpaceStandsWhereverItMay(_ space: String) throws {
        let text = ["", "{", "a", ":", "1", ",", "'b b'", ":", "[", "true", ",", "]", "}", ""].joined(separator: space)
        #expect(JSON5.fault(in: Array(text.utf8), expecting: "{a: 1}") == "is not valid JSON5")
        let read = try JSON5.decode(Sample.self, from: Array(text.utf8))
        #expect(read.a == 1)
        #expect(read.b == [true])
    }

    @Test(arguments: ["\n", "\r", "\u{2028}", "\u{2029}"])
    func aCommentEndsWithItsLine(_ end: String) throws {
        let text = "{// \u{A0}one\(end)a: 1, /* \u{2003}two */ 'b b': []}"
        #expect(try JSON5.decode(Sample.self, from: Array(text.utf8)).a == 1)
    }

    /// In a text they are what they are.
    @Test func whiteSpaceInATextStays() throws {
        let words = "\u{A0}\u{2003}\u{FEFF}x\u{2028}\u{2029}\u{3000}"
        for quote in ["'", "\""] {
            #expect(try JSON5.decode([String].self, from: Array("[\(quote)\(words)\(quote)]".utf8)) == [words])
        }
    }

    /// These look empty and are none: the decoder is not given what the specification does not have.
    @Test(arguments: ["\u{85}", "\u{180E}", "\u{200B}", "\u{2060}", "\0"])
    func whatOnlyLooksLikeWhiteSpaceIsNone(_ character: String) {
        #expect(throws: DecodingError.self) {
            try JSON5.decode(Sample.self, from: Array("{a:\(character)1, 'b b': []}".utf8))
        }
    }

    /// Where a value stands is told for each of the line ends that the decoder knows.
    @Test(arguments: ["\n", "\r", "\r\n"])
    func aPlaceIsCountedInLines(end: String) {
        let text = ["{", "  // c", "  a: {", "    b: [1, 2],", "  },", "}"].joined(separator: end)
        let place = JSON5.place(of: "a.b[1]", in: Array(text.utf8))
        #expect(place?.line == 4)
        #expect(place?.column == 12)
    }
}

/// Numbers in lists, each of which the decoder has to read.
private struct Numbers: Decodable {
    init(from decoder: any Decoder) throws {
        guard var list = try? decoder.unkeyedContainer() else {
            _ = try decoder.singleValueContainer().decode(Int.self)
            return
        }
        while !list.isAtEnd { _ = try list.decode(Numbers.self) }
    }
}

/// A table whose second name is no word.
private struct Sample: Decodable {
    let a: Int
    let b: [Bool]

    private enum CodingKeys: String, CodingKey { case a, b = "b b" }
}

/// A document of which only the form counts.
private struct Anything: Decodable {
    init(from decoder: any Decoder) {}
}

import Testing
import Text

@Suite struct DisplayTextTests {
    @Test(arguments: [
        ("ASCII", "photo.jpg", 9), ("Japanese is wide", "写真", 4), ("kana", "カメラ", 6),
        ("half-width kana is not", "ｶﾒﾗ", 3), ("Hangul", "사진", 4), ("full-width letters", "ＡＢ", 4),
        ("an accent of its own takes no column", "e\u{301}", 1), ("precomposed", "é", 1), ("an emoji", "🎉", 2),
        ("a family is one emoji", "👨‍👩‍👧", 2), ("a flag", "🇯🇵", 2), ("a heart made an emoji", "❤\u{FE0F}", 2),
        ("a plain heart", "❤", 1), ("nothing", "", 0), ("zero-width space", "a\u{200B}b", 2), ("Cyrillic", "фото", 4),
        ("rare ideograph", "𠮷", 2), ("a half-width sound mark has a column of its own", "ｶﾞﾊﾟ", 4),
        ("so has a Devanagari vowel", "की", 2), ("a conjunct is of two", "क्ष", 2), ("a Thai vowel", "กำ", 2),
        ("a Tamil vowel", "கௌ", 2), ("Hangul of single letters", "\u{1100}\u{1161}\u{11A8}", 2),
        ("a skin tone is part of its emoji", "👍🏽", 2), ("a keycap", "1\u{FE0F}\u{20E3}", 2),
        ("many accents", "a\u{301}\u{302}\u{303}\u{20DD}", 1), ("a DOS line end", "\r\n", 0),
    ])
    func width(_ row: (why: String, text: String, width: Int)) {
        #expect(DisplayText.width(row.text) == row.width, "\(row.why)")
    }

    @Test(arguments: [
        ("an escape sequence", "a\u{1B}[31m", "a·[31m"), ("a newline", "a\nb", "a·b"),
        ("a direction override", "a\u{202E}gpj.exe", "a·gpj.exe"), ("C1 control", "\u{9B}2J", "·2J"),
        ("an Arabic letter mark", "a\u{61C}b", "a·b"), ("a Mongolian vowel separator", "a\u{180E}b", "a·b"),
        ("a tag", "a\u{E0067}b", "a·b"), ("fine as it is", "写真 é 🎉", "写真 é 🎉"),
    ])
    func whatSteersATerminalGoes(_ row: (why: String, text: String, safe: String)) {
        #expect(DisplayText.safe(row.text) == row.safe, "\(row.why)")
    }

    @Test(arguments: [
        ("fits", "abc", 3, "abc", "abc"), ("a column short", "abcd", 3, "…cd", "ab…"),
        ("a wide character is never halved", "写真館", 4, "…館", "写…"), ("room for one", "abc", 1, "…", "…"),
        ("no room", "abc", 0, "", ""), ("wide, odd room", "写真館", 5, "…真館", "写真…"),
    ])
    func cut(_ row: (why: String, text: String, columns: Int, end: String, start: String)) {
        #expect(DisplayText.keepingEnd(row.text, columns: row.columns) == row.end, "\(row.why)")
        #expect(DisplayText.keepingStart(row.text, columns: row.columns) == row.start, "\(row.why)")
    }

    /// What a cut is made of: characters that are shown as one stay whole, whatever they are made of.
    @Test(arguments: [
        ("an accent stays with its letter", "e\u{301}e\u{301}e\u{301}", 2, "…e\u{301}", "e\u{301}…"),
        ("a family stays together", "👨‍👩‍👧👨‍👩‍👧", 3, "…👨‍👩‍👧", "👨‍👩‍👧…"),
        ("what takes no column comes along", "a\u{200B}b\u{200B}c", 2, "…\u{200B}c", "a\u{200B}…"),
        ("right to left", "שלוםאב", 3, "…אב", "של…"), ("a wide one that does not fit", "写真", 2, "…", "…"),
        ("a flag", "🇯🇵🇯🇵", 3, "…🇯🇵", "🇯🇵…"),
    ])
    func aCutLeavesCharactersWhole(_ row: (why: String, text: String, columns: Int, end: String, start: String)) {
        #expect(DisplayText.keepingEnd(row.text, columns: row.columns) == row.end, "\(row.why)")
        #expect(DisplayText.keepingStart(row.text, columns: row.columns) == row.start, "\(row.why)")
    }

    /// No width is so small that breaking lines would not end, and nothing is lost but spaces.
    @Test(arguments: [-1, 0, 1, 2, 3, 7, 80])
    func breakingEndsAtAnyWidth(columns: Int) {
        let text = "写真 abc e\u{301}e\u{301} 👨‍👩‍👧  x\u{200B}y"
        let lines = DisplayText.wrapped(text, columns: columns)
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        // A wide character takes two columns wherever it stands.
        if columns > 1 { #expect(lines.allSatisfy { DisplayText.width($0) <= columns }) }
    }

    @Test func paddingCountsColumns() {
        #expect(DisplayText.left("写", columns: 4) == "写  ")
        #expect(DisplayText.right("写", columns: 4) == "  写")
        #expect(DisplayText.left("long", columns: 2) == "long")
    }

    @Test(arguments: [
        ("at spaces", "one two three", 8, ["one two", "three"]), ("fits", "one two", 7, ["one two"]),
        ("nothing", "", 8, [""]), ("a word too long", "abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("wide words", "写真 写真", 5, ["写真", "写真"]), ("spaces of a name", "a  b c", 4, ["a  b", "c"]),
    ])
    func wrapping(_ row: (why: String, text: String, columns: Int, lines: [String])) {
        let lines = DisplayText.wrapped(row.text, columns: row.columns)
        #expect(lines == row.lines, "\(row.why)")
        #expect(lines.allSatisfy { DisplayText.width($0) <= row.columns })
    }

    @Test func aPathStaysWholeWhereThatIsWanted() {
        let lines = DisplayText.wrapped("see /a/long/path now", columns: 6, keepsWords: true)
        #expect(lines == ["see", "/a/long/path", "now"])
    }
}

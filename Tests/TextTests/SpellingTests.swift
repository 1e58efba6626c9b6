import Testing
import Text

@Suite struct SpellingTests {
    static let names = ["sync", "status", "serve", "restore", "reupload", "watch", "limitRate", "maxConcurrency"]

    @Test(arguments: [
        ("a swap of neighbours is one slip", "snyc", "sync"),
        ("a missing letter", "stats", "status"),
        ("a letter too many", "wattch", "watch"),
        ("a wrong letter", "reuploax", "reupload"),
        ("separators and capitals do not count", "limit-rate", "limitRate"),
        ("two slips in a long name", "maxConcurency", "maxConcurrency"),
        ("the beginning of a name", "reup", "reupload"),
        ("a third of the letters wrong", "rexxload", "reupload"),
        ("the name itself", "serve", "serve"),
        ("something else", "prune", nil),
        ("nothing in common with a short name", "xy", nil),
        ("nothing at all", "", nil),
    ])
    func nearest(_ row: (why: String, word: String, name: String?)) {
        #expect(Spelling.nearest(to: row.word, among: Self.names) == row.name, "\(row.why)")
    }

    @Test func aSuggestionIsASentenceOrNothing() {
        #expect(Spelling.suggestion(for: "snyc", among: Self.names) == " Did you mean \"sync\"?")
        #expect(Spelling.suggestion(for: "banana", among: Self.names) == "")
    }

    @Test func theNearerOfTwoWins() {
        #expect(Spelling.nearest(to: "statuss", among: ["stats", "status"]) == "status")
    }
}

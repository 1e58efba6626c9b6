import FoundationEssentials
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct ListingCursorTests {
    @Test(arguments: [
        ListingCursor(last: "a"), ListingCursor(last: "a b/ü", order: "desc"),
        ListingCursor(last: "a", order: "asc", column: "created_at", time: "2026-11-20T18:36:45.278Z"),
    ])
    func aCursorIsReadAsItWasWritten(_ cursor: ListingCursor) throws {
        var expected = cursor
        expected.order = cursor.order ?? "asc"
        #expect(try ListingCursor(encoded: cursor.encoded) == expected)
    }

    private static func encoded(_ lines: String) -> String { Data(lines.utf8).base64EncodedString() }

    @Test(
        arguments: [
            Fact("no base64", "%%%%"), Fact("base64 of no text", "/w=="), Fact("nothing", ""),
            Fact("no name", encoded("o:asc")), Fact("an empty name", encoded("l:\no:asc")),
            Fact("a line of another kind", encoded("l:a\nx:1")), Fact("a line without a colon", encoded("l:a\no")),
            Fact("an order that there is not", encoded("l:a\no:up")), Fact("an empty order", encoded("l:a\no:")),
            Fact("a column that there is not", encoded("l:a\nc:size")),
            Fact("a time that is none", encoded("l:a\na:yesterday")),
            Fact("a day without a time", encoded("l:a\na:2026-11-20")),
            Fact("a time of eight numbers", encoded("l:a\na:2026-11-20T18:36:45.278.1Z")),
            Fact("an hour that no day has", encoded("l:a\na:2026-11-20T24:00:00.000Z")),
            Fact("a minute that no hour has", encoded("l:a\na:2026-11-20T23:60:00.000Z")),
            Fact("hours beyond all numbers", encoded("l:a\na:2026-11-20T9223372036854775807:00:00.000Z")),
            Fact("minutes beyond all numbers", encoded("l:a\na:2026-11-20T00:9223372036854775807:00.000Z")),
            Fact("seconds beyond all numbers", encoded("l:a\na:2026-11-20T00:00:9223372036854775807.000Z")),
            Fact("parts of a second beyond all numbers", encoded("l:a\na:2026-11-20T00:00:00.9223372036854775807Z")),
            Fact("a year beyond all numbers", encoded("l:a\na:9223372036854775807-11-20T00:00:00.000Z")),
            Fact("a year of five digits", encoded("l:a\na:12026-11-20T00:00:00.000Z")),
            Fact("a month beyond all numbers", encoded("l:a\na:2026-9223372036854775807-20T00:00:00.000Z")),
            Fact("a day beyond all numbers", encoded("l:a\na:2026-11-9223372036854775807T00:00:00.000Z")),
            Fact("a number with a sign", encoded("l:a\na:2026-11-20T+1:00:00.000Z")),
        ] as [Fact<String, Void>])
    func whatNoPageGaveIsRefused(_ fact: Fact<String, Void>) {
        #expect(throws: ProtocolRefusal.badCursor) { try ListingCursor(encoded: fact.input) }
    }

    @Test(
        arguments: [
            Fact("a name alone ascends", encoded("l:a"), ListingCursor(last: "a", order: "asc")),
            Fact("the last of two names counts", encoded("l:a\nl:b"), ListingCursor(last: "b", order: "asc")),
            Fact("a name may look like a line", encoded("l:o:desc"), ListingCursor(last: "o:desc", order: "asc")),
            Fact("empty lines are passed over", encoded("\nl:a\n\n"), ListingCursor(last: "a", order: "asc")),
            Fact(
                "the last second of a leap day", encoded("l:a\nc:updated_at\na:2028-02-29T23:59:59.999Z"),
                ListingCursor(last: "a", order: "asc", column: "updated_at", time: "2028-02-29T23:59:59.999Z")),
            Fact(
                "a time without parts of a second", encoded("l:a\no:desc\na:1970-01-01T00:00:00Z"),
                ListingCursor(last: "a", order: "desc", time: "1970-01-01T00:00:00Z")),
        ] as [Fact<String, ListingCursor>])
    func whatAPageGaveIsRead(_ fact: Fact<String, ListingCursor>) throws {
        #expect(try ListingCursor(encoded: fact.input) == fact.output)
    }
}

extension Fact where Output == Void {
    /// A row whose sentence says why its input is refused.
    fileprivate init(_ sentence: String, _ input: Input) { self.init(sentence, input, ()) }
}

import TestSupport
import Testing

@testable import Configuration

/// Changes in a configuration that a person wrote: what was not changed stays, comments above all.
@Suite struct ConfigurationEditTests {
    struct Change: Sendable {
        let text: String
        /// What it is to say, as JSON5.
        let wanted: String

        init(_ text: String, _ wanted: String) { (self.text, self.wanted) = (text, wanted) }
    }

    static func edited(_ change: Change) throws -> String? {
        let bytes = Array(change.text.utf8)
        let (present, wanted) = (
            try SettingValue.parsing(bytes), try SettingValue.parsing(Array(change.wanted.utf8))
        )
        return ConfigurationEdit.text(bytes, from: present, to: wanted)
    }

    @Test(arguments: [
        Fact("a value", Change("{a: 1, // one\n b: 2}", "{a: 3, b: 2}"), "{a: 3, // one\n b: 2}"),
        Fact("the last value", Change("{a: 1, // one\n b: 2}", "{a: 1, b: 3}"), "{a: 1, // one\n b: 3}"),
        Fact("a value of another type", Change("{a: 1 /* one */}", "{a: ['x']}"), "{a: [\"x\"] /* one */}"),
        Fact("nothing", Change("{a: 1} // one\n", "{a: 1}"), "{a: 1} // one\n"),
        Fact(
            "a value within a table", Change("{\n  a: { // the a\n    b: 'x',\n  },\n}\n", "{a: {b: 'y'}}"),
            "{\n  a: { // the a\n    b: \"y\",\n  },\n}\n"),
        Fact(
            "a member that goes takes its line along", Change("{\n  a: 1,\n  // two\n  b: 2,\n}", "{b: 2}"),
            "{\n  // two\n  b: 2,\n}"),
        Fact("one that stands beside others", Change("{a: 1, b: 2} // x", "{b: 2}"), "{ b: 2} // x"),
        Fact(
            "a new member on a line of its own", Change("{\n  // one\n  a: 1\n}", "{a: 1, b: 2}"),
            "{\n  // one\n  a: 1,\n    b: 2,\n}"),
        Fact("a new member beside others", Change("{a: 1} // x", "{a: 1, b: 2}"), "{a: 1, b: 2} // x"),
        Fact("behind a comma", Change("{a: 1,} // x", "{a: 1, b: 2}"), "{a: 1,b: 2} // x"),
        Fact("into nothing", Change("{} // x", "{a: 1}"), "{a: 1} // x"),
        Fact("into nothing but a comment", Change("{\n// x\n}", "{a: 1}"), "{\n// x\n    a: 1,\n}"),
        Fact(
            "several, by name", Change("{ /* x */ }", "{c: 1, 'a-b': 2, b: 3}"), "{ /* x */ \"a-b\": 2, b: 3, c: 1}"),
        Fact("the only one by another", Change("{a: 1 /* x */}", "{b: 2}"), "{ /* x */b: 2}"),
        Fact("the last one by another", Change("{a: 1, b: 2} // x", "{a: 1, c: 3}"), "{a: 1, c: 3} // x"),
        Fact("the first one by another", Change("{a: 1, b: 2} // x", "{b: 2, c: 3}"), "{ b: 2, c: 3} // x"),
        Fact("all of them", Change("{a: 1, b: 2} // x", "{c: 3}"), "{ c: 3} // x"),
        Fact(
            "the only one of a table within", Change("{r: {a: 1}, // x\n}", "{r: {b: 2, c: 3}}"),
            "{r: {b: 2, c: 3}, // x\n}"),
        Fact(
            "the last line by another", Change("{\n  // x\n  a: 1,\n  b: 2\n}", "{a: 1, c: 3}"),
            "{\n  // x\n  a: 1,\n    c: 3,\n}"),
        Fact(
            "the only line by another", Change("{\n  // x\n  a: 1\n}", "{b: 2}"), "{\n  // x\n    b: 2,\n}"),
        Fact("a name in quotes", Change("{'a': 1, \"b\": 2} // x", "{a: 2, b: 3}"), "{'a': 2, \"b\": 3} // x"),
        Fact(
            "what looks like a comment and is text", Change("{a: 'http://x', b: 1 /**/}", "{a: 'http://x', b: 2}"),
            "{a: 'http://x', b: 2 /**/}"),
        Fact("a quote in a comment", Change("{a: 1, // it's\n b: 1}", "{a: 2, b: 1}"), "{a: 2, // it's\n b: 1}"),
        Fact("a name with an escape", Change("{'\\u0061': 1} // x", "{a: 2}"), "{'\\u0061': 2} // x"),
        Fact(
            "lines of another computer", Change("{\r\n  a: 1, // one\r\n  b: 2\r\n}\r\n", "{a: 3, b: 2}"),
            "{\r\n  a: 3, // one\r\n  b: 2\r\n}\r\n"),
        Fact(
            "letters beyond ASCII", Change("{a: 'größe', b: 1 /* ü */}", "{a: 'größe', b: 2}"),
            "{a: 'größe', b: 2 /* ü */}"),
    ])
    func onlyWhatIsChangedIsAnother(_ row: Fact<Change, String>) throws {
        #expect(try Self.edited(row.input) == row.output)
    }

    /// What `init` does for another folder: those that are there keep their places and their comments.
    @Test(arguments: [
        Fact(
            "on lines of their own",
            Change("{\n  r: [\n    'a', // main\n    'b', // clips\n  ],\n}", "{r: ['a', 'b', 'c']}"),
            "{\n  r: [\n    'a', // main\n    'b', // clips\n      \"c\",\n  ],\n}"),
        Fact(
            "without a comma at the end",
            Change("{\n  r: [\n    'a', // main\n    'b' // clips\n  ],\n}", "{r: ['a', 'b', 'c']}"),
            "{\n  r: [\n    'a', // main\n    'b', // clips\n      \"c\",\n  ],\n}"),
        Fact("on one line", Change("{r: ['a' /* main */]}", "{r: ['a', 'b']}"), "{r: ['a', \"b\" /* main */]}"),
        Fact("behind a comma", Change("{r: ['a', /* main */]}", "{r: ['a', 'b']}"), "{r: ['a', /* main */\"b\"]}"),
        Fact("into an empty list", Change("{r: [ /* none */ ]}", "{r: ['a']}"), "{r: [ /* none */ \"a\"]}"),
        Fact(
            "into an empty list on lines", Change("{\n  r: [\n    // none\n  ],\n}", "{r: ['a']}"),
            "{\n  r: [\n    // none\n      \"a\",\n  ],\n}"),
        Fact(
            "a table", Change("{r: ['a'] /* x */}", "{r: ['a', {p: 'b', u: false}]}"),
            "{r: ['a', {\"p\": \"b\", \"u\": false}] /* x */}"),
        Fact("two at once", Change("{r: ['a'] /* x */}", "{r: ['a', 'b', 'c']}"), "{r: ['a', \"b\", \"c\"] /* x */}"),
        Fact(
            "a list within a list", Change("{r: [['a'], ['b']] /* x */}", "{r: [['a'], ['b'], ['c']]}"),
            "{r: [['a'], ['b'], [\"c\"]] /* x */}"),
        Fact("one that goes", Change("{r: ['a', 'b'] /* x */}", "{r: ['b']}"), "{r: [\"b\"] /* x */}"),
        Fact("another order", Change("{r: ['a', 'b'] /* x */}", "{r: ['b', 'a']}"), "{r: [\"b\", \"a\"] /* x */}"),
    ])
    func aListGrowsAtItsEnd(_ row: Fact<Change, String>) throws {
        #expect(try Self.edited(row.input) == row.output)
    }

    /// Where there is nothing to keep, or the text cannot be followed, it is written anew.
    @Test(arguments: [
        Fact("no comment", Change("{a: 1}", "{a: 2}"), 0), Fact("no table", Change("[1] // x", "{a: 1}"), 0),
        Fact("what is wanted is no table", Change("{a: 1} // x", "[1]"), 0),
    ])
    func otherwiseItIsWrittenAnew(_ row: Fact<Change, Int>) throws {
        #expect(try Self.edited(row.input) == nil)
    }

    /// Whatever is in the file, the profile is there afterwards, and the others are as they were.
    @Test(
        arguments: [
            Fact("no file", String?.none, "default"), Fact("an empty table", "{}", "default"),
            Fact("another profile", "{profiles: {nas: {roots: ['/a']}}} // x", "nas, default"),
            Fact("the same profile", "{profiles: {default: {roots: ['/old'], retry: {attempts: 3}}}}", "default"),
            Fact("profiles that are none", "{profiles: 1} // x", "default"),
            Fact("what belongs to no profile", "{version: 2, profiles: {}} // x", "default"),
        ] as [Fact<String?, String>])
    func aProfileIsPutIntoTheFile(_ row: Fact<String?, String>) throws {
        let profile = SettingValue.table(["roots": .list([.text("/a b"), .text("/\"c\"\n")])])
        let text = try ConfigurationText.text(profile: "default", profile, in: row.input.map { Array($0.utf8) })
        guard case .table(let top) = try SettingValue.parsing(Array(text.utf8)), case .table(let all)? = top["profiles"]
        else {
            Issue.record("\(text)")
            return
        }
        #expect(all["default"] == profile)
        #expect(Set(all.keys) == Set(row.output.split(separator: ", ").map(String.init)))
        if row.input?.contains("// x") == true { #expect(text.contains("// x")) }
    }
}

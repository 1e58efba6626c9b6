import Foundation
import TestSupport
import Testing
import Text

/// How documents for programs are written.
@Suite struct JSONDocumentTests {
    private struct Document: Codable, Hashable {
        var b = "x/y"
        var a = Date(timeIntervalSince1970: 1_795_168_800.25)
        @OrNull var none: Int?
    }

    @Test func aLineHasSortedKeysBareSlashesMomentsAndNull() throws {
        let line = String(decoding: try JSONDocument.line(Document()), as: UTF8.self)
        #expect(line == #"{"a":"2026-11-20T10:00:00.250Z","b":"x/y","none":null}"# + "\n")
    }

    /// A document is the same as its line but for white space, and ends with one line end.
    @Test func aDocumentIsItsLineWithRoom() throws {
        let (document, line) = (try JSONDocument.bytes(Document(none: 7)), try JSONDocument.line(Document(none: 7)))
        #expect(document.filter { $0 != 0x20 && $0 != 0x0A } == line.dropLast())
        #expect(document.last == 0x0A && document.dropLast().last != 0x0A)
    }

    /// A key is always there, and says `null` where there is nothing.
    @Test(
        arguments: [
            Fact("a value", #"{"none":7}"#, .some(.some(7))), Fact("null", #"{"none":null}"#, .some(nil)),
            Fact("no key", "{}", nil), Fact("of another kind", #"{"none":"7"}"#, nil),
        ] as [Fact<String, Int??>])
    func aKeyIsAlwaysThere(_ fact: Fact<String, Int??>) {
        struct Holder: Codable { @OrNull var none: Int? }
        let holder = try? JSONDecoder().decode(Holder.self, from: Data(fact.input.utf8))
        #expect(holder.map(\.none) == fact.output)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNoNumberIsNoDocument(number: Double) {
        #expect(throws: EncodingError.self) { try JSONDocument.line([number]) }
    }

    /// Colours only where they are on, and never around nothing.
    @Test(
        arguments: [
            Fact("bold", Paint.bold, "1"), Fact("dim", Paint.dim, "2"), Fact("good", Paint.good, "32"),
            Fact("bad", Paint.bad, "31"), Fact("waiting", Paint.waiting, "33"),
        ] as [Fact<@Sendable (Paint) -> (String) -> String, String>])
    func aColourEndsAfterItsText(_ fact: Fact<@Sendable (Paint) -> (String) -> String, String>) {
        #expect(fact.input(Paint(isOn: true))("a b") == "\u{1B}[\(fact.output)ma b\u{1B}[0m")
        #expect(fact.input(Paint(isOn: true))("") == "")
        #expect(fact.input(.none)("a b") == "a b")
    }
}

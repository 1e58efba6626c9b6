import Foundation
import Platform
import Supabase
import Testing

@testable import CommandLine
@testable import GallerySync
@testable import Output

@Suite struct DocumentFormTests {
    @Test func everyDocumentHasItsOwnNameAndAVersion() {
        let names = DocumentForm.all.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(name.wholeMatch(of: /[a-z-]+\/[0-9]+/) != nil, "\(name)") }
    }

    @Test(
        "shapes are written in the words of JSON Schema",
        arguments: [
            (JSONShape.text, #"{"type":"string"}"#), (.whole, #"{"type":"integer"}"#),
            (.moment, #"{"format":"date-time","type":"string"}"#), (.word(["a", "b"]), #"{"enum":["a","b"]}"#),
            (.constant("x"), #"{"const":"x"}"#), (.anything, "{}"),
            (.list(.truth), #"{"items":{"type":"boolean"},"type":"array"}"#),
            (.map(.number), #"{"additionalProperties":{"type":"number"},"type":"object"}"#),
            (.orNull(.text), #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
            (.either([.text, .whole]), #"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#),
            (
                .object([.always("a", .text, "One"), .sometimes("b", .whole, "Two")]),
                #"{"properties":{"a":{"description":"One","type":"string"},"#
                    + #""b":{"description":"Two","type":"integer"}},"required":["a"],"type":"object"}"#
            ),
        ])
    func shapes(shape: JSONShape, text: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(shape.schema), as: UTF8.self) == text)
    }

    @Test func helpListsEveryDocument() {
        let text = HelpText.documents(of: .all, event: .event).joined(separator: "\n")
        for form in DocumentForm.all { #expect(text.contains("  \(form.title) ")) }
        for line in HelpText.documents(of: .all, event: .event) { #expect(line.count <= 80, "\(line)") }
    }

    @Test(arguments: [
        ("help json", nil), ("help json status", nil), ("help json statsu", #""statsu". Did you mean "status"?"#),
        ("help sync more", "does not take"),
    ])
    func helpTakesADocument(words: String, complaint: String?) throws {
        let words = words.split(separator: " ").map { Array($0.utf8) }
        guard let complaint else {
            _ = try Invocation(words)
            return
        }
        let error = #expect(throws: UsageError.self) { try Invocation(words) }
        #expect(error?.message.contains(complaint) == true, "\(error?.message ?? "")")
    }

    @Test func schemasAreWrittenAnewButNotOverAnotherFile() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("help --schemas schemas") == .success)
        #expect(await fixture.run("help --schemas schemas") == .success)
        let path = fixture.home.appending("schemas/status-1.schema.json").display
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect(await fixture.run("help --schemas schemas") == .usage)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    }
}

import Foundation
import Serving
import TestSupport
import Testing
import Text

@testable import Dashboard

/// Holds the fields that `Contracts/dashboard.md` names for a call against those of its answer.
@Suite struct ContractTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Documented fields that the made gallery has no value for.
        let absent: Set<String>

        init(_ call: String, absent: Set<String> = []) { (testDescription, self.absent) = (call, absent) }
    }

    @Test(arguments: [
        Row("/api/1/timeline"), Row("/api/1/timeline/assets"), Row("/api/1/facets"), Row("/api/1/folders"),
        Row("/api/1/actions"), Row("/api/1/log"),
        Row(
            "/api/1/duplicates",
            absent: ["size", "files", "id", "name", "path", "state", "kind", "taken", "hash"]),
        Row(
            "/api/1/assets/ID",
            absent: [
                "absence", "camera", "codec", "duration", "framesPerSecond", "key", "live", "motion", "note", "proof",
                "storedAt",
            ]),
    ])
    func anAnswerHasTheDocumentedFields(_ row: Row) async throws {
        try await PageStand.with { stand in
            stand.host.tail.add(Log.Line(at: .distantPast, level: .info, message: "Stored"))
            let documented = try Self.documented(row.testDescription)
            let id = try await stand.id("a.jpg")
            let answer = await stand.ask(row.testDescription.replacing("ID", with: id))
            let answered = Self.fields(try JSONSerialization.jsonObject(with: Data(answer.bytes)))
            #expect(documented.subtracting(answered) == row.absent)
            #expect(answered.subtracting(documented) == [])
        }
    }

    /// The names in the JSON of the call's row; an object of free names, such as counts by camera, is none of fields.
    private static func documented(_ call: String) throws -> Set<String> {
        let text = try Project.text(of: "Sources/Contracts/dashboard.md")
        let row = text.split(separator: "\n").first { line in
            line.hasPrefix("| `GET \(call)`") || line.hasPrefix("| `GET \(call)?")
        }
        let json = try #require(row?.firstMatch(of: /`(\{"schema".*?\})`/)).output.1
        return Set(
            String(json).replacing(/:\{[^{}]*\}/, with: ":0").matches(of: /[{,]"(\w+)"(?=[:,}])/).map {
                String($0.output.1)
            })
    }

    private static func fields(_ value: Any) -> Set<String> {
        if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(fields($1)) } }
        guard let object = value as? [String: Any] else { return [] }
        return object.reduce(into: []) { names, field in
            names.insert(field.key)
            if !(field.value is [String: Any]) { names.formUnion(fields(field.value)) }
        }
    }
}

import Catalog
import Foundation
import Platform
import Reporting
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
        try await PageFixture.with { fixture in
            fixture.host.tail.add(Log.Line(at: .distantPast, level: .info, message: "Stored"))
            let documented = try Self.documented(row.testDescription)
            let id = try await fixture.id("a.jpg")
            let answer = await fixture.ask(row.testDescription.replacing("ID", with: id))
            let answered = Self.fields(try JSONSerialization.jsonObject(with: Data(answer.bytes)))
            #expect(documented.subtracting(answered) == row.absent)
            #expect(answered.subtracting(documented) == [])
        }
    }

    @Test(arguments: [
        Row("GET /api/1/setup", absent: ["keyOrigin"]), Row("GET /api/1/setup/folders"),
        Row("POST /api/1/setup/trial", absent: ["field", "sql"]), Row("GET /api/1/setup/trial", absent: ["sql"]),
        Row("POST /api/1/setup/sign-in", absent: ["field"]), Row("POST /api/1/setup/start"),
        Row("GET /api/1/setup/agent", absent: ["page"]),
    ])
    func aSetUpAnswerHasTheDocumentedFields(_ row: Row) async throws {
        let (gate, host) = (Gate.opened(), SetUpDouble())
        let router = SetUpRouter(entrance: Entrance(gate: gate, log: .silent), host: host)
        let cookie = try gate.cookie()
        let answers = SetUpRouterTests.answers
        // What was found is told after a trial.
        _ = await router.answer(.ofPage("/api/1/setup/trial", cookie: cookie, body: answers))
        let parts = row.testDescription.split(separator: " ")
        let entered =
            parts[1].hasSuffix("sign-in")
            ? #"{"answers":\#(answers),"email":"a@b","password":"p","code":""}"# : answers
        let body = parts[0] == "POST" ? entered : nil
        let answer = await router.answer(.ofPage(String(parts[1]), cookie: cookie, body: body))
        let answered = Self.fields(try JSONSerialization.jsonObject(with: Data(answer.bytes)))
        let documented = try Self.documented(row.testDescription)
        #expect(documented.subtracting(answered) == row.absent)
        #expect(answered.subtracting(documented) == [])
    }

    @Test func theStatusIsTheDocumentOfTheCommand() async throws {
        #expect(try Self.row("| `GET /api/1/status`").contains("the document of `status --json`"))
        try await PageFixture.with { fixture in
            let report = try await fixture.host.report(.details).json()
            let answered = try await fixture.ask("/api/1/status").bytes
            #expect(try Self.names(answered) == Self.names(report))
        }
    }

    private static func names(_ document: [UInt8]) throws -> Set<String> {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
        return Set(object.keys)
    }

    struct ActionRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: String
        let result: PageActionResult
    }

    @Test(arguments: [
        ActionRow(
            testDescription: "link", body: #"{"action":"link","ids":["ID"],"seconds":60}"#,
            result: {
                var result = PageActionResult(count: 1, sentence: "Copied.")
                result.links = [.init(path: "a.jpg", url: "https://a/b", expiresAt: "2026-01-01T00:00:00Z")]
                return result
            }()),
        ActionRow(
            testDescription: "prune", body: #"{"action":"prune","ids":["ID"]}"#,
            result: {
                var result = PageActionResult(count: 1, sentence: "1 file would be deleted.")
                result.question = .init(words: "delete 1", examples: ["a.jpg"])
                return result
            }()),
    ])
    func anActionsAnswerHasTheDocumentedFields(_ row: ActionRow) async throws {
        let added = try #require(try Self.row("| `\(row.testDescription)` |").firstMatch(of: /`("\w+":[\[{].*?)`/))
        let words = added.output.1.matches(of: /"(\w+)"(?=[:,}])/).map { String($0.output.1) }
        let documented = try Self.documented("POST /api/1/actions").union(words)
        try await PageFixture.with { fixture in
            fixture.host.result = row.result
            let body = row.body.replacing("ID", with: try await fixture.id("a.jpg"))
            let bytes = try await fixture.ask("/api/1/actions", body: body).bytes
            let answer = try JSONSerialization.jsonObject(with: Data(bytes))
            let question = (answer as? [String: Any])?["question"]
            #expect(Self.fields(answer).union(Self.fields(question as Any)) == documented)
        }
    }

    @Test func theTableOfActionsNamesThemAll() throws {
        let text = try Project.text(of: "Sources/Contracts/dashboard.md")
        let table = text.split(separator: "\n").drop { $0 != "| action | with | does |" }.prefix { $0.hasPrefix("|") }
        let names = table.dropFirst(2).flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.output.1) }
        }
        #expect(names.sorted() == PageAction.Name.allCases.map(\.rawValue).sorted())
    }

    /// A parameter that is not read would leave all four files.
    @Test func everyDocumentedFilterNarrows() async throws {
        let text = try Project.text(of: "Sources/Contracts/dashboard.md")
        let words = try #require(text.split(separator: "\n\n").first { $0.hasPrefix("FILTER, all optional") })
        let names = Set(words.matches(of: /`(\w+)=/).map { String($0.output.1) })
        #expect(names == ["state", "root", "path", "kind", "camera", "since", "until", "text"])
        try await PageFixture.with { fixture in
            for name in names {
                let answer = await fixture.ask("/api/1/timeline?\(name)=Nothing")
                let text = try answer.text
                #expect(answer.status == 400 || text.contains(#""count":0"#), "\(name)")
            }
        }
    }

    @Test func eventsAndTheirFieldsAreDocumented() async throws {
        let row = try Self.row("| `GET /api/1/events`")
        let documented = Set(row.matches(of: /`(\w+)` \(/).map { String($0.output.1) })
        try await PageFixture.with { fixture in
            let feed = EventFeed(contents: fixture.router.contents, host: fixture.host, seen: fixture.router.seen)
            _ = await fixture.ask("/api/1/timeline/assets")
            var told: [String: Set<String>] = [:]
            func listen() async throws {
                let lines = String(decoding: try await feed.next(), as: UTF8.self).split(separator: "\n")
                for (name, data) in zip(lines, lines.dropFirst()) where name.hasPrefix("event: ") {
                    let json = try JSONSerialization.jsonObject(with: Data(data.utf8.dropFirst(6)))
                    told[String(name.dropFirst(7)), default: []].formUnion(Self.fields(json))
                }
            }
            try await listen()
            var work = PageWork(id: 1, title: "Restoring 1 file", total: 1)
            (work.done, work.sentence) = (1, "Restored 1 file.")
            fixture.host.tell([work])
            fixture.host.tail.add(Log.Line(at: .distantPast, level: .info, message: "Stored"))
            let asset = try #require(try await fixture.library.asset(root: "Pictures", path: "a.jpg"))
            try await fixture.library.request([asset])
            try await listen()
            #expect(Set(told.keys) == documented)
            for name in ["assets", "timeline", "works"] {
                let json = try #require(row.firstMatch(of: try Regex("`\(name)` \\(`(\\{.*?\\})`"))?[1].substring)
                let fields = Set(json.matches(of: /"(\w+)":/).map { String($0.output.1) })
                #expect(told[name] == fields, "\(name)")
            }
        }
    }

    /// The line of a table that begins so.
    private static func row(_ beginning: String) throws -> Substring {
        let text = try Project.text(of: "Sources/Contracts/dashboard.md")
        return try #require(text.split(separator: "\n").first { $0.hasPrefix(beginning) })
    }

    /// The names in the JSON of the call's row; an object of free names, such as counts by camera, is none of fields.
    private static func documented(_ call: String) throws -> Set<String> {
        let text = try Project.text(of: "Sources/Contracts/dashboard.md")
        let row = text.split(separator: "\n").first { line in
            let call = call.contains(" ") ? call : "GET \(call)"
            return ["`", "?", " `"].contains { line.hasPrefix("| `\(call)\($0)") } || line.hasPrefix("| `\(call)` ")
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

import FoundationEssentials
import Providers
import Supabase
import TestSupport
import Testing
import Transfer

/// Every sample again, as a service that changes without notice might send it tomorrow.
@Suite struct OddAnswerTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: String
        let ask: @Sendable (ScriptedTransport) async throws(ProviderError) -> JobStatus
        /// Answers that come before the body.
        var before: [ScriptedTransport.Answer] = []
        /// Answers to further requests, which follow a body with less content.
        var after: [ScriptedTransport.Answer] = []

        func status(_ body: JSONValue) async throws -> JobStatus {
            let bytes = Array(try JSONEncoder().encode(body))
            return try await ask(
                ScriptedTransport(before + [.response(HTTPResponse(status: 200, body: bytes))] + after))
        }
    }

    static let samples: [Sample] = sites + others

    private static let sites: [Sample] = rows.map { row in
        Sample(testDescription: row.testDescription, body: row.body, ask: site(row.site))
    }

    private static let rows: [SiteTests.Row] = [
        SiteTests.gemini, SiteTests.openAI, SiteTests.runway, SiteTests.luma, SiteTests.replicate,
    ].flatMap(\.self)

    private static let others: [Sample] = [
        Sample(
            testDescription: "fal's result", body: FalBodies.sora, ask: fal,
            before: [.json(#"{"status":"COMPLETED"}"#)]),
        Sample(
            testDescription: "fal's trouble", body: #"{"status":"COMPLETED","error":"No.","logs":null}"#, ask: fal,
            after: [.json(FalBodies.veo)]),
        Sample(testDescription: "Rendio's job", body: RendioTests.done, ask: rendio),
        Sample(testDescription: "a StoryToVideo work", body: StoryToVideoTests.task, ask: story("tasks/t-1")),
        Sample(testDescription: "a StoryToVideo project", body: StoryToVideoTests.project, ask: story("projects/p-1")),
    ]

    private static func site(
        _ site: SiteTests.Site
    ) -> @Sendable (ScriptedTransport) async throws(ProviderError) -> JobStatus {
        { transport throws(ProviderError) in
            try await site.provider(transport).status(of: JobReference(.luma, "1"))
        }
    }

    private static let rendio: @Sendable (ScriptedTransport) async throws(ProviderError) -> JobStatus = {
        transport throws(ProviderError) in
        let credentials = StorageCredentials(key: "k")
        let rendio = Rendio(project: "https://a.io", credentials: credentials, transport: transport)
        return try await rendio.status(of: JobReference(.rendio, "1"))
    }

    private static let fal: @Sendable (ScriptedTransport) async throws(ProviderError) -> JobStatus = {
        transport throws(ProviderError) in try await Fal(key: "k", transport: transport).status(of: FalTests.job)
    }

    private static func story(
        _ id: String
    ) -> @Sendable (ScriptedTransport) async throws(ProviderError) -> JobStatus {
        { transport throws(ProviderError) in
            try await StoryToVideo(base: "http://nas:8080", transport: transport).status(of: .init(.storyToVideo, id))
        }
    }

    @Test(arguments: samples)
    func numbersAsTextAndUnknownFieldsChangeNothing(sample: Sample) async throws {
        let body = try json(sample.body)
        let expected = try await sample.status(body)
        #expect(try await sample.status(body.withNumbersAsText) == expected)
        #expect(try await sample.status(body.withUnknownFields) == expected)
    }

    @Test(arguments: samples)
    func whateverIsMissingOrNullIsSurvived(sample: Sample) async throws {
        let body = try json(sample.body)
        for odd in body.odd {
            do {
                _ = try await sample.status(odd)
            } catch let error as ProviderError {
                #expect(error.kind == .invalidResponse)
                #expect(error.isRetryable)
            }
        }
    }

    @Test(arguments: [("", 200), ("null", 200), ("[]", 200), ("7", 200), ("<html>", 200), ("{", 200)])
    func whatIsNoDocumentIsRefusedAndKept(body: String, status: Int) async throws {
        for sample in Self.samples where sample.before.isEmpty {
            do throws(ProviderError) {
                let answer = try await sample.ask(ScriptedTransport([.json(body, status: status)]))
                #expect(!answer.state.isEnd)
            } catch {
                #expect(error.kind == .invalidResponse)
                #expect(error.body == body)
            }
        }
    }

    @Test func aLostAnswerIsAnErrorToTryAgain() async {
        for sample in Self.samples {
            let lost = TransferError(.timedOut, "The server is silent.", mayHaveArrived: true)
            let error = await #expect(throws: ProviderError.self) {
                try await sample.ask(ScriptedTransport([.failure(lost)]))
            }
            #expect(error?.kind == .noAnswer)
            #expect(error?.message == "The server is silent.")
            #expect(error?.isRetryable == true)
        }
    }
}

extension JSONValue {
    fileprivate var withNumbersAsText: JSONValue {
        switch self {
        case .integer(let value): .string("\(value)")
        case .number(let value): .string("\(value)")
        case .array(let elements): .array(elements.map(\.withNumbersAsText))
        case .object(let members): .object(members.mapValues(\.withNumbersAsText))
        default: self
        }
    }

    fileprivate var withUnknownFields: JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.withUnknownFields))
        case .object(let members):
            var members = members.mapValues(\.withUnknownFields)
            members["zz_new"] = .object(["a": .array([.integer(1), .null, .string("words")]), "b": .null])
            return .object(members)
        default: return self
        }
    }

    /// The value with each member in turn missing, null, or of an unexpected type.
    fileprivate var odd: [JSONValue] {
        let shapeless = JSONValue.object(["x": .array([.null, .integer(1)])])
        let missing = changed { _ in Optional<JSONValue>.none }
        let null = changed { _ in .some(JSONValue.null) }
        return missing + null + changed { _ in .some(shapeless) }
    }

    /// The value once for each member of an object in it, with that member changed or removed.
    private func changed(_ change: (JSONValue) -> JSONValue?) -> [JSONValue] {
        switch self {
        case .array(let elements):
            return elements.indices.flatMap { index -> [JSONValue] in
                elements[index].changed(change).map { element -> JSONValue in
                    var elements = elements
                    elements[index] = element
                    return .array(elements)
                }
            }
        case .object(let members):
            return members.flatMap { name, member -> [JSONValue] in
                let values: [JSONValue?] = [change(member)] + member.changed(change)
                return values.map { value -> JSONValue in
                    var members = members
                    if let value { members[name] = .some(value) } else { members.removeValue(forKey: name) }
                    return .object(members)
                }
            }
        default: return []
        }
    }
}

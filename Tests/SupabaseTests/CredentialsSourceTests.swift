import Platform
import TestSupport
import Testing
import Transfer

@testable import Supabase

/// A refused token is renewed once; any other refusal is final.
@Suite struct CredentialsSourceTests {
    private static let old = ScriptedTransport.Answer.json(
        #"{"statusCode":"403","error":"Unauthorized","message":"\"exp\" claim timestamp check failed","code":"AccessDenied"}"#,
        status: 400)
    private static let denied = ScriptedTransport.Answer.json(
        #"{"statusCode":"403","error":"Unauthorized","message":"Access denied","code":"AccessDenied"}"#, status: 400)

    /// Returns `new` for a refused `old`, and records its calls.
    private func client(
        _ transport: ScriptedTransport, asked: Shared<[String?]>, renewing: Bool = true
    ) -> StorageClient {
        StorageClient(endpoint: StorageEndpoint(base: "http://h"), transport: transport) {
            refused throws(StorageError) in
            asked.change { $0.append(refused?.bearer) }
            return StorageCredentials(bearer: refused != nil && renewing ? "new" : "old")
        }
    }

    private final class Restarts: BodyObserver {
        let count = Shared(0)
        func restarted() { count.change { $0 += 1 } }
        func sent(_ bytes: RawSpan) {}
    }

    @Test func aRefusedTokenIsRenewedOnceAndTheBodySentAgain() async throws {
        let transport = ScriptedTransport([Self.old, .json(#"{"Id":"7","Key":"b/k"}"#)])
        let (asked, restarts) = (Shared<[String?]>([]), Restarts())
        let body = HTTPBody.file(OpenFile(descriptor: -1), offset: 0, length: 3, observer: restarts)
        _ = try await client(transport, asked: asked).upload(body, bucket: "b", key: "k", contentType: "a/b")
        #expect(asked.value == [nil, "old"])
        #expect(transport.requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
        #expect(restarts.count.value == 1)
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let answers: [ScriptedTransport.Answer]
        var renewing = true
        /// The tokens refused, as the source was told of them.
        let asked: [String?]
        let isSignIn: Bool
    }

    @Test(arguments: [
        Refusal(
            testDescription: "a token that is refused again is refused", answers: [old, old], asked: [nil, "old"],
            isSignIn: true),
        Refusal(
            testDescription: "without a better token nothing is sent again", answers: [old], renewing: false,
            asked: [nil, "old"], isSignIn: true),
        Refusal(
            testDescription: "what is not permitted is not asked again", answers: [denied], asked: [nil],
            isSignIn: false),
        Refusal(
            testDescription: "what is not permitted with the better token is not asked again", answers: [old, denied],
            asked: [nil, "old"], isSignIn: false),
    ])
    func aRefusalIsFinal(_ row: Refusal) async throws {
        let transport = ScriptedTransport(row.answers)
        let asked = Shared<[String?]>([])
        let error = await #expect(throws: StorageError.self) {
            try await client(transport, asked: asked, renewing: row.renewing).deleteBucket("b")
        }
        #expect(error?.isSignIn == row.isSignIn && asked.value == row.asked)
        #expect(transport.requests.count == row.answers.count && transport.unusedAnswers == 0)
    }
}

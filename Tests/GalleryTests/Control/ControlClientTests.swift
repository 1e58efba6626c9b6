import Catalog
import Foundation
import Platform
import Records
import TestSupport
import Testing
import Text
import Transfer

@testable import Control
@testable import Gallery
@testable import Queue

@Suite struct ControlClientTests {
    /// Fails the first `failures` requests with `kind`, then answers.
    private struct LateAgent: Transport {
        let failures: Shared<Int>
        let kind: TransferError.Kind

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            let isLate = failures.change { left in
                left -= 1
                return left >= 0
            }
            if isLate { throw TransferError(kind, "no answer", mayHaveArrived: false) }
            let reply = (try? QueueCoding.encoder.encode(AgentReply<Never>.ended(.done))) ?? Data()
            return HTTPResponse(status: 200, headers: HTTPHeaders(), body: Array(reply))
        }
    }

    /// How often it is asked, and whether it answers.
    @Test(
        arguments: [
            ("an agent that does not listen yet is asked again", .unreachable, 3, .seconds(600), 4, true),
            ("one that listens is asked once", .unreachable, 0, .zero, 1, true),
            ("one that never listens is given up", .unreachable, .max, .zero, 1, false),
            ("what may have been heard is not said twice", .lost, 1, .seconds(600), 1, false),
            ("nor where it took too long", .timedOut, 1, .seconds(600), 1, false),
        ] as [(String, TransferError.Kind, Int, Duration, Int, Bool)])
    func anAgentIsAsked(
        _ row: (why: String, kind: TransferError.Kind, failures: Int, patience: Duration, asked: Int, answers: Bool)
    ) async throws {
        let failures = Shared(row.failures)
        let client = ControlClient(socket: "/s", transport: LateAgent(failures: failures, kind: row.kind))
        if row.answers {
            #expect(try await client.ask(PauseOrder(), patience: row.patience).ending == .done, "\(row.why)")
        } else {
            let error = await #expect(throws: TransferError.self, "\(row.why)") {
                try await client.ask(PauseOrder(), patience: row.patience)
            }
            #expect(error?.kind == row.kind, "\(row.why)")
        }
        #expect(row.failures - failures.value == row.asked, "\(row.why)")
    }

    private static let otherVersion =
        "The running agent is another version of gallery-sync than this \(Version.text): restart it, or ask it with its own."

    @Test(arguments: [
        ("an agent that refuses without a word", 404, "", otherVersion),
        ("one whose answer has another form", 200, #"{"ending":{"done":{}}}"#, otherVersion),
        ("one that says what is wrong", 500, "The disk is full", "The disk is full"),
    ])
    func whatCannotBeUnderstoodIsOneSentence(_ row: (why: String, status: Int, body: String, words: String)) async {
        let transport = ScriptedTransport([.json(row.body, status: row.status)])
        let client = ControlClient(socket: "/s", transport: transport)
        let failure = await #expect(throws: ControlFailure.self, "\(row.why)") { try await client.ask(PauseOrder()) }
        #expect(failure?.message == row.words, "\(row.why)")
    }
}

import Catalog
import Foundation
import Platform
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

    @Test func anAgentThatDoesNotListenYetIsAskedAgain() async throws {
        let failures = Shared(3)
        let client = ControlClient(socket: "/s", transport: LateAgent(failures: failures, kind: .unreachable))
        #expect(try await client.ask(PauseOrder(), patience: .seconds(600)).ending == .done)
        #expect(failures.value == -1)
    }

    @Test func oneThatNeverListensIsGivenUp() async throws {
        let failures = Shared(Int.max)
        let client = ControlClient(socket: "/s", transport: LateAgent(failures: failures, kind: .unreachable))
        await #expect(throws: TransferError.self) { try await client.ask(PauseOrder(), patience: .zero) }
    }

    @Test func whatMayHaveBeenHeardIsNotSaidTwice() async throws {
        let failures = Shared(1)
        let client = ControlClient(socket: "/s", transport: LateAgent(failures: failures, kind: .lost))
        await #expect(throws: TransferError.self) { try await client.ask(PauseOrder()) }
        #expect(failures.value == 0)
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

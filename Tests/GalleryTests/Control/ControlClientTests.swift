import Catalog
import Foundation
import Platform
import TestSupport
import Testing
import Transfer

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
            if isLate { throw TransferError(kind, "nobody", mayHaveArrived: false) }
            let reply = (try? QueueCoding.encoder.encode(AgentReply(.done))) ?? Data()
            return HTTPResponse(status: 200, headers: HTTPHeaders(), body: Array(reply))
        }
    }

    @Test func anAgentThatDoesNotListenYetIsAskedAgain() async throws {
        let failures = Shared(3)
        let client = ControlClient(socket: "/s", transport: LateAgent(failures: failures, kind: .unreachable))
        #expect(try await client.ask(.pause, patience: .seconds(600)).ending == .done)
        #expect(failures.value == -1)
    }

    @Test func oneThatNeverListensIsGivenUp() async throws {
        let failures = Shared(Int.max)
        let client = ControlClient(socket: "/s", transport: LateAgent(failures: failures, kind: .unreachable))
        await #expect(throws: TransferError.self) { try await client.ask(.pause, patience: .zero) }
    }

    @Test func whatMayHaveBeenHeardIsNotSaidTwice() async throws {
        let failures = Shared(1)
        let client = ControlClient(socket: "/s", transport: LateAgent(failures: failures, kind: .lost))
        await #expect(throws: TransferError.self) { try await client.ask(.pause) }
        #expect(failures.value == 0)
    }
}

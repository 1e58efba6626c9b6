import TestSupport
import Transfer

/// Calls back before each request is sent, and before its answer is handed on.
struct SteppedTransport: Transport {
    typealias Step = @Sendable (HTTPRequest) async throws -> Void

    let server: any Transport
    let before = Shared<Step>({ _ in })
    let after = Shared<Step>({ _ in })

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        try await step(before, request)
        let answer = try await server.send(request)
        try await step(after, request)
        return answer
    }

    private func step(_ step: Shared<Step>, _ request: HTTPRequest) async throws(TransferError) {
        do { try await step.value(request) } catch {
            throw TransferError(.unsendable, "\(error)", mayHaveArrived: false)
        }
    }
}

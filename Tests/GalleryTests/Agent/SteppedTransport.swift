import Platform
import TestSupport
import Transfer

/// Calls back before each request is sent, and before its answer is handed on.
struct SteppedTransport: Transport {
    typealias Step = @Sendable (HTTPRequest) async throws -> Void

    let server: any Transport
    let before = Shared<Step>({ _ in })
    let after = Shared<Step>({ _ in })

    /// Renames `a.jpg` to `b.jpg` before the first request that `isAsking` accepts, which goes on once the server has moved
    /// the object; the agent hears of the move once `body` has returned.
    ///
    /// - Parameter whenMoved: Runs between the two.
    /// - Returns: What `body` returned, and whether the object was moved.
    func movingObject<Value: Sendable>(
        in gallery: FilePath, before isAsking: @escaping @Sendable (HTTPRequest) -> Bool,
        whenMoved: @escaping @Sendable () async throws -> Void = {}, _ body: () async throws -> Value
    ) async throws -> (value: Value, isMoved: Bool) {
        let (isMoved, isSettled) = (Shared(false), Shared(false))
        after.change {
            $0 = { request in
                guard request.url.contains("/object/move") else { return }
                try await whenMoved()
                isMoved.change { $0 = true }
                try await eventually("what was asked for is known") { isSettled.value }
            }
        }
        before.change {
            $0 = { request in
                guard isAsking(request), !isMoved.value else { return }
                try Directory(gallery).rename("a.jpg", to: "b.jpg")
                try await eventually("the object is moved") { isMoved.value }
            }
        }
        let value = try await body()
        isSettled.change { $0 = true }
        // What `whenMoved` holds, such as an agent with its lock, is let go of.
        after.change { $0 = { _ in } }
        return (value, isMoved.value)
    }

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

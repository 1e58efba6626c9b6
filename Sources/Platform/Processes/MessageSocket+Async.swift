import Glibc

extension MessageSocket {
    /// Sends `bytes`, and `file` with them; throws `ETIMEDOUT` after `limit`.
    ///
    /// Cancelling the task disconnects the socket and throws `ECANCELED`.
    package func send(
        _ bytes: [UInt8], passing file: OpenFile? = nil, within limit: Duration
    ) async throws(SystemError) {
        try await disconnectingOnCancellation(sending) { () throws(SystemError) in
            try self.send(bytes, passing: file, by: .now + limit)
        }
    }

    /// The next message, `nil` at the end; throws `ETIMEDOUT` when none is complete within `limit`.
    ///
    /// Cancelling the task disconnects the socket and throws `ECANCELED`.
    package func receive(within limit: Duration) async throws(SystemError) -> Message? {
        try await disconnectingOnCancellation(receiving) { () throws(SystemError) in
            try self.receive(by: .now + limit)
        }
    }

    private func disconnectingOnCancellation<Value: Sendable>(
        _ thread: Blocking, _ work: @escaping @Sendable () throws(SystemError) -> Value
    ) async throws(SystemError) -> Value {
        let result: Result<Value, SystemError> = await withTaskCancellationHandler {
            do throws(SystemError) {
                return .success(try await thread.run(work))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            disconnect()
        }
        if Task.isCancelled { throw SystemError(call: "recvmsg", code: ECANCELED) }
        return try result.get()
    }
}

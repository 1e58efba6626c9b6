import CCurl
import Glibc

/// Answers that were still in a socket when it was closed: read even when sending failed.
///
/// Used on the transfer thread only.
final class EarlyAnswers: @unchecked Sendable {
    private var answers: [EarlyAnswer] = []

    /// Closes a connection's socket for curl, after reading the bytes that are still in it.
    static let closeCallback: curl_closesocket_callback = { context, socket in
        if let context { Unmanaged<EarlyAnswers>.fromOpaque(context).takeUnretainedValue().keep(from: socket) }
        return close(socket)
    }

    /// The pointer that curl passes to the callback; valid while the transfer thread lives.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Gives each answer found since the last call to one of the exchanges whose sending failed.
    ///
    /// curl does not say which socket an exchange used, but it closes a broken one before it continues with
    /// the next exchange, so both lists are in the same order. Where their lengths differ, no exchange gets
    /// an answer, since it might be another's.
    func distribute(among failed: [Exchange]) {
        defer { answers.removeAll() }
        guard failed.count == answers.count else { return }
        for (exchange, answer) in zip(failed, answers) { exchange.early = answer }
    }

    private func keep(from socket: Int32) {
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
            count = max(recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)), 0)
        }
        if let answer = EarlyAnswer(bytes) { answers.append(answer) }
    }
}

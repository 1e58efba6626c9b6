import CCurl
import Glibc

/// Answers that sockets still held when they were closed: read even when sending failed.
///
/// Lives on the transfer thread.
final class Leftovers: @unchecked Sendable {
    private var answers: [EarlyAnswer] = []

    /// Closes a connection's socket for curl, after a look at what had arrived there.
    static let closeCallback: curl_closesocket_callback = { context, socket in
        if let context { Unmanaged<Leftovers>.fromOpaque(context).takeUnretainedValue().keep(from: socket) }
        return close(socket)
    }

    /// What curl hands to the callback; valid while the transfer thread lives.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Gives each answer found since the last call to one of those whose sending failed.
    ///
    /// curl does not say which socket an exchange used, but it closes a broken one before it goes
    /// on to the next exchange: so both come in the same order. Where the numbers differ, nobody
    /// gets an answer that might be another's.
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

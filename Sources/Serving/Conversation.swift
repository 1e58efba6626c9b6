import CMicroHTTPD
import Glibc
import Platform

/// A connection that has left HTTP: bytes in both directions until either side ends it.
///
/// One task receives and sends; a thread of its own reads ahead, but only a few pieces.
package final class Conversation: @unchecked Sendable {
    private let descriptor: Int32
    private let upgrade: OpaquePointer
    private let early: [UInt8]
    private let pieces = Channel<[UInt8]>(capacity: 4)

    /// Takes ownership of the socket of `upgrade`; `early` was already read from it.
    init(_ descriptor: Int32, upgrade: OpaquePointer, early: [UInt8]) {
        self.descriptor = descriptor
        self.upgrade = upgrade
        self.early = early
    }

    /// Starts the thread that reads.
    func start() {
        do {
            try SystemThread.start("conversation") { [descriptor, early, pieces] in
                if early.isEmpty || pieces.send(early) { Self.read(descriptor, into: pieces) }
                pieces.finish()
            }
        } catch {
            pieces.finish()
        }
    }

    /// The next bytes; `nil` if the client or this side has ended the connection.
    package func receive() async -> [UInt8]? { await pieces.receive() }

    /// Sends all of `bytes`; `false` if the client is gone, or accepts nothing for 20 s.
    package func send(_ bytes: [UInt8]) async -> Bool {
        let descriptor = descriptor
        return await Blocking.run { Self.write(bytes, to: descriptor) }
    }

    /// Ends the connection without a message; calls that wait on it return.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends the connection, and returns the socket to libmicrohttpd once the reading thread has finished.
    func close() async {
        end()
        pieces.abandon()
        while await pieces.receive() != nil {}
        serving_end_upgrade(upgrade)
    }

    /// Returns a connection whose reading thread was never started.
    func abandon() {
        serving_end_upgrade(upgrade)
    }
}

// MARK: Blocking

extension Conversation {
    private static func read(_ descriptor: Int32, into pieces: Channel<[UInt8]>) {
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                var received = 0
                repeat {
                    received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                } while received < 0 && errno == EAGAIN && isReady(descriptor, for: Int32(POLLIN), milliseconds: -1)
                count = max(0, received)
            }
            guard !piece.isEmpty, pieces.send(piece) else { return }
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EAGAIN || !isReady(descriptor, for: Int32(POLLOUT), milliseconds: 20_000) {
                return false
            }
        }
        return true
    }

    private static func isReady(_ descriptor: Int32, for events: Int32, milliseconds: Int32) -> Bool {
        var source = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&source, 1, milliseconds) > 0
    }
}

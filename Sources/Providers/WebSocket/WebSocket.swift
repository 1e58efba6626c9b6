import Platform
import Transfer

/// The client's side of a WebSocket: messages in order, with pings answered automatically.
package actor WebSocket {
    private let connection: ByteConnection
    private var reader: WebSocketReader
    private var events: [WebSocketReader.Event] = []

    private init(_ connection: ByteConnection, limit: Int) {
        self.connection = connection
        reader = WebSocketReader(limit: limit)
    }

    /// Connects to `ws://…` or `wss://…` and shakes hands; a redirect is a refusal.
    ///
    /// - Parameters:
    ///   - limit: Bytes of one message at most.
    ///   - patience: The time limit of the connection, and of each piece of the server's answer.
    package static func open(
        _ address: String, limit: Int = 1 << 20, patience: Duration = .seconds(20)
    ) async throws(WebSocketError) -> WebSocket {
        guard let handshake = WebSocketHandshake(address) else { throw .badAddress }
        let connection = try await connected(to: handshake, patience: patience)
        let socket = WebSocket(connection, limit: limit)
        var answer: [UInt8] = []
        while let piece = try await Self.piece(from: connection, within: patience) {
            answer += piece
            guard let rest = try handshake.rest(of: answer) else { continue }
            try await socket.feed(rest)
            return socket
        }
        throw .notASocket("It ends the connection without an answer.")
    }

    /// The next message, or the server's close frame; `nil` at the end of the connection.
    package func next() async throws(WebSocketError) -> WebSocketReader.Event? {
        while true {
            if let event = try await takeEvent() { return event }
            let piece = try await Self.piece(from: connection, within: nil)
            guard let piece else { return nil }
            try feed(piece[...])
        }
    }

    /// Ends the connection; a task that waits in `next()` continues.
    package nonisolated func close() { connection.close() }
}

extension WebSocket {
    private static func connected(
        to handshake: WebSocketHandshake, patience: Duration
    ) async throws(WebSocketError) -> ByteConnection {
        do throws(TransferError) {
            let connection = try await ByteConnection.open(handshake.origin, within: patience)
            try await connection.send(handshake.request)
            return connection
        } catch {
            throw .transfer(error)
        }
    }

    private static func piece(
        from connection: ByteConnection, within limit: Duration?
    ) async throws(WebSocketError) -> [UInt8]? {
        do throws(TransferError) {
            return try await connection.receive(within: limit)
        } catch {
            throw .transfer(error)
        }
    }

    private func feed(_ bytes: ArraySlice<UInt8>) throws(WebSocketError) {
        do throws(WebSocketFault) {
            events += try reader.feed(bytes)
        } catch {
            throw .fault(error)
        }
    }

    /// The first event that is for the caller; pings before it are answered.
    private func takeEvent() async throws(WebSocketError) -> WebSocketReader.Event? {
        while !events.isEmpty {
            switch events.removeFirst() {
            case .ping(let payload): try await send(WebSocketFrame(.pong, payload))
            case .pong: break
            case let event: return event
            }
        }
        return nil
    }

    private func send(_ frame: WebSocketFrame) async throws(WebSocketError) {
        let mask = Randomness.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        do throws(TransferError) {
            try await connection.send(frame.encoded(mask: mask))
        } catch {
            throw .transfer(error)
        }
    }
}

import Providers
import TestSupport
import Testing
import Transfer

/// The client against servers that send exact bytes.
@Suite struct WebSocketTests {
    /// A server that completes the handshake, sends `pieces`, and ends the connection.
    private func server(_ pieces: [[UInt8]]) throws -> RawServer {
        try RawServer { connection in
            guard let key = connection.head()?.value(of: "sec-websocket-key") else { return }
            let head = """
                HTTP/1.1 101 -\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Accept: \(WebSocketHandshake.accept(key))\r\n\r\n
                """
            // The first piece is sent together with the head.
            connection.write(Array(head.utf8) + (pieces.first ?? []))
            for piece in pieces.dropFirst() { connection.write(piece) }
            connection.close()
        }
    }

    private func events(from server: RawServer, limit: Int = 1 << 20) async throws -> [WebSocketReader.Event] {
        let socket = try await WebSocket.open("ws://127.0.0.1:\(server.port)/tasks/t/wss", limit: limit)
        var events: [WebSocketReader.Event] = []
        while let event = try await socket.next() { events.append(event) }
        return events
    }

    private static func text(_ text: String, isFinal: Bool = true) -> [UInt8] {
        WebSocketFrame(.text, Array(text.utf8), isFinal: isFinal).encoded(mask: nil)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The first piece is sent together with the answer.
        let pieces: [[UInt8]]
        let events: [WebSocketReader.Event]
    }

    private static let half = String(repeating: "x", count: 70_000)
    private static let rest = WebSocketFrame(.continuation, Array(half.utf8)).encoded(mask: nil)

    @Test(arguments: [
        Row(testDescription: "nothing", pieces: [], events: []),
        Row(
            testDescription: "frames glued to the answer are read", pieces: [text("one") + text("two")],
            events: [.text("one"), .text("two")]),
        Row(
            testDescription: "a frame that comes byte by byte", pieces: [[]] + text("one").map { [$0] },
            events: [.text("one")]),
        Row(
            testDescription: "a large message in fragments is one",
            pieces: [[], text(half, isFinal: false), Array(rest.prefix(9)), Array(rest.dropFirst(9))],
            events: [.text(half + half)]),
        Row(
            testDescription: "an abrupt end is an end", pieces: [text("whole") + text("torn").dropLast(2)],
            events: [.text("whole")]),
        Row(
            testDescription: "a goodbye is told", pieces: [WebSocketFrame.close(1001, "later").encoded(mask: nil)],
            events: [.close(code: 1001, reason: "later")]),
    ])
    func whatIsSentIsRead(_ row: Row) async throws {
        #expect(try await events(from: server(row.pieces)) == row.events)
    }

    @Test func aPingIsAnsweredWithItsWords() async throws {
        let (pongs, report) = AsyncStream.makeStream(of: [WebSocketReader.Event].self)
        let server = try RawServer { connection in
            guard let key = connection.head()?.value(of: "sec-websocket-key") else { return }
            let accept = WebSocketHandshake.accept(key)
            connection.write(
                "HTTP/1.1 101 -\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
            )
            connection.write(WebSocketFrame(.ping, [1, 2]).encoded(mask: nil))
            var reader = WebSocketReader(expectsMasks: true)
            report.yield((try? reader.feed(connection.body(8))) ?? [])
            connection.close()
        }
        #expect(try await events(from: server) == [])
        #expect(try await pongs.first("the pong") == [.pong([1, 2])])
    }

    @Test func aMessageBeyondTheLimitIsAFault() async throws {
        let server = try server([Self.text(String(repeating: "x", count: 11))])
        let error = await #expect(throws: WebSocketError.self) { _ = try await events(from: server, limit: 10) }
        #expect(error == .fault(.tooLarge(limit: 10)))
    }

    @Test(arguments: [
        (302, "Location: ws://169.254.169.254/\r\n"), (403, ""), (200, "Content-Length: 0\r\n"),
    ])
    func whoRefusesIsNotFollowed(status: Int, field: String) async throws {
        let server = try RawServer { connection in
            _ = connection.head()
            connection.write("HTTP/1.1 \(status) -\r\n\(field)\r\n")
        }
        let error = await #expect(throws: WebSocketError.self) { _ = try await events(from: server) }
        #expect(error == .refused(status: status))
        #expect(server.connectionCount == 1)
    }

    /// Long enough to connect on a busy machine; otherwise the error would be another one.
    @Test func whoSaysNothingIsNotWaitedForLong() async throws {
        let server = try RawServer { $0.stall() }
        let error = await #expect(throws: WebSocketError.self) {
            _ = try await WebSocket.open("ws://127.0.0.1:\(server.port)/", patience: .seconds(3))
        }
        let reason: TransferError? = if case .transfer(let reason)? = error { reason } else { nil }
        #expect(reason?.kind == .timedOut)
    }

    @Test func whoEndsWithoutAnAnswerIsNoSocket() async throws {
        let server = try RawServer { connection in
            _ = connection.head()
            connection.close()
        }
        await #expect(throws: WebSocketError.self) { _ = try await events(from: server) }
        await #expect(throws: WebSocketError.badAddress) { _ = try await WebSocket.open("http://127.0.0.1/") }
    }
}

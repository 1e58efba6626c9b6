import Platform
import TestSupport
import Testing
import Transfer

@testable import Serving

/// Connections that are upgraded from HTTP.
@Suite struct ConversationTests {
    private static let hello = Array(
        "GET /talk HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n".utf8)

    private static func answer(_ converse: @escaping @Sendable (Conversation) async -> Void) -> Response {
        var response = Response(status: 101, headers: ["Upgrade": "echo"])
        response.conversation = converse
        return response
    }

    /// Echoes what arrives, until the client ends.
    @Sendable private static func echo(_ conversation: Conversation) async {
        while let piece = await conversation.receive() {
            guard await conversation.send(piece) else { return }
        }
    }

    private func connect(_ server: Server, early: String = "") async throws -> ByteConnection {
        let connection = try await ByteConnection.open("http://127.0.0.1:\(server.port ?? 0)/", within: .seconds(20))
        try await connection.send(Self.hello + early.utf8)
        return connection
    }

    /// Reads the head of the answer and then the whole `text`.
    private func expect(_ text: String, from connection: ByteConnection) async throws {
        var seen = ""
        while !seen.hasSuffix(text), let piece = try await connection.receive(within: patience) {
            seen += String(decoding: piece, as: UTF8.self)
        }
        #expect(seen.hasSuffix(text))
    }

    @Test func bytesGoBothWays() async throws {
        let log = Shared<[Int]>([])
        try await serving(
            log: { exchange in log.change { $0.append(exchange.status) } }, { _ in Self.answer(Self.echo) }
        ) {
            server in
            let connection = try await connect(server)
            try await expect("\r\n\r\n", from: connection)
            for text in ["one", "two", String(repeating: "x", count: 500_000)] {
                try await connection.send(Array(text.utf8))
                try await expect(text, from: connection)
            }
            connection.close()
        }
        #expect(log.value == [101])
    }

    @Test func whatWasSentBeforeTheAnswerIsNotLost() async throws {
        try await serving({ _ in Self.answer(Self.echo) }) { server in
            let connection = try await connect(server, early: "early")
            try await expect("early", from: connection)
        }
    }

    @Test func theServerCanEndIt() async throws {
        try await serving({ _ in Self.answer { _ = await $0.send(Array("bye".utf8)) } }) { server in
            let connection = try await connect(server)
            try await expect("bye", from: connection)
            #expect(try await connection.receive(within: patience) == nil)
        }
    }

    @Test func aClientThatGoesAwayEndsIt() async throws {
        let (endings, report) = AsyncStream.makeStream(of: Bool.self)
        try await serving({ _ in
            Self.answer { conversation in
                while await conversation.receive() != nil {}
                report.yield(await conversation.send([1]) || true)
            }
        }) { server in
            let connection = try await connect(server)
            try await expect("\r\n\r\n", from: connection)
            connection.close()
            try await endings.first("the conversation ends")
        }
    }

    @Test func stoppingEndsThoseThatAreOpen() async throws {
        let server = Server(listening: [.loopback(port: 0)]) { _ in Self.answer(Self.echo) }
        try server.start()
        var connections: [ByteConnection] = []
        for _ in 0..<8 {
            connections.append(try await connect(server))
            try await expect("\r\n\r\n", from: connections[connections.count - 1])
        }
        await server.stop(grace: .zero)
        for connection in connections { #expect(try await connection.receive(within: patience) == nil) }
    }

    @Test func manyAreHeldAtOnce() async throws {
        try await serving({ _ in Self.answer(Self.echo) }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let connection = try await connect(server, early: "number \(number)")
                        try await expect("number \(number)", from: connection)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

import Platform
import TestSupport
import Testing

@testable import Serving

/// A server that answers one user: who has a connection is looked up in the kernel's list of all.
@Suite struct OwnerTests {
    /// Runs `body` with a server whose clients are all of `users`; `looks` has the ports that were looked up.
    private static func serving(
        _ users: Set<UInt32>, _ body: (Server, _ looks: Shared<[UInt16]>) async throws -> Void
    ) async throws {
        let looks = Shared<[UInt16]>([])
        let server = Server(
            listening: [.loopback(port: 0)],
            usersOfPort: { port in
                looks.change { $0.append(port) }
                return users
            }, handler: { _ in .text("in") })
        try server.start()
        do {
            try await body(server, looks)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// The list is as long as the computer has connections: hundreds that say nothing would keep others waiting.
    @Test func silentConnectionsAreNotLookedUp() async throws {
        try await Self.serving([Host.userID]) { server, looks in
            let silent = try (0..<20).map { _ in try Wire(port: server.port) }
            let wire = try Wire(port: server.port)
            for _ in 0..<3 {
                #expect(try await wire.get("/").body == "in")
            }
            #expect(looks.value.count == 1, "once for the connection that asks")
            withExtendedLifetime(silent) {}
        }
    }

    @Test(
        arguments: [
            ("the owner", [Host.userID], true), ("root", [0], true),
            ("both, as through a forwarded port", [Host.userID, 0], true),
            ("another user", [Host.userID + 1], false),
            ("another user beside the owner", [Host.userID, Host.userID + 1], false),
            ("nobody, as the client is gone", [], true),
        ] as [(String, Set<UInt32>, Bool)])
    func whoGetsAnAnswer(_ row: (why: String, users: Set<UInt32>, isAnswered: Bool)) async throws {
        try await Self.serving(row.users) { server, _ in
            let wire = try Wire(port: server.port)
            if row.isAnswered {
                #expect(try await wire.get("/").body == "in", "\(row.why)")
            } else {
                try await wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await wire.readToEnd().isEmpty, "\(row.why)")
            }
        }
    }

    /// A connection's descriptor is used again by the next one, which another user may have made.
    @Test func whatIsKnownOfAConnectionEndsWithIt() {
        let connections = Connections(limit: 4)
        connections.opened(900)
        #expect(connections.isWelcome(900) { true })
        #expect(connections.isWelcome(900) { false }, "it is asked once")
        connections.closed(900)
        connections.opened(900)
        #expect(!connections.isWelcome(900) { false })
        #expect(!connections.isWelcome(900) { true })
    }
}

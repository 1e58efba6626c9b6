import Platform
import TestSupport
import Testing

@testable import Serving

/// Runs `body` with a server on a free loopback port that answers with `handler`.
func serving(
    log: (@Sendable (ExchangeSummary) -> Void)? = nil, connectionLimit: Int? = nil,
    _ handler: @escaping @Sendable (Request) async -> Response, _ body: (Server) async throws -> Void
) async throws {
    let server = Server(
        listening: [.loopback(port: 0)], connectionLimit: connectionLimit, log: log, handler: handler)
    try server.start()
    do {
        try await body(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

extension Response {
    /// 200 with `text`.
    static func text(_ text: String) -> Response {
        Response(status: 200, headers: ["Content-Type": "text/plain"], body: .bytes(Array(text.utf8)))
    }
}

/// Opens once, and resumes all waiting tasks.
actor Gate {
    private var isOpen = false
    private var arrivals = 0

    /// Returns when the gate is open, or the task is cancelled.
    func pass() async {
        arrivals += 1
        do {
            try await eventually("the gate opens") { isOpen }
        } catch is CancellationError {
        } catch {
            Issue.record(error)
        }
    }

    /// Returns when `count` tasks have reached the gate.
    func arrived(_ count: Int) async throws {
        try await eventually("\(count) have come to the gate", seen: { "\(arrivals)" }) { arrivals >= count }
    }

    func open() { isOpen = true }
}

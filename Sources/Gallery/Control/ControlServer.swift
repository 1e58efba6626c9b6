import Catalog
package import Configuration
import FoundationEssentials
import Platform
import Queue
import Reporting
import Serving

/// Answers other processes of the same user on a Unix socket with mode 0600.
package struct ControlServer: Sendable {
    private let server: Server

    /// A server for `agent` on the control socket of `locations`, not started yet.
    ///
    /// Only the holder of the state's lock may make one: a socket left by a crash is replaced. Throws `Refusal` where
    /// the directory is not the user's own with mode 0700.
    package init(_ agent: Agent, locations: Locations) throws {
        try Directory.create(at: locations.runtime)
        let folder = try FileFacts(of: locations.runtime, followingLinks: false)
        guard folder.kind == .directory, folder.owner == Host.userID, folder.mode & 0o077 == 0 else {
            throw Refusal(.needsHuman("\(locations.runtime.display) must be a directory of yours with mode 0700"))
        }
        server = Server(listening: [.unix(locations.controlSocket)], threads: 1) { request in
            await Self.respond(to: request, agent)
        }
    }

    /// Begins to listen; throws where the socket cannot be bound.
    package func start() throws { try server.start() }
    /// Stops listening, and returns once running answers have ended.
    package func stop() async { await server.stop() }

    /// Bytes of a request's body at most; the largest bodies are lists of paths.
    private static let bodyLimit = 16 << 20

    private static func respond(to request: Request, _ agent: Agent) async -> Response {
        do {
            switch (request.method, request.path) {
            case ("GET", ControlRoute.progress): return try json(try await agent.progress())
            case ("GET", ControlRoute.report): return try json(try await agent.report(.summary))
            case ("GET", ControlRoute.page): return try json(try await agent.report(.page))
            case ("POST", ControlRoute.requests):
                let body = try await request.body.collect(limit: bodyLimit)
                let asked = try QueueCoding.decoder.decode(AgentRequest.self, from: Data(body))
                return try json(try await agent.answer(asked))
            default: return Response(status: 404)
            }
        } catch {
            return Response(status: 500, body: .bytes(Array("\(error)".utf8)))
        }
    }

    private static func json(_ value: some Encodable) throws -> Response {
        Response(
            status: 200, headers: ["content-type": "application/json"],
            body: .bytes(Array(try QueueCoding.encoder.encode(value))))
    }
}

/// The paths of the control socket.
enum ControlRoute {
    static let progress: Substring = "/progress"
    static let report: Substring = "/report"
    static let page: Substring = "/page"
    static let requests: Substring = "/requests"
}

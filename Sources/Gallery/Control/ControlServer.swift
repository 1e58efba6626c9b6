import Catalog
package import Configuration
import FoundationEssentials
import Platform
import Queue
import Reporting
import Serving

/// The agent's ear: a Unix socket, mode 0600, on which other processes of the same user ask it things.
package struct ControlServer: Sendable {
    private let server: Server

    /// A server at rest for `agent`, on the control socket of `locations`; a socket left by a crash is replaced.
    ///
    /// Only the holder of the state's lock may make one. The directory is 0700 and must be the user's own.
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

    package func start() throws { try server.start() }
    package func stop() async { await server.stop() }

    /// Bytes of a request's body at most: a list of paths.
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

package import Configuration
import FoundationEssentials
package import Gallery
import Platform
import Queue
import Records
import Reporting
import Serving
import Text

/// Answers other processes of the same user on a Unix socket with mode 0600.
package struct ControlServer: Sendable {
    private let server: Server

    /// A server for `agent` on the control socket of `locations`, not started yet.
    ///
    /// Only the holder of the state's lock may make one: a socket left by a crash is replaced. Throws `Refusal` if
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

    /// The most bytes of a request's body; the largest bodies are lists of paths.
    private static let bodyLimit = 16 << 20

    private static func respond(to request: Request, _ agent: Agent) async -> Response {
        do {
            switch (request.method, request.path) {
            case ("GET", ControlRoute.progress): return try json(try await agent.progress())
            case ("GET", ControlRoute.report): return try json(try await agent.report(.summary))
            case ("GET", ControlRoute.details): return try json(try await agent.report(.details))
            case ("GET", ControlRoute.page): return try json(try await agent.report(.page))
            case ("POST", let path):
                guard let kind = ControlRoute.request(at: path) else { return otherVersion(404) }
                return try await answer(kind, try await request.body.collect(limit: bodyLimit), agent)
            default: return otherVersion(404)
            }
        } catch {
            return Response(
                status: 500, headers: [ControlRoute.kind: Ending.Kind(error).rawValue],
                body: .bytes(Array("\(error)".utf8)))
        }
    }

    private static func answer<Asked: AgentRequest>(
        _ kind: Asked.Type, _ body: [UInt8], _ agent: Agent
    ) async throws -> Response {
        guard !agent.isEnding else { return ending }
        let asked: Asked
        do {
            asked = try QueueCoding.decoder.decode(kind, from: Data(body))
        } catch {
            return otherVersion(400)
        }
        let reply: AgentReply<Asked.Answer>
        do {
            reply = try await agent.answer(asked)
        } catch {
            guard agent.isEnding, Asked.mayBeRepeated else { throw error }
            return ending
        }
        // What the request waited for will not come, so the command that asked does it by itself.
        if agent.isEnding, Asked.mayBeRepeated, reply.ending.kind == .temporary { return ending }
        return try json(reply)
    }

    /// The answer of an agent that stops: the request was not carried out, or may be repeated.
    private static let ending = Response(status: 503, body: .bytes(Array("The agent ends.".utf8)))

    /// The request makes no sense here, because a newer or older program made it.
    private static func otherVersion(_ status: Int) -> Response {
        let words =
            "The running agent is gallery-sync \(Version.text) and does not know this request: "
            + "restart it, or ask it with that version."
        return Response(status: status, body: .bytes(Array(words.utf8)))
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
    static let details: Substring = "/details"
    static let page: Substring = "/page"

    /// The header that names the kind of a failure.
    static let kind = "gallery-sync-failure"

    /// The path of a report.
    static func report(_ depth: Reporter.Depth) -> Substring {
        switch depth {
        case .counts, .summary: report
        case .details: details
        case .page: page
        }
    }

    /// The path before the name of a request.
    static let requests: Substring = "/requests/"

    /// The kind of request made at `path`; `nil` if this version does not know it.
    static func request(at path: Substring) -> (any AgentRequest.Type)? {
        guard path.hasPrefix(requests) else { return nil }
        return AgentRequestTable.request(named: path.dropFirst(requests.count))
    }
}

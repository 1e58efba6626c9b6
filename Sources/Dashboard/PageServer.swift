package import Platform
import Reporting
package import Serving

/// Serves the gallery page on a loopback port to browsers that its gate lets in.
package final class PageServer: Sendable {
    private let server: Server
    private let gate: Gate

    /// A server that has not been started; port 0 is any free one.
    package init(gate: Gate, host: any PageHost, port: UInt16 = 0) {
        self.gate = gate
        let desk = PageDesk(gate: gate, host: host)
        server = Server(listening: [.loopback(port: port)]) { await desk.answer($0) }
    }

    /// Listens, and has the gate's links name the port; throws where the port is taken.
    package func start() throws(SystemError) {
        try server.start()
        if let port = server.port { gate.open(on: port) }
    }

    /// Stops listening, and ends every answer that still runs.
    package func stop() async { await server.stop(grace: .milliseconds(200)) }
}

/// Answers the page's requests.
package struct PageDesk: Sendable {
    let gate: Gate
    let host: any PageHost

    /// A desk that asks `host` for what it does not know itself.
    package init(gate: Gate, host: any PageHost) {
        self.gate = gate
        self.host = host
    }

    /// The answer to any request, admitted or not; never throws.
    package func answer(_ request: Request) async -> Response {
        do {
            return try await admitted(request).guarded
        } catch let refusal as PageRefusal {
            return (request.path.hasPrefix("/api/") ? refusal.answer : refusal.page).guarded
        } catch {
            return PageRefusal.fault(error).answer.guarded
        }
    }

    private func admitted(_ request: Request) async throws -> Response {
        if let token = Self.entry.match(request.path)?.first { return try enter(request, token) }
        if case .refused(let refusal) = Admission(request, gate: gate) { throw refusal }
        if let name = Self.page.match(request.path)?.first { return try PageRoutes.file(name, for: request) }
        switch (request.method == "HEAD" ? "GET" : request.method, request.path) {
        case ("GET", "/"): return try PageRoutes.file("index.html", for: request)
        case ("GET", "/api/1/status"): return .json(bytes: try await host.report(.details).json(isLine: true))
        default: throw PageRefusal.noSuchPlace
        }
    }

    private static let entry = PathPattern("/enter/:")
    private static let page = PathPattern("/page/:")

    /// Exchanges a link's token for a cookie, which no script can read and no other site sends.
    private func enter(_ request: Request, _ token: Substring) throws -> Response {
        guard let port = gate.port, Admission.hosts(port: port).contains(request.headers["host"] ?? "") else {
            throw PageRefusal.foreignHost
        }
        // A browser that fetches a link only to preview it must not use it up.
        guard request.method == "GET", request.headers["sec-purpose"] == nil else { throw PageRefusal.noSuchPlace }
        guard let cookie = gate.enter(with: token) else { throw PageRefusal.usedLink }
        return Response(
            status: 303,
            headers: [
                "location": "/", "set-cookie": "\(cookie); HttpOnly; SameSite=Strict; Path=/",
                "cache-control": "no-store",
            ])
    }
}

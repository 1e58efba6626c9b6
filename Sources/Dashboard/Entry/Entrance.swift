import Serving
package import Text

/// What every page of this program does before it answers: links become cookies, strangers are refused.
package struct Entrance: Sendable {
    let gate: Gate
    private let log: Log

    /// An entrance that reports unexpected errors to `log`.
    package init(gate: Gate, log: Log) {
        (self.gate, self.log) = (gate, log)
    }

    /// The answer of `body` to an admitted request, or else a refusal; never throws.
    func answer(_ request: Request, _ body: () async throws -> Response) async -> Response {
        do {
            return try await admitted(request, body).guarded
        } catch let refusal as PageRefusal {
            return (request.path.hasPrefix("/api/") ? refusal.answer : refusal.page).guarded
        } catch is CancellationError {
            return PageRefusal.stopping.answer.guarded
        } catch {
            // Only the path, because a query contains what was searched for; a link's token never comes this far.
            log.error("The page could not be answered: \(error)", ["request": "\(request.method) \(request.path)"])
            return PageRefusal.fault(error).answer.guarded
        }
    }

    private func admitted(_ request: Request, _ body: () async throws -> Response) async throws -> Response {
        if let token = Self.entry.match(request.path)?.first { return try enter(request, token) }
        if case .refused(let refusal) = Admission(request, gate: gate) { throw refusal }
        if let name = Self.page.match(request.path)?.first { return try PageRoutes.file(name, for: request) }
        return try await body()
    }

    private static let entry = PathPattern("/enter/:")
    private static let page = PathPattern("/page/:")

    /// Exchanges a link's token for a cookie, which no script can read and which no other site can make a browser send.
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

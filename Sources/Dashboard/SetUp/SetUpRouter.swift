import FoundationEssentials
package import Serving
import Synchronization

/// Answers the requests of the set-up page.
package struct SetUpRouter: Sendable {
    private let entrance: Entrance
    private let host: any SetUpHost
    private let heard = HeardFindings()

    /// A router that lets `host` check, write and start.
    package init(entrance: Entrance, host: any SetUpHost) {
        (self.entrance, self.host) = (entrance, host)
    }

    /// The answer to any request, admitted or not; never throws.
    package func answer(_ request: Request) async -> Response {
        await entrance.answer(request) { try await admitted(request) }
    }

    private func admitted(_ request: Request) async throws -> Response {
        switch (request.method == "POST", request.path) {
        case (false, "/"): return try PageRoutes.file("setup.html", for: request)
        case (false, "/api/1/setup"): return .json(try await host.beginning())
        case (false, "/api/1/setup/folders"):
            return .json(FoldersDocument(folders: try host.folders(request.queryItem("text") ?? "")))
        case (false, "/api/1/setup/trial"): return .json(FindingsDocument(findings: heard.all))
        case (true, "/api/1/setup/trial"):
            let answers: SetUpAnswers = try await document(of: request)
            let note = heard.begin()
            return .json(try await host.trial(answers, tell: note))
        case (true, "/api/1/setup/sign-in"): return .json(try await host.signIn(try await document(of: request)))
        case (true, "/api/1/setup/start"): return .json(try await host.start(try await document(of: request)))
        case (false, "/api/1/setup/agent"): return .json(AgentDocument(page: try await host.agentPage()))
        default: throw PageRefusal.noSuchPlace
        }
    }

    /// More than all fields together can have.
    private static let bodyLimit = 1 << 20

    /// The decoded form; the error repeats nothing of it.
    private func document<Document: Decodable>(of request: Request) async throws -> Document {
        do {
            let body = try await request.body.collect(limit: Self.bodyLimit)
            return try JSONDecoder().decode(Document.self, from: Data(body))
        } catch {
            throw PageRefusal.unreadable("The request cannot be read.")
        }
    }
}

private struct FoldersDocument: Encodable {
    let schema = "gallery-sync/setup-folders/1"
    let folders: [String]
}

private struct FindingsDocument: Encodable {
    let schema = "gallery-sync/setup-findings/1"
    let findings: [SetUpFinding]
}

private struct AgentDocument: Encodable {
    let schema = "gallery-sync/setup-agent/1"
    let page: String?
}

/// What the newest trial has found so far.
private final class HeardFindings: Sendable {
    private let state = Mutex<(trial: Int, findings: [SetUpFinding])>((0, []))

    var all: [SetUpFinding] { state.withLock { $0.findings } }

    /// Forgets the previous trial; returns the function that notes this one's findings.
    func begin() -> @Sendable (SetUpFinding) -> Void {
        let trial = state.withLock { state in
            state = (state.trial + 1, [])
            return state.trial
        }
        return { finding in
            self.state.withLock { state in
                guard state.trial == trial else { return }
                state.findings.append(finding)
            }
        }
    }
}

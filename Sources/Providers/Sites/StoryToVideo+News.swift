import FoundationEssentials

extension StoryToVideo {
    /// True: the server has a socket for each work.
    package var tellsNews: Bool { true }

    /// Listens at the socket of a job's work; for a project, of the work begun last.
    package func news(of job: JobReference) async -> Bool {
        do {
            guard let work = try await liveWork(of: job) else { return false }
            let socket = try await WebSocket.open(socketAddress(of: work))
            while let told = try await told(by: socket) {
                if told.status.state.isEnd { return true }
            }
        } catch {
            // A failing socket does no harm: it only saves time, and the next poll finds out the rest.
        }
        return false
    }

    private func liveWork(of job: JobReference) async throws(ProviderError) -> String? {
        if job.id.hasPrefix("tasks/") { return String(job.id.dropFirst("tasks/".count)) }
        guard let recent = try await recentWork(of: job.id), !recent.status.state.isEnd else { return nil }
        return recent.id
    }

    /// The socket's address for a work's progress; needs a base that is http or https.
    func socketAddress(of work: String) -> String {
        "ws" + account.base.dropFirst("http".count) + "/tasks/\(ProviderAccount.escaped(work))/wss"
    }

    /// The work as the next frame describes it; `nil` at the end, throws where a frame cannot be read.
    func told(by socket: WebSocket) async throws -> StoryWork? {
        while let event = try await socket.next() {
            switch event {
            case .text(let text): return try work(frame: Array(text.utf8))
            case .binary(let bytes): return try work(frame: bytes)
            case .close: return nil
            case .ping, .pong: break
            }
        }
        return nil
    }
}

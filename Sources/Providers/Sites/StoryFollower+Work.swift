import FoundationEssentials

extension StoryFollower {
    /// What can happen while one work is followed.
    private enum Event: Sendable {
        case opened(WebSocket)
        case told(StoryWork, by: WebSocket)
        /// The socket could not be opened, or has ended.
        case mute
        case answered(Result<StoryWork, ProviderError>, series: Int)
    }

    /// Follows one work until the socket or an answer to a poll shows its end.
    package func end(of work: String) async throws -> StoryWork {
        let start = clock()
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask { await open(work) }
            group.addTask { try await ask(work, after: safetyPause, series: 0) }
            var (hasSocket, series, asked) = (true, 0, 0)
            while let event = try await group.next() {
                switch event {
                case .opened(let socket):
                    group.addTask { await listen(to: socket) }
                case .told(let work, let socket):
                    if work.status.state.isEnd { return work }
                    group.addTask { await listen(to: socket) }
                case .mute:
                    // The poll that is already waiting would come late; a new series begins now.
                    hasSocket = false
                    series += 1
                    group.addTask { [series] in try await ask(work, after: .zero, series: series) }
                case .answered(let answer, let number):
                    asked += 1
                    if let end = try end(after: answer, asked: asked, since: start) { return end }
                    guard number == series else { continue }
                    let wait = hasSocket ? safetyPause : wait(after: answer, asked: asked, since: start)
                    group.addTask { [series] in try await ask(work, after: wait, series: series) }
                }
            }
            throw CancellationError()
        }
    }

    private var safetyPause: Duration { .seconds(Double.random(in: safety)) }

    private func open(_ work: String) async -> Event {
        do {
            return .opened(try await WebSocket.open(server.socketAddress(of: work)))
        } catch {
            return .mute
        }
    }

    /// The next frame; one that cannot be read counts as a lost socket.
    private func listen(to socket: WebSocket) async -> Event {
        do {
            return try await server.told(by: socket).map { .told($0, by: socket) } ?? .mute
        } catch {
            socket.close()
            return .mute
        }
    }

    private func ask(_ work: String, after wait: Duration, series: Int) async throws -> Event {
        if wait > .zero { try await pause(wait) }
        do throws(ProviderError) {
            return .answered(.success(try await server.work(work)), series: series)
        } catch {
            return .answered(.failure(error), series: series)
        }
    }

    /// The work's end where an answer shows it; throws where polling again cannot help or the time is up.
    private func end(
        after answer: Result<StoryWork, ProviderError>, asked: Int, since start: Date
    ) throws -> StoryWork? {
        switch step(after: answer, asked: asked, since: start) {
        case .askAgain: nil
        case .ended: try answer.get()
        case .refused(let error): throw error
        case .overdue: throw overdue
        }
    }

    private func wait(after answer: Result<StoryWork, ProviderError>, asked: Int, since start: Date) -> Duration {
        guard case .askAgain(let wait) = step(after: answer, asked: asked, since: start) else { return .zero }
        return wait
    }

    private func step(
        after answer: Result<StoryWork, ProviderError>, asked: Int, since start: Date
    ) -> PollingPolicy.Step {
        policy.step(
            after: answer.map(\.status), asked: asked, since: start, at: clock(), random: .random(in: 0..<1))
    }

    private var overdue: ProviderError {
        ProviderError(
            .unavailable, "StoryToVideo has not finished within \(policy.overall); look whether its workers run.")
    }
}

package import FoundationEssentials

/// Follows StoryToVideo's works to their ends: by polling, and by socket where one can be opened.
///
/// A socket that is blocked, silent or lost only costs time, since polling goes on beside it.
package struct StoryFollower: Sendable {
    let server: StoryToVideo
    /// Paces the polls while there is no socket, and limits the time of one work.
    package var policy = PollingPolicy()
    /// Seconds between two polls while a socket is open; one value of the range is drawn for each.
    package var safety = 15.0...30.0
    /// Shots followed at the same time.
    package var width = 4
    /// How often to ask whether a failed work runs again, which the server may do by itself.
    package var secondChances = 3
    let clock: @Sendable () -> Date
    let pause: @Sendable (Duration) async throws -> Void

    /// A follower that reads the time from `clock` and waits in `pause`, which must throw when cancelled.
    package init(
        _ server: StoryToVideo, clock: @escaping @Sendable () -> Date = { Date() },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.server = server
        self.clock = clock
        self.pause = pause
    }
}

// MARK: A project

extension StoryFollower {
    /// Follows a project from its current step to its video; returns all files that it has made.
    ///
    /// - Parameter note: Receives each new course, to be stored before the next step.
    package func follow(
        _ course: StoryCourse, note: @Sendable (StoryCourse) async throws -> Void = { _ in }
    ) async throws -> JobStatus {
        var course = course
        while true {
            switch course.next {
            case .follow(let works):
                for work in try await ends(of: works) { course = course.after(work.id, work.status.state) }
            case .startVideo:
                course = course.started(video: try await startVideo(of: course.project))
            case .stuck(let work, let state):
                guard let again = try await rerun(of: work) else { throw failure(of: work, state) }
                course = course.after(work, again.status.state)
            case .done:
                return try await server.status(of: JobReference(.storyToVideo, "projects/\(course.project)"))
            }
            try await note(course)
        }
    }

    /// The ends of several works, at most `width` of them followed at once.
    private func ends(of works: [String]) async throws -> [StoryWork] {
        try await withThrowingTaskGroup(of: StoryWork.self) { group in
            var rest = works[...]
            for work in rest.prefix(width) { group.addTask { try await end(of: work) } }
            rest = rest.dropFirst(width)
            var ended: [StoryWork] = []
            while let work = try await group.next() {
                ended.append(work)
                if let next = rest.popFirst() { group.addTask { try await end(of: next) } }
            }
            return ended
        }
    }

    /// Starts the video once: the project shows whether an earlier start's answer was lost or not stored.
    private func startVideo(of project: String) async throws -> String {
        var attempt = 1
        while true {
            do throws(ProviderError) {
                if let work = try await server.videoWork(of: project) { return work }
                return try await server.startVideo(of: project)
            } catch {
                guard error.isRetryable, attempt < 5 else { throw error }
            }
            try await pause(policy.wait(after: attempt, random: .random(in: 0..<1)))
            attempt += 1
        }
    }

    /// A failed work that runs again; `nil` where it does not.
    private func rerun(of work: String) async throws -> StoryWork? {
        for chance in 1...max(1, secondChances) {
            try await pause(policy.wait(after: chance, random: .random(in: 0..<1)))
            if let again = try? await server.work(work), again.status.state != .failed, again.status.state != .cancelled
            {
                return again
            }
        }
        return nil
    }

    private func failure(of work: String, _ state: JobState) -> ProviderError {
        ProviderError(
            state == .cancelled ? .cancelled : .refused,
            "StoryToVideo \(state == .cancelled ? "cancelled" : "gave up on") \(work); start the project again there.")
    }
}

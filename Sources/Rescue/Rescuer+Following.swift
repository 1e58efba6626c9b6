import FoundationEssentials

extension Rescuer {
    /// Adds jobs that the user named; jobs that are in the registry already are retried if they had failed.
    ///
    /// - Parameter told: The same jobs, in the same order, with what their providers said about them.
    package func follow(_ offered: [Job], told: [Job]) async throws {
        for (job, (told, admission)) in zip(offered, zip(told, try await registry.add(told))) {
            guard case .known = admission else { continue }
            try await registry.update(told.id) { $0 = $0.requested(with: job).informed(by: told) }
        }
        notify()
    }

    /// The jobs with these identifiers that the registry knows.
    package func jobs(_ ids: [JobIdentifier]) async -> [Job] {
        var found: [Job] = []
        for id in ids {
            if let job = await registry.job(id) { found.append(job) }
        }
        return found
    }
}

import FoundationEssentials
import Platform
package import Providers
package import Records
package import Rescue
import Sync
import Text
import Uploading

extension Agent {
    /// Brings what `order` names into storage; waits until it is settled, or nothing falls due soon.
    ///
    /// Jobs in the registry are not added twice; of those, what failed is tried once more.
    package func rescue(_ order: RescueOrder) async throws -> (result: RescueListing, ending: Ending) {
        var closed: Ending?
        do {
            try await checkDestination()
        } catch let refusal as Refusal {
            closed = refusal.ending
            // The links expire whatever the state of the destination; what is fetched waits on this disk.
            if !watching.isOn { uploader.setPaused(true) }
        }
        let offered = try await candidates(order)
        if case .jobs = order.what { rescuer.notify() } else { try await follow(offered, told: offered) }
        let ids = offered.map(\.id)
        let ending = try await waitUntilRescued(ids, isClosed: closed != nil)
        let jobs = await jobs(ids)
        return (listing(jobs, isNew: jobs.map { _ in false }, notes: []), closed ?? ending)
    }

    /// All jobs in the order in which they were added, without the queries of their links.
    package func jobs() async -> [Job] { await rescuer.registry.all().map(\.redacted) }

    /// Follows jobs that were submitted elsewhere; those that had failed are asked about again.
    ///
    /// Throws `Refusal` where a provider is not configured; jobs before that one are added.
    package func addJobs(_ references: [JobReference]) async throws -> [Job] {
        var jobs: [Job] = []
        for reference in references { jobs.append(try await addJob(reference)) }
        return jobs
    }

    /// Follows one job that was submitted elsewhere, as `addJobs` does.
    package func addJob(_ reference: JobReference) async throws -> Job {
        guard setup.providers[reference.provider] != nil else { throw Self.unknown(reference.provider) }
        let job = Job(reference, addedAt: setup.clock())
        try await follow([job], told: [job])
        return (await rescuer.registry.job(job.id) ?? job).redacted
    }

    /// Adds jobs that the user named; those in the registry already are retried where they had failed.
    ///
    /// - Parameter told: The same jobs, in the same order, with what their providers said about them.
    func follow(_ offered: [Job], told: [Job]) async throws {
        for (job, (told, admission)) in zip(offered, zip(told, try await rescuer.registry.add(told))) {
            guard case .known = admission else { continue }
            try await rescuer.registry.update(told.id) { $0 = $0.requested(with: job).informed(by: told) }
        }
        rescuer.notify()
    }

    /// Cancels jobs; none of them where one is unknown, which throws `Refusal`.
    package func cancelJobs(_ ids: [String]) async throws -> [Job] {
        var jobs: [Job] = []
        for id in ids { jobs.append(try await known(id)) }
        for index in jobs.indices { jobs[index] = try await cancelJob(jobs[index].id.rawValue) }
        return jobs
    }

    private func known(_ id: String) async throws -> Job {
        if let job = await rescuer.registry.job(JobIdentifier(rawValue: id)) { return job }
        throw Refusal(.refused("There is no job \(id): \"gallery-sync jobs list\" shows all"))
    }

    /// Cancels a job: nothing more of it is fetched, and its provider is asked to stop it.
    ///
    /// Idempotent; a settled job stays as it is. Throws `Refusal` where there is no such job.
    package func cancelJob(_ id: String) async throws -> Job {
        let job = try await known(id)
        guard !job.isSettled else { return job.redacted }
        let cancelled = try await generator.cancel(job)
        try await rescuer.discard(cancelled.id)
        rescuer.notify()
        if let reference = job.reference, !job.state.isEnd, let provider = setup.providers[reference.provider] {
            do throws(ProviderError) {
                _ = try await provider.cancel(reference)
            } catch {
                setup.log.info("\(id) is not followed any more; the provider may still finish it: \(error)")
            }
        }
        return cancelled.redacted
    }

    func jobs(_ ids: [JobIdentifier]) async -> [Job] {
        var found: [Job] = []
        for id in ids {
            if let job = await rescuer.registry.job(id) { found.append(job) }
        }
        return found
    }
}

extension Ending {
    /// How a command ends after this error of a provider.
    init(_ error: ProviderError) {
        switch error.kind {
        case .unauthorized: self = .notPermitted("\(error)")
        case .unsupported: self = .usage("\(error)")
        default: self = error.isRetryable ? .temporary("\(error)") : .notPermitted("\(error)")
        }
    }
}

import FoundationEssentials
package import Providers
import Records
import Text

/// What a user asks of the registry of jobs: to follow some, to list all, to cancel some.
package struct JobOrders: Sendable {
    let rescuer: Rescuer
    /// Marks a job as cancelled; the job as it is then.
    let giveUp: @Sendable (Job) async throws -> Job

    /// Orders for the registry of `rescuer`.
    ///
    /// - Parameter giveUp: Marks a job as cancelled, with what its order cost; returns the job as it is then.
    package init(_ rescuer: Rescuer, giveUp: @escaping @Sendable (Job) async throws -> Job) {
        (self.rescuer, self.giveUp) = (rescuer, giveUp)
    }

    /// All jobs in the order in which they were added, without the queries of their links.
    package func all() async -> [Job] { await rescuer.registry.all().map(\.redacted) }

    /// Follows jobs that were submitted elsewhere, each once; jobs that had failed are asked about again.
    ///
    /// Throws `Refusal` where a provider is not configured or needs to be told the model; jobs before that one are added.
    package func add(_ references: [JobReference]) async throws -> [Job] {
        var jobs: [Job] = []
        for reference in references where !jobs.contains(where: { $0.id == JobIdentifier(reference) }) {
            jobs.append(try await add(reference))
        }
        return jobs
    }

    /// Follows one job that was submitted elsewhere, as `add` does with several.
    package func add(_ reference: JobReference) async throws -> Job {
        guard rescuer.setup.sources.providers[reference.provider] != nil else {
            throw RescueSurvey.unknown(reference.provider)
        }
        let job = Job(reference, addedAt: rescuer.setup.clock())
        if reference.lacksModel, await rescuer.registry.job(job.id)?.reference?.lacksModel ?? true {
            throw Refusal(.usage("fal finds a job by its model and its id: add --model, such as --model fal-ai/veo3.1"))
        }
        try await rescuer.follow([job], told: [job])
        return (await rescuer.registry.job(job.id) ?? job).redacted
    }

    /// Cancels jobs; if one of them is unknown, cancels none and throws `Refusal`.
    package func cancel(_ ids: [String]) async throws -> [Job] {
        var jobs: [Job] = []
        for id in ids { jobs.append(try await known(id)) }
        for index in jobs.indices { jobs[index] = try await cancel(jobs[index].id.rawValue) }
        return jobs
    }

    private func known(_ id: String) async throws -> Job {
        if let job = await rescuer.registry.job(JobIdentifier(rawValue: id)) { return job }
        throw Refusal(.refused("There is no job \(id): \"gallery-sync jobs list\" shows all"))
    }

    /// Cancels a job: nothing more of it is fetched, and its provider is asked to stop it.
    ///
    /// A cancelled job that failed no longer counts as lost. Idempotent; a stored job stays as it is. Throws `Refusal`
    /// if there is no such job.
    package func cancel(_ id: String) async throws -> Job {
        let job = try await known(id)
        guard !job.isCancelled, !job.isSettled || !job.isStored else { return job.redacted }
        let cancelled = try await giveUp(job)
        try await rescuer.discard(cancelled.id)
        rescuer.notify()
        if let reference = job.reference, !job.state.isEnd,
            let provider = rescuer.setup.sources.providers[reference.provider]
        {
            do throws(ProviderError) {
                _ = try await provider.cancel(reference)
            } catch {
                rescuer.setup.log.info("\(id) is not followed any more; the provider may still finish it: \(error)")
            }
        }
        return cancelled.redacted
    }
}

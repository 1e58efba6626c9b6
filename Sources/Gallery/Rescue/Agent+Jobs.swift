import FoundationEssentials
import Platform
package import Providers

extension Agent {
    /// What a rescue would bring; providers and tables are asked, nothing is written.
    package func rescuePlan(_ order: RescueOrder) async throws -> RescueListing {
        var found = try await candidates(order)
        var isKnown: [Bool] = []
        for index in found.indices {
            let known = await rescuer.book.job(found[index].id)
            isKnown.append(known != nil)
            found[index] = known ?? found[index]
        }
        let told = try await withFiles(found)
        let sized = await withSizes(told.jobs)
        return listing(sized, isNew: isKnown.map(!), notes: told.notes)
    }

    /// Brings what `order` names into storage, and waits until that is settled or takes too long.
    ///
    /// What is in the book already answers how it stands; of that, what failed is tried once more.
    package func rescue(_ order: RescueOrder) async throws -> (result: RescueListing, ending: Ending) {
        var closed: Ending?
        do {
            try await checkDestination()
        } catch let refusal as Refusal {
            closed = refusal.ending
            // The links die whatever the destination is; what is fetched waits on this disk.
            if !watching.isOn { uploader.setPaused(true) }
        }
        let offered = try await candidates(order)
        try await follow(offered)
        let ids = offered.map(\.id)
        let ending = try await waitUntilRescued(ids, isClosed: closed != nil)
        let jobs = await jobs(ids)
        return (listing(jobs, isNew: jobs.map { _ in false }, notes: []), closed ?? ending)
    }

    /// All jobs in the order they came, without the queries of their links.
    package func jobs() async -> [Job] { await rescuer.book.all().map(\.redacted) }

    /// Follows a job that was submitted elsewhere; one that had failed is asked about again.
    package func addJob(_ reference: JobReference) async throws -> Job {
        guard setup.providers[reference.provider] != nil else { throw Self.unknown(reference.provider) }
        let job = Job(reference, addedAt: setup.clock())
        try await follow([job])
        return (await rescuer.book.job(job.id) ?? job).redacted
    }

    /// Writes down what the user asks for; what is in the book already is tried once more where it had failed.
    private func follow(_ offered: [Job]) async throws {
        for (job, admission) in zip(offered, try await rescuer.book.add(offered)) {
            guard case .known = admission else { continue }
            try await rescuer.book.update(job.id) { $0 = $0.requested(with: job) }
        }
        rescuer.ring()
    }

    /// Wants no more of a job: nothing of it is fetched any more, and the provider is asked to stop it.
    package func cancelJob(_ id: String) async throws -> Job {
        guard let job = await rescuer.book.job(JobIdentifier(rawValue: id)) else {
            throw Refusal(.usage("There is no job \(id): \"gallery-sync jobs list\" shows all"))
        }
        guard !job.isSettled else { return job.redacted }
        let cancelled = try await generator.cancel(job)
        rescuer.ring()
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
            if let job = await rescuer.book.job(id) { found.append(job) }
        }
        return found
    }
}

// MARK: - What an order names

extension Agent {
    /// The jobs of an order, each once.
    private func candidates(_ order: RescueOrder) async throws -> [Job] {
        let now = setup.clock()
        var jobs: [Job]
        switch order.what {
        case .links(let links): jobs = links.map { Job($0, addedAt: now) }
        case .provider(let name, let since):
            guard let provider = setup.providers[name] else { throw Self.unknown(name) }
            do throws(ProviderError) {
                jobs = try await provider.finished(since: since ?? now - Self.history).map { Job($0, addedAt: now) }
            } catch {
                throw Refusal(Ending(error))
            }
        case .table(let table):
            guard let rows = setup.rows else {
                throw Refusal(.usage("There is no database to read \(table.table) from."))
            }
            jobs = try await rows.rows(table).map { Job(RescueLink($0.link), origin: .row($0), addedAt: now) }
        case .known: jobs = await rescuer.book.all().filter { !$0.isStored && !$0.isCancelled && !$0.isUnsent }
        }
        var seen: Set<JobIdentifier> = []
        jobs.removeAll { !seen.insert($0.id).inserted }
        return jobs
    }

    /// Seconds a provider's history is looked at where nobody says how far.
    static let history = 30 * 86_400.0

    static func unknown(_ provider: ProviderName) -> Refusal {
        Refusal(.needsHuman(Settings.Providers.missing(provider)))
    }

    /// The jobs with the files their providers tell of; a sentence for each that tells of none.
    private func withFiles(_ jobs: [Job]) async throws -> (jobs: [Job], notes: [String]) {
        var (jobs, notes) = (jobs, [String]())
        for index in jobs.indices where jobs[index].files.isEmpty && jobs[index].error == nil {
            guard let reference = jobs[index].reference, let provider = setup.providers[reference.provider] else {
                continue
            }
            do throws(ProviderError) {
                jobs[index].files = try await provider.files(of: reference).map { JobFile($0) }
            } catch {
                notes.append("\(jobs[index].id.rawValue): \(error)")
            }
            try Task.checkCancellation()
        }
        return (jobs, notes)
    }

    /// The jobs with the sizes of those files that nobody has told yet, asked for a few at a time.
    private func withSizes(_ jobs: [Job]) async -> [Job] {
        var jobs = jobs
        let open = jobs.indices.flatMap { job in jobs[job].files.indices.map { (job: job, file: $0) } }.filter {
            let file = jobs[$0.job].files[$0.file]
            return !file.isSettled && file.knownSize == nil
        }
        let download = Download(transport: setup.downloads ?? setup.transport, rules: setup.linkRules, chunk: 1)
        for start in stride(from: 0, to: open.count, by: Self.sizeQuestions) {
            await withTaskGroup(of: (Int, Int64?).self) { group in
                for place in start..<min(start + Self.sizeQuestions, open.count) {
                    let job = jobs[open[place].job]
                    let account = job.reference.flatMap { setup.providers[$0.provider] }?.account
                    group.addTask { (place, await download.size(of: job.files[open[place].file], account: account)) }
                }
                for await (place, size) in group { jobs[open[place].job].files[open[place].file].size = size }
            }
        }
        return jobs
    }

    /// Files whose size is asked for at once.
    private static let sizeQuestions = 8

    private func listing(_ jobs: [Job], isNew: [Bool], notes: [String]) -> RescueListing {
        var rows = zip(jobs, isNew).flatMap { RescueListing.rows(of: $0, isNew: $1, rules: setup.linkRules) }
        rows.sort { ($0.expires ?? .distantFuture, $0.job) < ($1.expires ?? .distantFuture, $1.job) }
        return RescueListing(rows: rows, notes: notes).fitted(into: budget.room, isLimited: budget.isLimited)
    }
}

extension Ending {
    /// What a provider's refusal means for a command.
    init(_ error: ProviderError) {
        switch error.kind {
        case .unauthorized: self = .notPermitted("\(error)")
        case .unsupported: self = .usage("\(error)")
        default: self = error.isRetryable ? .temporary("\(error)") : .notPermitted("\(error)")
        }
    }
}

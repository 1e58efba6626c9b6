import Cleansing
import Configuration
import FoundationEssentials
import Platform
package import Providers
package import Records
import Supabase
import Sync
package import Uploading

/// Finds what a rescue would bring: asks providers, tables and hosts.
package struct RescueSurvey: Sendable {
    let rescuer: Rescuer
    let budget: BudgetReservations

    /// A survey for `rescuer`; reports which files `budget` has no room for.
    package init(_ rescuer: Rescuer, budget: BudgetReservations) { (self.rescuer, self.budget) = (rescuer, budget) }

    private var setup: Rescuer.Setup { rescuer.setup }

    /// What a rescue would bring; providers and tables are asked.
    ///
    /// Unless the order is a dry run, the jobs are recorded as they were found, so that no provider is asked twice: the
    /// order to carry out is then `.jobs` with the identifiers in the listing.
    ///
    /// Throws `Refusal` if the order names a link that must not be followed, because its job would fail for good.
    package func plan(_ order: RescueOrder) async throws -> RescueListing {
        if case .links(let links) = order.what {
            for link in links {
                guard let refusal = setup.sources.linkRules.refusal(of: link.url) else { continue }
                throw Refusal(.refused("\(Cleanser.link(link.url)): \(refusal.clause)"))
            }
        }
        let offered = try await candidates(order)
        var (found, isNew) = (offered, [Bool]())
        for index in found.indices {
            let known = await rescuer.registry.job(found[index].id)
            isNew.append(known == nil)
            found[index] = known ?? found[index]
        }
        var told = try await withFiles(found)
        told.jobs = await withSizes(told.jobs)
        try Task.checkCancellation()
        if !order.dryRun { try await rescuer.follow(offered, told: told.jobs) }
        return listing(told.jobs, isNew: isNew, notes: told.notes)
    }
}

extension RescueSurvey {
    /// The jobs of an order, each once.
    package func candidates(_ order: RescueOrder) async throws -> [Job] {
        let now = setup.clock()
        var jobs: [Job]
        switch order.what {
        case .links(let links): jobs = Job.bringing(links, known: await rescuer.registry.all(), at: now)
        case .provider(let name, let since):
            guard let provider = setup.sources.providers[name] else { throw Self.unknown(name) }
            do throws(ProviderError) {
                jobs = try await provider.finished(since: since ?? now - Self.history).map { Job($0, addedAt: now) }
            } catch {
                throw Refusal(Ending(error, of: name))
            }
        case .table(let table):
            guard let rows = setup.sources.rows else {
                throw Refusal(.usage("There is no database to read \(table.table) from."))
            }
            if let refusal = try await rowRefusal() { throw Refusal(refusal) }
            jobs = try await rows.rows(table).map { Job(RescueLink($0.link), origin: .row($0), addedAt: now) }
        case .known:
            // A refused order has nothing that could be brought.
            jobs = await rescuer.registry.all().filter {
                !$0.isStored && !$0.isCancelled && $0.submission?.refusal == nil
            }
        case .jobs(let ids): jobs = await rescuer.jobs(ids)
        }
        var seen: Set<JobIdentifier> = []
        jobs.removeAll { !seen.insert($0.id).inserted }
        return jobs
    }

    /// Seconds of a provider's history that are searched where the order names no date.
    static let history = 30 * 86_400.0

    /// The refusal of an order about a provider that is not configured.
    package static func unknown(_ provider: ProviderName) -> Refusal {
        Refusal(.needsHuman(Settings.Providers.missing(provider)))
    }

    /// The jobs with the files that their providers list; a sentence for each provider that failed.
    private func withFiles(_ jobs: [Job]) async throws -> (jobs: [Job], notes: [String]) {
        var (jobs, notes) = (jobs, [String]())
        let open = jobs.indices.filter { jobs[$0].files.isEmpty && jobs[$0].error == nil && !jobs[$0].isCancelled }
        let answers = await answers(open) { [jobs, setup] index in
            guard let reference = jobs[index].reference, let provider = setup.sources.providers[reference.provider]
            else {
                return Result<JobStatus, ProviderError>?.none
            }
            return await provider.standing(of: reference)
        }
        try Task.checkCancellation()
        for (index, answer) in answers {
            switch answer {
            case .success(let status)? where status.state.isEnd:
                let provider = jobs[index].reference.flatMap { setup.sources.providers[$0.provider] }
                let policy = provider.map { setup.sources.polling.of($0) } ?? setup.sources.polling
                jobs[index] = jobs[index].after(
                    .success(status), policy: policy, at: setup.clock(), random: .random(in: 0..<1))
            case .success(let status)?: jobs[index].state = status.state
            case .failure(let error)?: notes.append("\(jobs[index].id.rawValue): \(error)")
            case nil: break
            }
        }
        return (jobs, notes)
    }

    /// The jobs with the sizes of files whose providers have not announced them.
    private func withSizes(_ jobs: [Job]) async -> [Job] {
        var jobs = jobs
        let open = jobs.indices.flatMap { job in jobs[job].files.indices.map { (job: job, file: $0) } }.filter {
            let file = jobs[$0.job].files[$0.file]
            return !file.isSettled && file.knownSize == nil
        }
        let (transport, rules) = (setup.downloads, setup.sources.linkRules)
        let sizes = await answers(Array(open.indices)) { [jobs, setup] place in
            let job = jobs[open[place].job]
            let account = job.reference.flatMap { setup.sources.providers[$0.provider] }?.account
            let download = Download(transport: transport, rules: rules.of(job.reference?.provider), chunk: 1)
            return await download.size(of: job.files[open[place].file], account: account)
        }
        for (place, size) in sizes { jobs[open[place].job].files[open[place].file].size = size }
        return jobs
    }

    /// The answers of `ask` about each of `places`, in their order; a few run at once.
    private func answers<Answer: Sendable>(
        _ places: [Int], _ ask: @escaping @Sendable (Int) async -> Answer
    ) async -> [(Int, Answer)] {
        var found: [(Int, Answer)] = []
        for start in stride(from: 0, to: places.count, by: Self.questionsAtOnce) {
            await withTaskGroup(of: (Int, Answer).self) { group in
                for place in places[start..<min(start + Self.questionsAtOnce, places.count)] {
                    group.addTask { (place, await ask(place)) }
                }
                for await answer in group { found.append(answer) }
            }
        }
        return found.sorted { $0.0 < $1.0 }
    }

    private static let questionsAtOnce = 8

    /// The files of `jobs` as a person sees them, the one whose deadline is nearest first.
    ///
    /// - Parameters:
    ///   - isNew: Of each job, whether it was not in the registry before.
    ///   - notes: What could not be asked, a sentence each.
    package func listing(_ jobs: [Job], isNew: [Bool], notes: [String]) -> RescueListing {
        var rows = zip(jobs, isNew).flatMap {
            RescueListing.rows(of: $0, isNew: $1, rules: setup.sources.linkRules.of($0.reference?.provider))
        }
        rows.sort { ($0.expires ?? .distantFuture, $0.job) < ($1.expires ?? .distantFuture, $1.job) }
        return RescueListing(rows: rows, notes: notes).fitted(into: budget.room, isLimited: budget.isLimited)
    }

    /// Why rows would get no working link, or what keeps that from being known; `nil` if nothing is in the way.
    private func rowRefusal() async throws -> Ending? {
        do {
            return try await rescuer.rowRefusal().map { .needsHuman($0) }
        } catch let error as StorageError {
            return error.isRetryable ? .temporary("\(error)") : .notPermitted("\(error)")
        }
    }
}

extension Ending {
    /// How a command ends after an error of the provider of that name, whose own words rarely name it.
    package init(_ error: ProviderError, of name: ProviderName) {
        let isClosed = error.bearing == .key
        let words = isClosed ? Settings.Providers.refused(name, error) : "\(name.rawValue): \(error)"
        switch error.kind {
        case .unauthorized: self = .notPermitted(words)
        case .insufficientCredits: self = .full(words)
        case .unsupported: self = .usage("\(error)")
        default: self = error.isRetryable ? .temporary(words) : .notPermitted(words)
        }
    }
}

import FoundationEssentials
import Platform
import Queue

/// The single writer of `jobs.json`.
///
/// A change is made in memory and handed to the journal in one step that never suspends; the `async` methods
/// return once that line is durable.
package actor JobRegistry {
    private let thread = SerialThread(name: "jobs")
    /// Runs the actor on its own thread, because writing the journal blocks.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    private var jobs: [JobIdentifier: Job]
    /// In the order in which the jobs were added.
    private var order: [JobIdentifier]
    /// The stored identifiers of jobs whose identifier by their provider is another one.
    private var aliases: [JobIdentifier: JobIdentifier]
    private var writer: RecordWriter<Job>
    /// A sentence for each thing that could not be read at start.
    package nonisolated let warnings: [String]

    /// Settled jobs that are kept, the newest, so that a repeated order is recognised as done.
    package static let kept = 10_000

    /// Loads what `store` holds; settled jobs beyond `kept` are dropped, unless they are needed.
    ///
    /// - Parameter foldSize: Bytes of the journal after which it is folded into `jobs.json`.
    package init(store: JobStore, kept: Int = JobRegistry.kept, foldSize: Int = 8 << 20) throws {
        let loaded = try store.load()
        let forgotten = loaded.entries.count(where: \.mayBeForgotten) - kept
        var past = 0
        let entries = loaded.entries.filter { job in
            guard job.mayBeForgotten else { return true }
            past += 1
            return past > forgotten
        }.map(\.withRefusal.withoutUsedLinks)
        warnings = loaded.warnings
        jobs = Dictionary(entries.map { ($0.id, $0) }) { $1 }
        order = entries.map(\.id)
        aliases = Dictionary(entries.compactMap(\.alias)) { first, _ in first }
        writer = try RecordWriter(store, after: loaded, entries: entries, foldSize: foldSize, isLazy: true)
    }
}

// MARK: - What callers await

extension JobRegistry {
    /// Whether a job that was offered was new.
    package enum Admission: Hashable, Sendable {
        case new
        /// It was in the registry already, in this state.
        case known(Job)
    }

    /// Durably adds those of `offered` that are not in the registry yet, with one sync for all of them.
    ///
    /// Returns one admission for each, in their order.
    package nonisolated func add(_ offered: [Job]) async throws -> [Admission] {
        let (admissions, commit) = try await admit(offered)
        try await commit?.wait()
        return admissions
    }

    /// Changes one job durably; the job as it is now, or `nil` where there is none of that name.
    ///
    /// Nothing is written where `change` leaves the job as it is.
    @discardableResult
    package nonisolated func update(
        _ id: JobIdentifier, _ change: @Sendable @escaping (inout Job) -> Void
    ) async throws -> Job? {
        let (job, commit) = try await rewrite(id, change)
        try await commit?.wait()
        return job
    }

    /// Folds the journal into `jobs.json`, for a clean stop.
    package func close() throws { try writer.close { all() } }
}

// MARK: - Changes, none of which suspends

extension JobRegistry {
    func admit(_ offered: [Job]) throws -> ([Admission], Commit?) {
        var admissions: [Admission] = []
        var changes: [RecordChange<Job>] = []
        for job in offered {
            if let known = self.job(job.id) {
                admissions.append(.known(known))
                continue
            }
            jobs[job.id] = job
            order.append(job.id)
            changes.append(.set(job))
            admissions.append(.new)
        }
        return (admissions, try writer.record(changes) { all() })
    }

    private func rewrite(_ id: JobIdentifier, _ change: (inout Job) -> Void) throws -> (Job?, Commit?) {
        guard let old = self.job(id) else { return (nil, nil) }
        var job = old
        change(&job)
        job = job.withoutUsedLinks
        guard job != old else { return (job, writer.last) }
        jobs[job.id] = job
        if let (other, name) = job.alias { aliases[other] = name }
        return (job, try writer.record([.set(job)]) { all() })
    }
}

// MARK: - Looks

extension JobRegistry {
    /// All jobs in the order in which they were added.
    package func all() -> [Job] { order.compactMap { jobs[$0] } }

    /// The job of that name, even if it is stored under another name than its provider's.
    package func job(_ id: JobIdentifier) -> Job? { jobs[id] ?? aliases[id].flatMap { jobs[$0] } }

    /// The jobs that are not settled, in the order in which they were added.
    package func open() -> [Job] { order.compactMap { jobs[$0] }.filter { !$0.isSettled } }
}

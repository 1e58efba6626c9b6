package import FoundationEssentials
package import Providers
import Records
package import Rescue
import Synchronization

/// Submits orders for videos, each exactly once even across crashes.
///
/// The idempotency key and the intent are written to disk first, then that the call is about to be made; then the call
/// is made, and its answer is written. If the answer is lost, a provider with idempotency keys is asked again with the
/// same key; for others the history is searched, and the job stays `unknown` until that or the user settles it.
package final class Generator: Sendable {
    private let registry: JobRegistry
    private let providers: [ProviderName: any Provider]
    private let clock: @Sendable () -> Date
    private let pause: @Sendable (Duration) async throws -> Void
    /// Called with each change of the ledger, for the audit log.
    private let note: @Sendable (Ledger.Line, ProviderName) async throws -> Void
    private let busy = Mutex<Set<JobIdentifier>>([])

    /// Calls with one idempotency key within one command.
    private static let attempts = 3

    /// A generator that submits through `providers` and records each step in `registry`.
    ///
    /// - Parameters:
    ///   - pause: Waits between two calls with one key.
    ///   - note: Writes a change of the ledger to the audit log.
    package init(
        registry: JobRegistry, providers: [ProviderName: any Provider], clock: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        note: @escaping @Sendable (Ledger.Line, ProviderName) async throws -> Void = { _, _ in }
    ) {
        self.registry = registry
        self.providers = providers
        self.clock = clock
        self.pause = pause
        self.note = note
    }
}

extension Generator {
    /// Orders a video; returns the job, which was taken or refused, or whose outcome is unknown.
    ///
    /// Throws `Refusal` where the cost would exceed `limit`.
    ///
    /// - Parameter limit: What may be spent or reserved at the provider, in millionths of its unit; `nil` for no limit.
    package func generate(_ order: GenerateOrder, limit: Int64?) async throws -> Job {
        let job = Job(
            SubmitIntent(
                key: .fresh(), provider: order.provider, model: order.model, input: order.input, madeAt: clock(),
                cost: order.cost))
        // Before the job is in the registry, so that no other task that finds it there begins it, too.
        busy.withLock { _ = $0.insert(job.id) }
        defer { busy.withLock { _ = $0.remove(job.id) } }
        do {
            try await note(try await registry.submit(job, limit: limit), order.provider, job.id)
        } catch let refusal as Ledger.Refusal {
            throw Refusal(.needsHuman("\(refusal)"))
        }
        return try await carry(job.id)
    }

    /// The newest equal order that no provider has answered; `nil` if there is none.
    package func unanswered(like order: GenerateOrder) async -> Job? {
        await registry.all().last { job in
            guard job.isUnsent, let intent = job.submission?.intent else { return false }
            return (intent.provider, intent.model, intent.input) == (order.provider, order.model, order.input)
        }
    }

    /// Finishes submissions that an earlier run left between intent and answer; idempotent.
    ///
    /// - Returns: Whether there were any, so that a provider may have news.
    @discardableResult
    package func resume() async throws -> Bool {
        try await noteMissing()
        var hasCarried = false
        for job in await registry.all() where job.isUnsent {
            guard busy.withLock({ $0.insert(job.id).inserted }) else { continue }
            defer { busy.withLock { _ = $0.remove(job.id) } }
            _ = try await carry(job.id)
            hasCarried = true
        }
        return hasCarried
    }

    /// Marks a job as cancelled by the user; the job as it is now.
    ///
    /// The provider is not told.
    package func cancel(_ job: Job) async throws -> Job {
        guard let intent = job.submission?.intent else {
            return try await registry.update(job.id) { $0.isCancelled = true } ?? job
        }
        try await note(
            try await registry.settle(job.id, at: clock()) { $0.isCancelled = true }, intent.provider, job.id)
        return try await current(job.id)
    }

    /// Takes the steps that the submission's stage requires, until it is answered or has to wait.
    private func carry(_ id: JobIdentifier) async throws -> Job {
        for attempt in 1...Self.attempts {
            if attempt > 1 {
                guard await registry.job(id)?.isUnsent == true else { break }
                try await pause(PollingPolicy().wait(after: attempt - 1, random: .random(in: 0..<1)))
            }
            // Looked up after the pause, because the user may have given the job up meanwhile.
            guard let job = await registry.job(id), job.isUnsent, let submission = job.submission,
                let provider = providers[submission.intent.provider]
            else { break }
            switch submission.recovery(hasIdempotencyKeys: provider.hasIdempotencyKeys) {
            case .submit: try await call(provider, submission.intent, id)
            case .lookUp:
                try await lookUp(submission.intent, at: provider, id)
                return try await current(id)
            case .follow, .none: break
            }
        }
        return try await current(id)
    }

    /// The job of that name as it is now; throws `Refusal` where there is none.
    package func current(_ id: JobIdentifier) async throws -> Job {
        guard let job = await registry.job(id) else {
            throw Refusal(.temporary("\(id.rawValue) is gone from jobs.json"))
        }
        return job
    }

    private func call(_ provider: any Provider, _ intent: SubmitIntent, _ id: JobIdentifier) async throws {
        let line = try await registry.settle(id, at: clock()) { if $0.isUnsent { $0 = $0.calling } }
        try await note(line, intent.provider, id)
        // An order that was given up before it counts as sent is not sent.
        guard await registry.job(id)?.isUnsent == true else { return }
        let answer: Result<SubmitReceipt, ProviderError>
        do throws(ProviderError) {
            answer = .success(try await provider.submit(intent))
        } catch {
            answer = .failure(error)
        }
        try await note(try await registry.settle(id, at: clock()) { $0 = $0.after(answer) }, intent.provider, id)
    }

    /// Searches the provider's history for a job like `intent` that belongs to no other submission.
    ///
    /// No answer, or a refusal, changes nothing.
    private func lookUp(_ intent: SubmitIntent, at provider: any Provider, _ id: JobIdentifier) async throws {
        let found: [JobReference]
        do throws(ProviderError) {
            found = try await provider.jobs(like: intent)
        } catch {
            return
        }
        let claimed = Set(await registry.all().compactMap { $0.submission?.reference }.map { JobIdentifier($0) })
        guard let reference = found.last(where: { !claimed.contains(JobIdentifier($0)) }) else { return }
        let isKnown = await registry.job(JobIdentifier(reference)) != nil
        let line = try await registry.settle(id, at: clock()) {
            $0 = isKnown ? $0.followed(as: reference) : $0.after(.success(SubmitReceipt(reference)))
        }
        try await note(line, intent.provider, id)
    }
}

// MARK: - The audit log

extension Generator {
    private func note(_ line: Ledger.Line?, _ provider: ProviderName, _ id: JobIdentifier) async throws {
        guard let line else { return }
        try await note(line, provider)
        try await registry.update(id) { $0.submission?.audited = line.stage }
    }

    /// Writes the lines that are missing from the audit log because the program stopped before.
    ///
    /// Jobs are written before the log, so they hold every amount.
    private func noteMissing() async throws {
        let jobs = await registry.all()
        for provider in Set(jobs.compactMap { $0.submission?.intent.provider }) {
            let ledger = Ledger(of: jobs, at: provider)
            for job in jobs where !busy.withLock({ $0.contains(job.id) }) {
                guard let submission = job.submission, submission.intent.provider == provider,
                    let entry = ledger[submission.intent.key], entry.stage != submission.audited
                else { continue }
                let line = Ledger.Line(
                    at: clock(), key: submission.intent.key, stage: entry.stage, amount: entry.amount,
                    bound: ledger.bound)
                try await note(line, provider, job.id)
            }
        }
    }
}

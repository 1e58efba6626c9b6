import FoundationEssentials
package import Providers

extension Ledger {
    /// What the jobs of `provider` cost and may cost.
    ///
    /// The ledger is always derived from the jobs, so the two never differ.
    package init(of jobs: [Job], at provider: ProviderName) {
        self.init()
        for job in jobs where job.submission?.intent.provider == provider { enter(job) }
    }

    /// Enters the amount of a job's intent at its stage.
    ///
    /// An order that may have reached the provider before the user gave it up counts as spent: its outcome is unknown.
    private mutating func enter(_ job: Job) {
        guard let submission = job.submission else { return }
        let intent = submission.intent
        // It is entered even beyond the limit, because it has happened already.
        _ = try? reserve(
            intent.cost ?? 0, for: intent.key, at: intent.provider, limit: .max / 2, now: intent.madeAt)
        switch submission.stage {
        case .intended where job.isCancelled: _ = try? release(intent.key, now: intent.madeAt)
        case .called where job.isCancelled: _ = try? commit(intent.key, now: intent.madeAt)
        case .intended, .called: break
        case .taken: _ = try? commit(intent.key, actual: submission.charged, now: intent.madeAt)
        case .refused: _ = try? release(intent.key, now: intent.madeAt)
        }
    }

    /// The audit line for `key` where this ledger differs from `before`; `nil` where they agree.
    func line(about key: IdempotencyKey, before: Ledger, at now: Date) -> Line? {
        guard let entry = self[key], entry.stage != before[key]?.stage || entry.amount != before[key]?.amount else {
            return nil
        }
        return Line(at: now, key: key, stage: entry.stage, amount: entry.amount, bound: bound)
    }
}

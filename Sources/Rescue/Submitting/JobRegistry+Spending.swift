package import FoundationEssentials
import Platform
package import Providers

extension JobRegistry {
    /// Durably records a submission and reserves its cost in one step, unless `limit` would be exceeded.
    ///
    /// Throws `Ledger.Refusal`; nothing was written then. Amounts are in millionths of the provider's unit.
    package nonisolated func submit(_ job: Job, limit: Int64?) async throws -> Ledger.Line? {
        let (line, commit) = try await bind(job, limit: limit)
        try await commit?.wait()
        return line
    }

    /// Changes a job durably; returns the ledger's line where the amount of its submission changed.
    package nonisolated func settle(
        _ id: JobIdentifier, at now: Date, _ change: @Sendable @escaping (inout Job) -> Void
    ) async throws -> Ledger.Line? {
        guard let intent = await job(id)?.submission?.intent else { return nil }
        let before = Ledger(of: await all(), at: intent.provider)
        _ = try await update(id, change)
        return Ledger(of: await all(), at: intent.provider).line(about: intent.key, before: before, at: now)
    }

    private func bind(_ job: Job, limit: Int64?) throws -> (Ledger.Line?, Commit?) {
        guard let intent = job.submission?.intent else { return (nil, nil) }
        var ledger = Ledger(of: all(), at: intent.provider)
        let line = try ledger.reserve(
            intent.cost ?? 0, for: intent.key, at: intent.provider, limit: limit ?? .max / 2, now: intent.madeAt)
        return (line, try admit([job]).1)
    }
}

package import FoundationEssentials

/// A service that makes videos: what it says about jobs, and what it lets us do.
///
/// Each call is one question, now and then two; nothing is retried. What a provider does not offer throws
/// `ProviderError` of kind `unsupported`.
package protocol Provider: Sendable {
    var name: ProviderName { get }
    /// Who we are there; adds the key to downloads from the provider's own host.
    var account: ProviderAccount { get }
    /// Whether submitting the same intent twice makes one job.
    var hasIdempotencyKeys: Bool { get }
    /// Whether it tells of a job's end by itself.
    var tellsNews: Bool { get }

    /// Where `job` stands; a job that failed is an answer, not an error.
    func status(of job: JobReference) async throws(ProviderError) -> JobStatus
    /// The files of a finished job, with fresh links where the provider makes them anew.
    func files(of job: JobReference) async throws(ProviderError) -> [RemoteMedia]
    /// Asks for a new video; may cost money, and without a key must not be repeated blindly.
    func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt
    func cancel(_ job: JobReference) async throws(ProviderError) -> CancelOutcome
    /// Jobs that succeeded at `since` or later, also those submitted elsewhere.
    func finished(since: Date) async throws(ProviderError) -> [JobReference]
    /// Jobs with the same model and input that the provider took since the intent; for answers that were lost.
    func jobs(like intent: SubmitIntent) async throws(ProviderError) -> [JobReference]
    /// Returns when the provider tells of the job's end: `true`; `false` when it will not tell, now or any longer.
    func news(of job: JobReference) async -> Bool
}

extension Provider {
    package var hasIdempotencyKeys: Bool { false }
    package var tellsNews: Bool { false }
    package func news(of job: JobReference) async -> Bool { false }

    package func files(of job: JobReference) async throws(ProviderError) -> [RemoteMedia] {
        let status = try await status(of: job)
        if let error = status.error { throw error }
        return status.files
    }

    package func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt {
        throw unsupported("makes no videos for us; submit the job there and add it here")
    }

    package func cancel(_ job: JobReference) async throws(ProviderError) -> CancelOutcome {
        throw unsupported("has no way to cancel a job")
    }

    package func finished(since: Date) async throws(ProviderError) -> [JobReference] {
        throw unsupported("lists no finished jobs; add them by their ids")
    }

    package func jobs(like intent: SubmitIntent) async throws(ProviderError) -> [JobReference] {
        throw unsupported("does not tell what it was asked for")
    }

    private func unsupported(_ what: String) -> ProviderError {
        ProviderError(.unsupported, "\(name.rawValue) \(what).")
    }
}

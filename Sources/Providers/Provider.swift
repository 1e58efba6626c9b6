package import FoundationEssentials

/// A service that makes videos: what it says about jobs, and what it lets us do.
///
/// Each call makes one request, sometimes two; nothing is retried. Calls that a provider does not offer throw a
/// `ProviderError` of kind `unsupported`.
package protocol Provider: Sendable {
    /// The name that jobs, settings and reports use for this provider.
    var name: ProviderName { get }
    /// The credentials for API calls and for downloads from the provider's own host.
    var account: ProviderAccount { get }
    /// Whether submitting the same intent twice makes one job.
    var hasIdempotencyKeys: Bool { get }
    /// Whether it can push the news of a job's end, so that `news(of:)` is worth calling.
    var tellsNews: Bool { get }
    /// The least time between two questions about one job.
    var leastWait: Duration { get }
    /// How long answered questions may be refused in a row before a job is given up.
    var patience: Duration { get }
    /// How long a finished file is kept; `nil` where nothing is documented.
    var lifetime: Duration? { get }

    /// The current status of `job`; a failed job is a status, not an error.
    func status(of job: JobReference) async throws(ProviderError) -> JobStatus
    /// The files of a finished job, with fresh links where the provider issues new ones.
    func files(of job: JobReference) async throws(ProviderError) -> [RemoteMedia]
    /// Another link to the file that was at `link`, the one at `index` of the job's files; `nil` where there is none.
    ///
    /// It may be the same link again.
    func renewed(_ link: String, at index: Int, of job: JobReference) async throws(ProviderError) -> RemoteMedia?
    /// The bytes of a file that the answer about the job itself contains, by its number there.
    func inlined(_ number: Int, of job: JobReference) async throws(ProviderError) -> [UInt8]
    /// Asks for a new video; may cost money, and without a key must not be repeated blindly.
    func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt
    /// Takes the next step of a job that was ordered here, if the provider makes it in steps; idempotent.
    func proceed(with job: JobReference) async throws(ProviderError)
    /// Asks the provider to stop `job`; a job that has already ended is `tooLate`, not an error.
    func cancel(_ job: JobReference) async throws(ProviderError) -> CancelOutcome
    /// Jobs that succeeded at `since` or later, also those submitted elsewhere.
    func finished(since: Date) async throws(ProviderError) -> [JobReference]
    /// Jobs with the same model and input accepted since the intent was made; finds a job whose answer was lost.
    func jobs(like intent: SubmitIntent) async throws(ProviderError) -> [JobReference]
    /// Waits until the provider pushes the job's end (`true`), or until no push can be expected (`false`).
    func news(of job: JobReference) async -> Bool
}

extension Provider {
    /// False unless the provider documents idempotency keys.
    package var hasIdempotencyKeys: Bool { false }
    /// False: most providers have to be polled.
    package var tellsNews: Bool { false }
    /// None: few providers ask for one.
    package var leastWait: Duration { .zero }
    /// The figure known for the provider's name.
    package var patience: Duration { name.patience }
    /// The figure known for the provider's name.
    package var lifetime: Duration? { name.lifetime }
    /// Returns `false` at once: the provider pushes nothing.
    package func news(of job: JobReference) async -> Bool { false }

    /// The files named by the job's status; throws the job's own error when it has failed.
    package func files(of job: JobReference) async throws(ProviderError) -> [RemoteMedia] {
        let status = try await status(of: job)
        if let error = status.error { throw error }
        return status.files
    }

    /// The file with that address among the job's present files, else the one at `index`.
    package func renewed(
        _ link: String, at index: Int, of job: JobReference
    ) async throws(ProviderError) -> RemoteMedia? {
        try await listed(link, at: index, of: job)
    }

    func listed(_ link: String, at index: Int, of job: JobReference) async throws(ProviderError) -> RemoteMedia? {
        let (media, identity) = (try await files(of: job), RemoteMedia(link, .unknown).identity)
        return media.first { $0.identity == identity } ?? (media.indices.contains(index) ? media[index] : nil)
    }

    /// Throws `missing`: the provider's answers hold links only.
    package func inlined(_ number: Int, of job: JobReference) async throws(ProviderError) -> [UInt8] {
        throw ProviderError(.missing, "\(name.rawValue)'s answer does not hold the file.")
    }

    /// Throws `unsupported`: jobs of this provider are submitted elsewhere.
    package func submit(_ intent: SubmitIntent) async throws(ProviderError) -> SubmitReceipt {
        throw unsupportedSubmission
    }

    /// Does nothing: the provider goes on by itself.
    package func proceed(with job: JobReference) async throws(ProviderError) {}

    /// Throws `unsupported`: the provider documents no way to cancel.
    package func cancel(_ job: JobReference) async throws(ProviderError) -> CancelOutcome {
        throw unsupportedCancelling
    }

    /// Throws `unsupported`: the provider has no list of jobs.
    package func finished(since: Date) async throws(ProviderError) -> [JobReference] {
        throw unsupportedListing
    }

    /// Throws `unsupported`: the provider does not return a job's input.
    package func jobs(like intent: SubmitIntent) async throws(ProviderError) -> [JobReference] {
        throw unsupported("does not tell what it was asked for")
    }

    var unsupportedSubmission: ProviderError {
        unsupported("makes no videos for us; submit the job there and add it here")
    }

    var unsupportedCancelling: ProviderError { unsupported("has no way to cancel a job") }

    var unsupportedListing: ProviderError { unsupported("lists no finished jobs; add them by their ids") }

    private func unsupported(_ what: String) -> ProviderError {
        ProviderError(.unsupported, "\(name.rawValue) \(what).")
    }
}

package import FoundationEssentials

/// What a provider says about a job at one moment.
package struct JobStatus: Hashable, Sendable {
    /// The provider's word in the common vocabulary.
    package var state: JobState
    /// From 0 to 1.
    package var progress: Double?
    /// Why it failed.
    package var error: ProviderError?
    /// When the provider accepted the job; `nil` where it does not say.
    package var createdAt: Date?
    /// When the job ended; `nil` while it runs or where the provider does not say.
    package var endedAt: Date?
    /// The files to download, as far as this answer names them.
    package var files: [RemoteMedia] = []

    /// A status without progress or times, which the caller adds where the provider states them.
    package init(_ state: JobState, error: ProviderError? = nil, files: [RemoteMedia] = []) {
        self.state = state
        self.error = error
        self.files = files
    }

    /// Converts a percentage, as most providers report it, to a share from 0 to 1.
    static func share(percent: Double?) -> Double? {
        percent.map { max(0, min($0, 100)) / 100 }
    }

    /// The same status with the deadlines from the links, or else `lifetime` after the job's end.
    func dated(lifetime: Duration?, expiresAt: Date? = nil) -> JobStatus {
        var status = self
        for index in status.files.indices where status.files[index].deadline == nil {
            status.files[index].deadline = Deadline(
                link: status.files[index].url, expiresAt: expiresAt, endedAt: endedAt, lifetime: lifetime)
        }
        return status
    }
}

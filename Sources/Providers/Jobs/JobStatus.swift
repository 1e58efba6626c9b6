package import FoundationEssentials

/// What a provider says about a job at one moment.
package struct JobStatus: Hashable, Sendable {
    package var state: JobState
    /// From 0 to 1.
    package var progress: Double?
    /// Why it failed.
    package var error: ProviderError?
    package var createdAt: Date?
    package var endedAt: Date?
    /// What is there to fetch, as far as this answer tells.
    package var files: [RemoteMedia] = []

    package init(_ state: JobState, error: ProviderError? = nil, files: [RemoteMedia] = []) {
        self.state = state
        self.error = error
        self.files = files
    }

    /// A percentage, as most providers count, becomes a share.
    static func share(percent: Double?) -> Double? {
        percent.map { max(0, min($0, 100)) / 100 }
    }

    /// The same with the deadlines that follow from the links, else from `lifetime` after the job's end.
    func dated(lifetime: Duration?, expiresAt: Date? = nil) -> JobStatus {
        var status = self
        for index in status.files.indices where status.files[index].deadline == nil {
            status.files[index].deadline = Deadline(
                link: status.files[index].url, expiresAt: expiresAt, endedAt: endedAt, lifetime: lifetime)
        }
        return status
    }
}

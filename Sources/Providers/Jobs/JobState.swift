/// Where a job stands, in one vocabulary for all providers (contract, section 3.5).
package enum JobState: Hashable, Sendable {
    case queued
    case running
    case succeeded
    case failed
    case cancelled
    /// A status word that is not in the table, as it came; such a job is polled again.
    case unknown(String)

    /// Reads a provider's word, whatever its case.
    package init(word: String) {
        self = Self.words[word.lowercased()] ?? .unknown(word)
    }

    /// Whether the job has ended, so that waiting any longer is pointless.
    package var isEnd: Bool {
        switch self {
        case .succeeded, .failed, .cancelled: true
        case .queued, .running, .unknown: false
        }
    }

    /// The word that is shown and stored.
    package var word: String {
        switch self {
        case .queued: "queued"
        case .running: "running"
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .unknown(let word): word
        }
    }

    private static let words: [String: JobState] = [
        "in_queue": .queued, "pending": .queued, "blocked": .queued, "queued": .queued, "throttled": .queued,
        "starting": .queued,
        "in_progress": .running, "processing": .running, "running": .running, "dreaming": .running,
        "completed": .succeeded, "succeeded": .succeeded, "finished": .succeeded, "success": .succeeded,
        "failed": .failed, "aborted": .failed,
        "cancelled": .cancelled, "canceled": .cancelled,
    ]
}

extension JobState: Codable {
    /// Reads a stored or received word; an unknown one becomes `unknown`, never an error.
    package init(from decoder: any Decoder) throws {
        self.init(word: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes `word`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}

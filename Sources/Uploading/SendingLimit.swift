package import Configuration
package import Queue

/// How many requests run at once: one more after a round without trouble, half after a sign of load.
package struct SendingLimit: Hashable, Sendable {
    /// Requests that may run now; always from the minimum to the maximum.
    package private(set) var current: Int
    private let minimum: Int
    private let maximum: Int
    private var successes = 0

    /// Clamps `minimum` to 1 or more, `maximum` to `minimum` or more, and `start` to the range between them.
    package init(start: Int, minimum: Int, maximum: Int) {
        self.minimum = max(1, minimum)
        self.maximum = max(self.minimum, maximum)
        current = min(max(start, self.minimum), self.maximum)
    }

    /// Counts how one attempt ended.
    package mutating func note(_ outcome: UploadOutcome) {
        switch outcome {
        case .sent, .verified:
            successes += 1
            guard successes >= current else { return }
            successes = 0
            current = min(maximum, current + 1)
        case .retry(let failure, _) where failure.isLoad:
            successes = 0
            current = max(minimum, current / 2)
        case .retry, .refused, .unreachable, .blocked, .interrupted, .withdrawn, .notStored, .moved:
            successes = 0
        }
    }
}

extension SendingLimit {
    /// The limits of the settings, each lowered to `limit`.
    package init(_ settings: Settings.Upload, atMost limit: Int = .max) {
        self.init(
            start: min(settings.concurrency, limit), minimum: min(settings.minConcurrency, limit),
            maximum: min(settings.maxConcurrency, limit))
    }
}

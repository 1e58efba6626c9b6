package import FoundationEssentials

/// How far a run has come, at one moment: what a progress display shows.
package struct Progress: Codable, Hashable, Sendable {
    /// In the order they are shown; a step that has no part in the run is left out.
    package var counts: [Count]
    package var bytesDone: Int64
    /// What is known so far; grows while files are still being found.
    package var bytesTotal: Int64
    /// Bytes per second, lately.
    package var rate: Double
    /// Files under way, in the order they began.
    package var current: [Current]
    /// Items waiting for another attempt.
    package var retriesWaiting: Int
    /// When the next attempt falls due.
    package var nextAttempt: Date?
    /// Why nothing moves, such as `offline`; nil while things move.
    package var note: String?

    /// - Parameters:
    ///   - rate: 0 where it is not known; see `RateMeter`.
    ///   - nextAttempt: Shown only while `retriesWaiting` is above 0.
    package init(
        counts: [Count] = [], bytesDone: Int64 = 0, bytesTotal: Int64 = 0, rate: Double = 0, current: [Current] = [],
        retriesWaiting: Int = 0, nextAttempt: Date? = nil, note: String? = nil
    ) {
        self.counts = counts
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.rate = rate
        self.current = current
        self.retriesWaiting = retriesWaiting
        self.nextAttempt = nextAttempt
        self.note = note
    }
}

extension Progress {
    /// One step of the way of a file, as people are told.
    package enum Step: String, Codable, CaseIterable, Sendable {
        case scan, identify, thumbnail, upload, record, download
    }

    /// How many files have passed a step.
    package struct Count: Codable, Hashable, Sendable {
        package var step: Step
        package var done: Int
        /// Nil while it is not known how many there will be.
        package var total: Int?
        package var failed: Int

        package init(_ step: Step, done: Int, of total: Int? = nil, failed: Int = 0) {
            self.step = step
            self.done = done
            self.total = total
            self.failed = failed
        }
    }

    /// One file under way.
    package struct Current: Codable, Hashable, Sendable {
        package var path: String
        package var step: Step
        /// Bytes.
        package var done: Int64
        package var size: Int64

        package init(path: String, step: Step, done: Int64 = 0, size: Int64) {
            self.path = path
            self.step = step
            self.done = done
            self.size = size
        }
    }

    /// How long the bytes that are left take at the present rate; nil where that means nothing.
    package var timeLeft: Duration? {
        let left = bytesTotal - bytesDone
        guard left > 0, rate >= 1, rate.isFinite else { return nil }
        let seconds = Double(left) / rate
        return seconds < 31_536_000 ? .seconds(Int64(seconds.rounded(.up))) : nil
    }
}

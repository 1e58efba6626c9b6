package import FoundationEssentials
import Uploading

/// How far a run has come, at one moment: what a progress display shows.
package struct Progress: Codable, Hashable, Sendable {
    /// In the order they are shown; a step that has no part in the run is left out.
    package var counts: [Count]
    /// Bytes of `bytesTotal` that are stored or fetched, with those of running transfers.
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

    /// A run that has only begun, unless the caller says more.
    ///
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
    /// One step of the way of a file, as the user sees it.
    package enum Step: String, Codable, CaseIterable, Sendable {
        case scan, identify, thumbnail, upload, record, download
        /// In a dry run of a restore: it is known whether the file would be fetched, or what would be done instead.
        case plan
    }

    /// How many files have passed a step.
    package struct Count: Codable, Hashable, Sendable {
        /// The step that the files are counted at.
        package var step: Step
        /// Files that have passed it.
        package var done: Int
        /// Nil while it is not known how many files there will be.
        package var total: Int?
        /// Files that it failed for.
        package var failed: Int

        /// The count of one step, by default without a known total and without failures.
        package init(_ step: Step, done: Int, of total: Int? = nil, failed: Int = 0) {
            self.step = step
            self.done = done
            self.total = total
            self.failed = failed
        }
    }

    /// One file under way.
    package struct Current: Codable, Hashable, Sendable {
        /// The file's path, for people.
        package var path: String
        /// The step it is at.
        package var step: Step
        /// Bytes that have passed the step.
        package var done: Int64
        /// Bytes in all.
        package var size: Int64

        /// A file that has come to `step`.
        package init(path: String, step: Step, done: Int64 = 0, size: Int64) {
            self.path = path
            self.step = step
            self.done = done
            self.size = size
        }
    }

    /// How long the bytes that are left take at the present rate; nil where no estimate is possible.
    package var timeLeft: Duration? {
        let left = bytesTotal - bytesDone
        guard left > 0, rate >= 1, rate.isFinite else { return nil }
        let seconds = Double(left) / rate
        // At a rate that slow, nothing moves, or the rate is about to change.
        return seconds < 30 * 86_400 ? .seconds(Int64(seconds.rounded(.up))) : nil
    }
}

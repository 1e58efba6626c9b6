package import FoundationEssentials
package import Reporting
import Text

/// When a watch writes its metrics: once something changed, and at most once a minute; pure logic.
package struct MetricsPace: Sendable {
    private var latest: Report?
    private var written: Report?

    /// One that has written nothing yet.
    package init() {}

    /// Seconds between two writes at least.
    static let interval = 60.0

    /// Takes in the newest report.
    package mutating func note(_ report: Report) { latest = report }

    /// The report to write now; `nil` where nothing changed, or it is too early.
    package mutating func take(at now: Date) -> Report? {
        guard isChanged, let latest, wait?.isOver(at: now) ?? true else { return nil }
        written = latest
        written?.createdAt = now
        return latest
    }

    /// When to write what has changed; `nil` where nothing has, or at once.
    package var due: Date? {
        isChanged ? wait?.end : nil
    }

    private var wait: DatedWait? { written.map { DatedWait(from: $0.createdAt, seconds: Self.interval) } }

    private var isChanged: Bool {
        guard let latest else { return false }
        guard var same = written else { return true }
        same.createdAt = latest.createdAt
        return same != latest
    }
}

package import FoundationEssentials
package import Reporting
import Text

/// Decides when a watch writes its metrics: once something changed, and at most once a minute; pure logic.
package struct MetricsPace: Sendable {
    private var latest: Report?
    private var written: Report?

    /// A pace that has written nothing yet.
    package init() {}

    /// The least seconds between two writes.
    static let interval = 60.0

    /// Notes the newest report.
    package mutating func note(_ report: Report) { latest = report }

    /// The report to write now; `nil` if nothing changed, or if it is too early.
    package mutating func take(at now: Date) -> Report? {
        guard isChanged, let latest, wait?.isOver(at: now) ?? true else { return nil }
        written = latest
        written?.createdAt = now
        return latest
    }

    /// When to write what has changed; `nil` if nothing has, or before the first write.
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

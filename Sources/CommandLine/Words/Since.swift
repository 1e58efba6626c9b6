package import Platform
import Text

/// A moment in the past, as a date or as an age.
package enum Since: Hashable, Sendable {
    case date(FileTime)
    case ago(Duration)

    /// Reads `2026-11-20`, `2026-11-20T10:00:00Z` or `7d`; not `1M`, which may be a month as well as a minute.
    package init?(_ text: String) {
        if let time = ISO8601.time(text) {
            self = .date(time)
        } else if let age = Quantity.duration(text), text.contains(where: \.isLetter), !text.contains("M") {
            self = .ago(age)
        } else {
            return nil
        }
    }

    /// The moment itself.
    package func moment(before now: FileTime) -> FileTime {
        switch self {
        case .date(let time): return time
        case .ago(let age):
            let (seconds, attoseconds) = age.components
            // At most 285 years: that is before all files, and still a time that files can have.
            let span = min(seconds, 9_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
            let (moment, isBeforeAll) = now.nanoseconds.subtractingReportingOverflow(span)
            return FileTime(nanoseconds: isBeforeAll ? .min : moment)
        }
    }
}

package import FoundationEssentials

/// A wait until a date, which is over, too, once the clock was set back: its end may lie years ahead then.
package struct DatedWait: Hashable, Sendable {
    private let begun: Date
    /// When it is over.
    package let end: Date

    /// A wait of so many seconds from `begun` on.
    package init(from begun: Date, seconds: Double) {
        self.begun = begun
        end = begun + seconds
    }

    /// Seconds that clocks are corrected by in the course of things, which makes no wait shorter.
    package static let correction = 60.0

    /// Whether it is over by a clock that shows `now`.
    package func isOver(at now: Date) -> Bool { now >= end || now < begun - Self.correction }
}

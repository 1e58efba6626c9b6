package import FoundationEssentials

/// A wait until a date, which also ends if the clock is set back, because its end may lie years ahead then.
package struct DatedWait: Hashable, Sendable {
    private let begun: Date
    /// When it is over.
    package let end: Date

    /// A wait of `seconds` from `begun` on.
    package init(from begun: Date, seconds: Double) {
        self.begun = begun
        end = begun + seconds
    }

    /// The seconds by which clocks are usually corrected; setting the clock back by less ends no wait.
    package static let correction = 60.0

    /// Whether the wait is over by a clock that shows `now`.
    package func isOver(at now: Date) -> Bool { now >= end || now < begun - Self.correction }
}

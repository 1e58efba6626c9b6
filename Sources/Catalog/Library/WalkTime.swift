import Database
package import FoundationEssentials
import Platform
import Queue
import Text

/// The time since a walk began, during which other looks may have found the same files.
package struct WalkTime: Sendable {
    private let start: Date
    private let clock: @Sendable () -> Date

    /// A walk that began at `start`; where the clock was set back since then, no time at all.
    package init(since start: Date, by clock: @escaping @Sendable () -> Date) {
        (self.start, self.clock) = (start, clock)
    }

    /// The walk's first moment, and now: a file that another look found in between may lie where the walk had passed.
    ///
    /// The end is now, because the walk's end is written down long after its last directory.
    var bounds: [Value] { [start, clock()].map { .integer(FileTime($0).nanoseconds) } }

    /// The bounds of no time at all.
    static let never: [Value] = [.integer(1), .integer(0)]
}

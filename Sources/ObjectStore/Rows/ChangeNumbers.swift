import Platform
import Synchronization

/// Numbers that only grow, even across restarts, so that it is known which of two rows or files is newer.
///
/// The clock's microseconds, or one more than the last number where that is greater.
package final class ChangeNumbers: Sendable {
    private let last: Mutex<Int64>

    /// - Parameter last: The greatest number that was used before.
    package init(after last: Int64) {
        self.last = Mutex(last)
    }

    /// The next number, greater than all before.
    package func next() -> Int64 {
        last.withLock { last in
            last = max(last + 1, FileTime.now.nanoseconds / 1000)
            return last
        }
    }
}

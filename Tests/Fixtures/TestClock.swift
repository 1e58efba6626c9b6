package import Foundation
import Queue
import TestSupport
package import Text

/// A clock that stands still until it is moved.
package final class TestClock: Sendable {
    private let date: Shared<Date>
    private let count = Shared(0)
    private let moved = WakeEvent()

    package init(_ date: Date = Items.now) { self.date = Shared(date) }

    package var now: Date { date.value }
    /// How many tasks wait for a later date.
    package var sleepers: Int { count.value }

    /// Moves the clock, and wakes the tasks whose date has come.
    package func advance(by seconds: Double) {
        date.change { $0 += seconds }
        moved.notify()
    }

    /// The clock for the code under test.
    package var clock: DateClock {
        DateClock(now: { self.now }) { date in
            self.count.change { $0 += 1 }
            defer { self.count.change { $0 -= 1 } }
            while true {
                let wakeups = self.moved.wakeups
                if self.now >= date { return }
                try Task.checkCancellation()
                await self.moved.wait(after: wakeups)
            }
        }
    }
}

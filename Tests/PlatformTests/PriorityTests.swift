import CLinux
import Glibc
import Testing

@testable import Platform

@Suite struct PriorityTests {
    /// Only one thread, since the tests themselves must keep their priority.
    @Test func aThreadInTheBackgroundIsNice() throws {
        let niceness = Monitor<Int32?>(nil)
        try SystemThread.start("nice") {
            let own = clinux_gettid()
            let isDone = (try? Priority.background(thread: own)) != nil
            let value = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(own))
            niceness.withLock { $0 = isDone ? value : -1 }
            niceness.signal()
        }
        #expect(niceness.wait(seconds: 100, while: { $0 == nil }) { $0 } == 10)
    }

    @Test func aThreadThatEndedIsLeftAlone() throws {
        try Priority.background(thread: Int32.max)
    }
}

import Fixtures
import Foundation
import TestSupport
import Testing

@testable import Queue

@Suite(.timeLimit(.minutes(5))) struct WakeEventTests {
    @Test func aRingEndsAWaitBeforeItsDate() async throws {
        let clock = TestClock()
        let wake = WakeEvent(clock: clock.clock)
        async let wait: Void = wake.wait(after: wake.wakeups, until: clock.now + 3_600)
        try await eventually("the wait has begun") { clock.sleepers == 1 }
        wake.notify()
        await wait
        #expect(clock.now == Items.now && clock.sleepers == 0)
    }

    @Test func aRingBeforeTheWaitIsNotLost() async throws {
        let wake = WakeEvent(clock: TestClock().clock)
        let wakeups = wake.wakeups
        wake.notify()
        try await withLimit("a wait for a notification that was") { await wake.wait(after: wakeups) }
    }

    @Test func aWaitEndsAtItsDateByTheClockOfTheEvent() async throws {
        let clock = TestClock()
        let wake = WakeEvent(clock: clock.clock)
        try await withThrowingDiscardingTaskGroup { group in
            let wakeups = wake.wakeups
            group.addTask {
                try await withLimit("an hour by the test's clock") {
                    await wake.wait(after: wakeups, until: Items.now + 3_600)
                }
            }
            try await eventually("the wait has begun") { clock.sleepers == 1 }
            clock.advance(by: 3_599)
            #expect(wake.wakeups == wakeups, "a second is left")
            clock.advance(by: 1)
        }
        #expect(wake.wakeups == 0, "an end by time is no notification")
    }

    @Test func anEndByTimeWakesNoOtherWait() async throws {
        let clock = TestClock()
        let wake = WakeEvent(clock: clock.clock)
        try await withThrowingTaskGroup(of: Double.self) { group in
            for seconds in [60.0, 3_600] {
                group.addTask {
                    await wake.wait(after: 0, until: Items.now + seconds)
                    return seconds
                }
            }
            try await eventually("both waits have begun") { clock.sleepers == 2 }
            clock.advance(by: 60)
            #expect(try await group.next() == 60)
            try await eventually("the shorter one has let go of the clock") { clock.sleepers == 1 }
            wake.notify()
            #expect(try await group.next() == 3_600)
        }
        #expect(clock.now == Items.now + 60)
    }

    @Test func aDateThatIsPastByThatClockIsNoWait() async throws {
        let clock = TestClock(.distantFuture)
        let wake = WakeEvent(clock: clock.clock)
        try await withLimit("a date that is past") { await wake.wait(after: wake.wakeups, until: Date() + 86_400) }
        #expect(wake.wakeups == 0)
    }

    @Test func whatIsGatheredLastsByThatClockToo() async throws {
        let clock = TestClock()
        let wake = WakeEvent(clock: clock.clock)
        try await withThrowingDiscardingTaskGroup { group in
            let wakeups = wake.wakeups
            wake.notify()
            group.addTask { await wake.wait(after: wakeups, gathering: .seconds(60)) }
            try await eventually("the pause has begun") { clock.sleepers == 1 }
            clock.advance(by: 60)
        }
    }

    @Test func aCancelledWaitEnds() async throws {
        let wake = WakeEvent(clock: TestClock().clock)
        try await withLimit("a wait that is cancelled") {
            await withDiscardingTaskGroup { group in
                group.addTask { await wake.wait(after: wake.wakeups, until: Items.now + 1) }
                group.addTask { await wake.wait(after: wake.wakeups) }
                group.cancelAll()
            }
        }
    }
}

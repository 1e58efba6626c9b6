import Fixtures
import Foundation
import TestSupport
import Testing
import Text

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

    /// The clock is set back by a day between two looks at it.
    @Test func aWaitForATimeEndsThoughTheClockIsSetBack() async throws {
        let date = Shared(Items.now)
        let clock = DateClock(now: {
            date.change { date in
                defer { date -= 86_400 }
                return date
            }
        })
        let wake = WakeEvent(clock: clock)
        try await withLimit("a wait of a millisecond") {
            await wake.wait(after: wake.wakeups, for: .milliseconds(1))
            await wake.wait(after: wake.wakeups, until: Items.now - 86_400 * 3, gathering: .milliseconds(1))
        }
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

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Who is meant by the notification; `nil` is for all.
        let meant: VitalLoop?
        /// Who waits; `nil` hears only what is for all.
        let waiting: VitalLoop?
        let isWoken: Bool
    }

    private static let rows = [
        Row(testDescription: "all, a loop", meant: nil, waiting: .sending, isWoken: true),
        Row(testDescription: "all, anything else", meant: nil, waiting: nil, isWoken: true),
        Row(testDescription: "the loop", meant: .sending, waiting: .sending, isWoken: true),
        Row(testDescription: "another loop", meant: .reading, waiting: .sending, isWoken: false),
        Row(testDescription: "a loop, anything else", meant: .reading, waiting: nil, isWoken: false),
    ]

    /// Whether the notification comes before the wait or during it.
    @Test(arguments: rows, [false, true])
    func whatConcernsOneLoopWakesNoOther(_ row: Row, isBefore: Bool) async throws {
        let clock = TestClock()
        let wake = WakeEvent(clock: clock.clock)
        let wakeups = wake.wakeups
        let notify = { @Sendable in row.meant.map { wake.notify($0) } ?? wake.notify() }
        try await withThrowingDiscardingTaskGroup { group in
            if isBefore { notify() }
            group.addTask { await wake.wait(after: wakeups, as: row.waiting, until: Items.now + 60) }
            if !isBefore {
                try await eventually("the wait has begun") { clock.sleepers == 1 }
                notify()
            }
            try await eventually("the wait has ended, or lasts") { clock.sleepers == (row.isWoken ? 0 : 1) }
            clock.advance(by: 60)
        }
        #expect(wake.wakeups == wakeups + 1)
    }
}

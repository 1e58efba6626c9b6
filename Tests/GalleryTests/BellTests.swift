import Foundation
import TestSupport
import Testing

@testable import Queue

@Suite(.timeLimit(.minutes(5))) struct BellTests {
    @Test func aRingEndsAWaitBeforeItsDate() async throws {
        let clock = TestClock()
        let bell = Bell(clock: clock.clock)
        async let wait: Void = bell.wait(after: bell.rings, until: clock.now + 3_600)
        try await eventually("the wait has begun") { clock.sleepers == 1 }
        bell.ring()
        await wait
        #expect(clock.now == Items.now && clock.sleepers == 0)
    }

    @Test func aRingBeforeTheWaitIsNotLost() async throws {
        let bell = Bell(clock: TestClock().clock)
        let rings = bell.rings
        bell.ring()
        try await withLimit("a wait for a ring that was") { await bell.wait(after: rings) }
    }

    @Test func aWaitEndsAtItsDateByTheClockOfTheBell() async throws {
        let clock = TestClock()
        let bell = Bell(clock: clock.clock)
        try await withThrowingDiscardingTaskGroup { group in
            let rings = bell.rings
            group.addTask {
                try await withLimit("an hour by the test's clock") {
                    await bell.wait(after: rings, until: Items.now + 3_600)
                }
            }
            try await eventually("the wait has begun") { clock.sleepers == 1 }
            clock.advance(by: 3_599)
            #expect(bell.rings == rings, "a second is left")
            clock.advance(by: 1)
        }
        #expect(bell.rings == 1, "an end by time is a ring")
    }

    @Test func aDateThatIsPastByThatClockIsNoWait() async throws {
        let clock = TestClock(.distantFuture)
        let bell = Bell(clock: clock.clock)
        try await withLimit("a date that is past") { await bell.wait(after: bell.rings, until: Date() + 86_400) }
        #expect(bell.rings == 0)
    }

    @Test func whatIsGatheredLastsByThatClockToo() async throws {
        let clock = TestClock()
        let bell = Bell(clock: clock.clock)
        try await withThrowingDiscardingTaskGroup { group in
            let rings = bell.rings
            bell.ring()
            group.addTask { await bell.wait(after: rings, gathering: .seconds(60)) }
            try await eventually("the pause has begun") { clock.sleepers == 1 }
            clock.advance(by: 60)
        }
    }

    @Test func aCancelledWaitEnds() async throws {
        let bell = Bell(clock: TestClock().clock)
        try await withLimit("a wait that is cancelled") {
            await withDiscardingTaskGroup { group in
                group.addTask { await bell.wait(after: bell.rings, until: Items.now + 1) }
                group.addTask { await bell.wait(after: bell.rings) }
                group.cancelAll()
            }
        }
    }
}

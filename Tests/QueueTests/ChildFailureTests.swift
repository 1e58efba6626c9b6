import TestSupport
import Testing

@testable import Queue

@Suite(.timeLimit(.minutes(5))) struct ChildFailureTests {
    private struct Refused: Error, Equatable {
        let number: Int
    }

    @Test func aLoopThatWaitsHearsOfItsFailedChild() async throws {
        let wake = WakeEvent()
        let failure = ChildFailure(waking: wake)
        let wakeups = wake.wakeups
        async let wait: Void = withLimit("the loop is woken") { await wake.wait(after: wakeups) }
        await failure.heed { throw Refused(number: 1) }
        try await wait
        #expect(throws: Refused(number: 1)) { try failure.check() }
    }

    @Test func theFirstFailureCounts() async throws {
        let failure = ChildFailure(waking: WakeEvent())
        await failure.heed {}
        try failure.check()
        for number in 1...2 { await failure.heed { throw Refused(number: number) } }
        #expect(throws: Refused(number: 1)) { try failure.check() }
    }
}

import Fixtures
import Testing

@testable import Queue
@testable import Uploading

@Suite struct SendingLimitTests {
    private static func busy(_ code: FailureCode) -> UploadOutcome {
        .retry(Item.Failure(code: code, message: "", retryable: true), after: nil)
    }

    @Test func aRoundWithoutTroubleAddsOne() {
        var limit = SendingLimit(start: 4, minimum: 2, maximum: 6)
        for _ in 1...3 { limit.note(.sent) }
        #expect(limit.current == 4)
        limit.note(.sent)
        #expect(limit.current == 5)
        for _ in 1...30 { limit.note(.sent) }
        #expect(limit.current == 6)
    }

    @Test(arguments: [
        (FailureCode.http(429), 4), ("http.503", 4), ("http.544", 4), ("storage.SlowDown", 4),
        ("storage.DatabaseTimeout", 4),
        ("storage.LockTimeout", 4), ("network.timedOut", 4), ("http.500", 8), ("network.lost", 8),
        ("storage.ResourceLocked", 8),
    ])
    func loadHalvesIt(code: FailureCode, current: Int) {
        var limit = SendingLimit(start: 8, minimum: 2, maximum: 8)
        limit.note(Self.busy(code))
        #expect(limit.current == current)
    }

    @Test func itNeverFallsBelowItsMinimum() {
        var limit = SendingLimit(start: 5, minimum: 2, maximum: 8)
        for _ in 1...5 { limit.note(Self.busy("http.429")) }
        #expect(limit.current == 2)
    }
}

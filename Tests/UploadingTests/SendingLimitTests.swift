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

    @Test(
        arguments: [
            (8, "http.429", 1, 4), (8, "http.503", 1, 4), (8, "http.544", 1, 4), (8, "storage.SlowDown", 1, 4),
            (8, "storage.DatabaseTimeout", 1, 4), (8, "storage.LockTimeout", 1, 4), (8, "network.timedOut", 1, 4),
            (8, "http.500", 9, 8), (8, "network.lost", 9, 8), (8, "storage.ResourceLocked", 9, 8),
            // It never falls below its minimum.
            (8, "http.429", 2, 2), (8, "http.429", 3, 2), (5, "http.429", 1, 2), (5, "http.429", 5, 2),
            (3, "http.429", 1, 2), (2, "http.429", 1, 2),
        ] as [(Int, FailureCode, Int, Int)])
    func loadHalvesIt(start: Int, code: FailureCode, times: Int, current: Int) {
        var limit = SendingLimit(start: start, minimum: 2, maximum: 8)
        for _ in 1...times { limit.note(Self.busy(code)) }
        #expect(limit.current == current)
    }
}

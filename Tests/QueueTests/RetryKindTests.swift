import Fixtures
import Testing
import Text

@testable import Queue

@Suite struct RetryKindTests {
    private static func failure(_ code: FailureCode) -> Item.Failure {
        Item.Failure(code: code, message: "", retryable: true)
    }

    /// The first backoff in seconds, and the number of attempts.
    @Test(
        arguments: [
            ("network.lost", 2, 10), ("network.timedOut", 2, 10), ("http.500", 2, 10), ("http.520", 2, 10),
            ("storage.InternalError", 2, 10), ("http.429", 8, 10), ("http.503", 2, 10), ("http.544", 8, 10),
            ("storage.SlowDown", 8, 10), ("storage.DatabaseTimeout", 8, 10), ("storage.DatabaseReadOnly", 512, 10),
            ("storage.DatabaseError", 2, 4), ("storage.TransactionError", 2, 2),
        ] as [(FailureCode, Double, Int)])
    func theLadderOfEachClass(code: FailureCode, first: Double, attempts: Int) {
        let (ladder, kind) = (RetryLadder(), RetryKind(Self.failure(code)))
        #expect(ladder.delay(after: 1, of: kind, random: 0.5)?.seconds == first)
        #expect(ladder.delay(after: attempts - 1, of: kind, random: 0.5) != nil)
        #expect(ladder.delay(after: attempts, of: kind, random: 0.5) == nil)
    }

    @Test func aShortLadderStaysShort() {
        #expect(RetryLadder(attempts: 1).delay(after: 1, of: .limited, random: 0) == nil)
        let flat = RetryLadder(base: .seconds(1), factor: 4, cap: .seconds(3))
        #expect(flat.delay(after: 1, of: .slow, random: 0.5) == .seconds(3))
    }
}

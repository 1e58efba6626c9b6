import Testing
import Text

@testable import Queue

@Suite struct RetryLadderTests {
    static let ladder = RetryLadder()
    static let day = 86_400.0

    @Test(
        arguments: [
            (1, 2), (2, 8), (3, 32), (4, 128), (5, 512), (6, 2_048), (7, 8_192), (8, 32_768), (9, 129_600),
        ] as [(Int, Double)])
    func rungs(failures: Int, seconds: Double) {
        #expect(Self.ladder.delay(after: failures, random: 0.5)?.seconds == seconds)
    }

    @Test func theTenthAnswerIsTheLast() {
        #expect(Self.ladder.delay(after: 10, random: 0) == nil)
        #expect(Self.ladder.delay(after: 11, asked: .seconds(1), random: 0) == nil)
        #expect(RetryLadder(attempts: 1).delay(after: 1, random: 0) == nil)
    }

    @Test func tenAttemptsSpanAboutTwoDays() {
        let total = (1...9).compactMap { Self.ladder.delay(after: $0, random: 0.5)?.seconds }.reduce(0, +)
        #expect(total / Self.day > 1.9 && total / Self.day < 2.1)
    }

    @Test(arguments: 1...9)
    func jitterSpreadsByAFifthEitherWay(failures: Int) throws {
        let rung = try #require(Self.ladder.delay(after: failures, random: 0.5)).seconds
        let least = try #require(Self.ladder.delay(after: failures, random: 0)).seconds
        let most = try #require(Self.ladder.delay(after: failures, random: 1.0.nextDown)).seconds
        #expect(abs(least / rung - 0.8) < 1e-9)
        #expect(abs(most / rung - 1.2) < 1e-9)
    }

    @Test(arguments: [
        ("longer than the rung: kept to", 1, Duration.seconds(60), 0.0, 60.0),
        ("spread upwards only", 1, .seconds(60), 0.5, 66),
        ("shorter than the rung: the rung", 3, .seconds(1), 0.5, 32),
        ("none at all", 1, .zero, 0.5, 2),
        ("negative", 1, .seconds(-5), 0.5, 2),
        ("a day at most", 1, .seconds(1_000_000), 0, day),
        ("longer than anything", 1, .seconds(Int64.max), 0, day),
    ])
    func asked(_ row: (why: String, failures: Int, asked: Duration, random: Double, seconds: Double)) throws {
        let delay = try #require(Self.ladder.delay(after: row.failures, asked: row.asked, random: row.random))
        #expect(abs(delay.seconds - row.seconds) < 1e-6, "\(row.why)")
    }

    @Test func aLadderOfOnesOwn() {
        let ladder = RetryLadder(base: .milliseconds(10), factor: 1, cap: .milliseconds(10), attempts: 3)
        #expect(ladder.delay(after: 2, random: 0.5) == .milliseconds(10))
        #expect(ladder.delay(after: 3, random: 0.5) == nil)
        #expect(RetryLadder(base: .seconds(9), cap: .seconds(5)).delay(after: 1, random: 0.5) == .seconds(5))
    }
}

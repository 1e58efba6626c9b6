import Testing

@testable import Transfer

@Suite struct RateLimitTests {
    private let start = ContinuousClock.now

    /// Bytes that pass within `seconds` when the limit is asked every `step`.
    private func bytes(within seconds: Double, rate: Int, askingEvery step: Double, upTo wanted: Int) -> Int {
        var limit = RateLimit(bytesPerSecond: rate, at: start)
        var moved = 0
        for tick in 0..<Int(seconds / step) {
            let granted = limit.grant(upTo: wanted, at: start + .seconds(Double(tick) * step))
            limit.spend(granted)
            moved += granted
        }
        return moved
    }

    @Test(arguments: [1000, 65_536, 1_000_000, 50_000_000])
    func theRateIsKept(rate: Int) {
        let moved = bytes(within: 10, rate: rate, askingEvery: 0.001, upTo: 1 << 20)
        let slack = RateLimit(bytesPerSecond: rate, at: start).piece * 2
        #expect(abs(moved - rate * 10) <= slack)
    }

    @Test func smallRequestsAddUpToTheSame() {
        #expect(abs(bytes(within: 10, rate: 100_000, askingEvery: 0.0001, upTo: 100) - 1_000_000) <= 10_000)
    }

    @Test func aRestSavesUpNoMoreThanAPiece() {
        var limit = RateLimit(bytesPerSecond: 20_000, at: start)
        let later = start + .seconds(3600)
        var burst = 0
        while case let granted = limit.grant(upTo: 100, at: later), granted > 0 {
            limit.spend(granted)
            burst += granted
        }
        #expect(burst == limit.piece)
    }

    @Test func whatWasOverdrawnIsWaitedFor() {
        var limit = RateLimit(bytesPerSecond: 1000, at: start)
        #expect(limit.grant(upTo: 1, at: start) == 1)
        limit.spend(limit.piece + 2000)
        #expect(limit.grant(upTo: 1, at: start) == 0)
        #expect(limit.opens >= start + .seconds(2))
        #expect(limit.opens < start + .seconds(2.01))
        #expect(limit.grant(upTo: 1, at: limit.opens + .milliseconds(1)) == 1)
    }

    @Test func aClockThatStandsStillOpensNothing() {
        var limit = RateLimit(bytesPerSecond: 1000, at: start)
        limit.spend(limit.piece)
        #expect(limit.grant(upTo: 10, at: start) == 0)
        #expect(limit.grant(upTo: 10, at: start - .seconds(5)) == 0)
    }

    @Test(arguments: [(-1, 1), (0, 1), (1, 1)])
    func theRateIsAtLeastOne(given: Int, used: Int) {
        #expect(RateLimit(bytesPerSecond: given, at: start).rate == used)
    }

    @Test(arguments: [(1, 512), (20 * 512 + 20, 513), (1 << 40, 262_144)])
    func aPieceIsATwentiethWithinBounds(rate: Int, piece: Int) {
        #expect(RateLimit(bytesPerSecond: rate, at: start).piece == piece)
    }
}

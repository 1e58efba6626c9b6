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

    @Test(arguments: [
        (1000, 0.001, 1 << 20), (65_536, 0.001, 1 << 20), (1_000_000, 0.001, 1 << 20), (50_000_000, 0.001, 1 << 20),
        (100_000, 0.0001, 100), (100_000, 0.05, 100_000),
    ])
    func theRateIsKept(rate: Int, step: Double, wanted: Int) {
        let moved = bytes(within: 10, rate: rate, askingEvery: step, upTo: wanted)
        let slack = RateLimit(bytesPerSecond: rate, at: start).piece * 2
        #expect(abs(moved - rate * 10) <= slack)
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

    @Test(arguments: [(0, 0.0), (1, 0.001), (2000, 2), (1_000_000, 1000)])
    func whatWasOverdrawnIsWaitedFor(bytes: Int, seconds: Double) {
        var limit = RateLimit(bytesPerSecond: 1000, at: start)
        #expect(limit.grant(upTo: 1, at: start) == 1)
        limit.spend(limit.piece + bytes)
        // A clock that stands still, or goes back, opens nothing.
        for earlier in [0.0, 5] { #expect(limit.grant(upTo: 10, at: start - .seconds(earlier)) == 0) }
        #expect(limit.opens >= start + .seconds(seconds))
        #expect(limit.opens < start + .seconds(seconds + 0.01))
        #expect(limit.grant(upTo: 1, at: limit.opens + .milliseconds(1)) == 1)
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

import Testing

@testable import Serving

@Suite struct PaceTests {
    @Test func aPaceIsSharedByAllWhoUseIt() {
        let pace = Pace(bytesPerSecond: 10)
        let now = ContinuousClock.Instant.now
        #expect(pace.reserve(10, at: now) == now + .seconds(1))
        #expect(pace.reserve(5, at: now) == now + .milliseconds(1500))
        #expect(pace.reserve(10, at: now + .seconds(60)) == now + .seconds(61))
    }
}

import Fixtures
import Foundation
import Testing

@testable import Rescue

/// The download rate, during downloads and after a pause.
@Suite struct DownloadRateTests {
    static let now = Jobs.now
    static let places = [JobPlace(Jobs.link("a").id, 0), JobPlace(Jobs.link("b").id, 0)]

    static func line(_ body: (inout DownloadRate) -> Void) -> Double? {
        var line = DownloadRate()
        body(&line)
        return line.rate
    }

    @Test func whatSeveralBringIsAddedUp() {
        let rate = Self.line { line in
            for place in Self.places { line.begin(place, at: Self.now) }
            line.hear(300, of: Self.places[0], at: Self.now + 1)
            line.hear(200, of: Self.places[1], at: Self.now + 2)
            line.hear(500, of: Self.places[0], at: Self.now + 2)
        }
        #expect(rate == 350)
    }

    @Test func whatIsToldTwiceCountsOnce() {
        let rate = Self.line { line in
            line.begin(Self.places[0], at: Self.now)
            line.hear(300, of: Self.places[0], at: Self.now + 1)
            line.hear(300, of: Self.places[0], at: Self.now + 1)
            line.hear(100, of: Self.places[0], at: Self.now + 1)
        }
        #expect(rate == 300)
    }

    @Test(arguments: [(1.9, 400.0 / 2.9), (2.1, 400.0)])
    func aRestIsNotSlowness(_ row: (seconds: Double, rate: Double)) {
        let rate = Self.line { line in
            line.begin(Self.places[0], at: Self.now - 1)
            line.hear(0, of: Self.places[0], at: Self.now - 1)
            line.hear(1, of: Self.places[0], at: Self.now - 1)
            line.end(Self.places[0])
            line.begin(Self.places[0], at: Self.now - 1 + row.seconds)
            line.hear(400, of: Self.places[0], at: Self.now + row.seconds)
        }
        #expect(rate.map { abs($0 - row.rate) < 1 } == true, "\(rate ?? 0)")
    }

    @Test func whileOneIsUnderWayTheRateGoesOn() {
        let rate = Self.line { line in
            line.begin(Self.places[0], at: Self.now)
            line.hear(100, of: Self.places[0], at: Self.now + 1)
            line.begin(Self.places[1], at: Self.now + 9)
            line.hear(100, of: Self.places[1], at: Self.now + 10)
        }
        #expect(rate == 20)
    }

    @Test func beforeAnythingCameThereIsNoRate() {
        #expect(Self.line { $0.begin(Self.places[0], at: Self.now) } == nil)
        #expect(Self.line { $0.hear(100, of: Self.places[0], at: Self.now) } == nil)
    }
}

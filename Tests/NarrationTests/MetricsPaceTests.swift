import Foundation
import Reporting
import Testing

@testable import Narration

@Suite struct MetricsPaceTests {
    private static let start = Date(timeIntervalSince1970: 1_795_168_800)

    private static func report(_ stored: Int, at second: Double) -> Report {
        Report(createdAt: start + second, assets: .init(stored: stored))
    }

    @Test func theFirstIsWrittenAtOnceAndTheNextAfterAMinute() {
        var pace = MetricsPace()
        #expect(pace.take(at: Self.start) == nil)
        pace.note(Self.report(1, at: 0))
        #expect(pace.take(at: Self.start) == Self.report(1, at: 0))
        pace.note(Self.report(2, at: 10))
        #expect(pace.take(at: Self.start + 10) == nil)
        #expect(pace.due == Self.start + 60)
        #expect(pace.take(at: Self.start + 60) == Self.report(2, at: 10))
        #expect(pace.due == nil)
    }

    @Test func aClockThatWasSetBackKeepsNoneBack() {
        var pace = MetricsPace()
        pace.note(Self.report(1, at: 0))
        _ = pace.take(at: Self.start)
        pace.note(Self.report(2, at: -59))
        #expect(pace.take(at: Self.start - 59) == nil, "it was corrected by a little")
        pace.note(Self.report(3, at: -100_000))
        #expect(pace.take(at: Self.start - 100_000) == Self.report(3, at: -100_000))
    }

    @Test func whatOnlyGrewOlderIsNotWritten() {
        var pace = MetricsPace()
        pace.note(Self.report(1, at: 0))
        _ = pace.take(at: Self.start)
        pace.note(Self.report(1, at: 500))
        #expect(pace.take(at: Self.start + 500) == nil)
    }
}

import Foundation
import TestSupport
import Testing
import Text

/// How long something waits by a clock that people and networks set.
@Suite struct DatedWaitTests {
    private static let now = Date(timeIntervalSince1970: 1_795_168_800)

    /// Seconds of a wait, and the clock after its beginning: whether it is over then.
    @Test(
        arguments: [
            Fact("at its beginning", (60, 0), false), Fact("just before its end", (60, 59.999), false),
            Fact("at its end", (60, 60), true), Fact("long after it", (60, 1e9), true),
            Fact("a clock that is corrected by a minute", (3_600, -60), false),
            Fact("one that is set back by more", (3_600, -60.001), true), Fact("by years", (3_600, -1e8), true),
            Fact("a wait of no time", (0, 0), true), Fact("one that is shorter than a correction", (1, -30), false),
            Fact("one that ended before it began", (-5, 0), true),
        ] as [Fact<(wait: Double, later: Double), Bool>])
    func aWaitIsOver(_ fact: Fact<(wait: Double, later: Double), Bool>) {
        let wait = DatedWait(from: Self.now, seconds: fact.input.wait)
        #expect(wait.isOver(at: Self.now + fact.input.later) == fact.output)
        #expect(wait.end == Self.now + fact.input.wait)
    }
}

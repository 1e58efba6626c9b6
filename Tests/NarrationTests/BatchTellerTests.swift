import Foundation
import Testing
import Uploading

@testable import Narration

@Suite struct BatchTellerTests {
    private static let start = Date(timeIntervalSince1970: 1_795_168_800)

    private static func tally(_ files: Int) -> Tally {
        var tally = Tally()
        tally.new = files
        tally.bytes = Int64(files)
        return tally
    }

    /// The teller asked once, at a second after the start.
    private static func ask(
        _ teller: inout BatchTeller, _ files: Int, at second: Double, changed: Double? = nil, isQuiet: Bool,
        isEnding: Bool = false
    ) -> BatchTeller.Batch? {
        teller.batch(
            tally(files), changedAt: start + (changed ?? second), isQuiet: isQuiet, isEnding: isEnding,
            at: start + second)
    }

    @Test func aQuietAgentTellsWhatItDidAndHowLongThatTook() {
        var teller = BatchTeller()
        teller.begin(at: Self.start)
        #expect(Self.ask(&teller, 10, at: 5, isQuiet: false) == nil)
        let batch = Self.ask(&teller, 212, at: 42, changed: 41, isQuiet: true)
        #expect(batch == BatchTeller.Batch(tally: Self.tally(212), time: .seconds(41)))
        #expect(Self.ask(&teller, 212, at: 60, isQuiet: true) == nil)
        #expect(teller.due(Self.tally(212), isQuiet: true) == nil)
    }

    @Test func longWorkIsToldEveryMinute() {
        var teller = BatchTeller()
        teller.begin(at: Self.start)
        #expect(teller.due(Self.tally(1), isQuiet: false) == Self.start + 60)
        #expect(Self.ask(&teller, 50, at: 59, isQuiet: false) == nil)
        #expect(
            Self.ask(&teller, 50, at: 60, isQuiet: false)
                == BatchTeller.Batch(tally: Self.tally(50), time: .seconds(60)))
        #expect(Self.ask(&teller, 90, at: 119, isQuiet: false) == nil)
        #expect(
            Self.ask(&teller, 90, at: 120, isQuiet: false)
                == BatchTeller.Batch(tally: Self.tally(40), time: .seconds(60)))
    }

    @Test func singleFilesOneAfterTheOtherShareALine() {
        var teller = BatchTeller()
        teller.begin(at: Self.start)
        #expect(Self.ask(&teller, 1, at: 1, isQuiet: true)?.tally == Self.tally(1))
        #expect(Self.ask(&teller, 2, at: 4, isQuiet: true) == nil)
        #expect(teller.due(Self.tally(2), isQuiet: true) == Self.start + 11)
        #expect(Self.ask(&teller, 3, at: 11, changed: 7, isQuiet: true)?.tally == Self.tally(2))
    }

    @Test(arguments: [true, false]) func aClockThatWasSetBackKeepsNoneBack(isQuiet: Bool) {
        var teller = BatchTeller()
        teller.begin(at: Self.start)
        #expect(Self.ask(&teller, 1, at: 60, isQuiet: isQuiet)?.tally == Self.tally(1))
        #expect(Self.ask(&teller, 2, at: 1, isQuiet: isQuiet) == nil, "it was corrected by a little")
        #expect(Self.ask(&teller, 3, at: -100_000, isQuiet: isQuiet)?.tally == Self.tally(2))
    }

    @Test func theLastBatchIsToldAtTheEnd() {
        var teller = BatchTeller()
        teller.begin(at: Self.start)
        #expect(Self.ask(&teller, 3, at: 2, isQuiet: false, isEnding: true)?.tally == Self.tally(3))
        #expect(Self.ask(&teller, 3, at: 2, isQuiet: false, isEnding: true) == nil)
    }
}

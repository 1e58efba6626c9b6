import Foundation
import Testing

@testable import Narration

@Suite struct MemoryPaceTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    @Test func memoryIsGivenBackOnceSomeSecondsAfterTheLastChange() {
        var pace = MemoryPace()
        pace.note(isQuiet: true, at: start)
        pace.note(isQuiet: true, at: start + 3)
        #expect(pace.due == start + 3 + MemoryPace.patience)
        let looks = [MemoryPace.patience, 3 + MemoryPace.patience, 100].map { start + $0 }
        #expect(looks.map { pace.take(isQuiet: true, at: $0) } == [false, true, false])
        #expect(pace.due == nil)
    }

    @Test func aClockThatWasSetBackKeepsNoMemory() {
        var pace = MemoryPace()
        pace.note(isQuiet: true, at: start)
        let looks = [-59.0, -100_000].map { start + $0 }
        #expect(looks.map { pace.take(isQuiet: true, at: $0) } == [false, true])
    }

    @Test func workThatBeganMeanwhileKeepsTheMemory() {
        var pace = MemoryPace()
        pace.note(isQuiet: true, at: start)
        let isTaken = pace.take(isQuiet: false, at: start + 100)
        #expect(isTaken == false)
        pace.note(isQuiet: false, at: start + 100)
        #expect(pace.due == nil)
    }
}

import Foundation
import Testing
import Text

@testable import Narration

@Suite struct WatchVoiceTests {
    private static let start = Date(timeIntervalSince1970: 1_795_168_800)

    private static func failing(_ count: Int) -> WatchState {
        WatchState(conditions: [
            .failed("http.403"): WatchState.Condition(
                .warning, count: count, "\(count) refused.", relief: "None refused.", identity: "http.403")
        ])
    }

    private static let offline = WatchState(conditions: [
        .destination: WatchState.Condition(.warning, "No answer.", relief: "It answers again.")
    ])

    /// One look of a watch, and what it says.
    struct Look: Sendable {
        let second: Double
        let state: WatchState
        var isQuiet = true
        let said: [String]
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let looks: [Look]
    }

    @Test(arguments: [
        Course(
            testDescription: "a state is said once, and its end",
            looks: [
                Look(second: 0, state: offline, said: ["No answer."]), Look(second: 5, state: offline, said: []),
                Look(second: 9, state: WatchState(), said: ["It answers again."]),
                Look(second: 10, state: WatchState(), said: []),
            ]),
        Course(
            testDescription: "what comes back within the hour is not said, and neither is its end",
            looks: [
                Look(second: 0, state: offline, said: ["No answer."]),
                Look(second: 9, state: WatchState(), said: ["It answers again."]),
                Look(second: 20, state: offline, said: []), Look(second: 30, state: WatchState(), said: []),
                Look(second: 3_601, state: offline, said: ["No answer."]),
            ]),
        Course(
            testDescription: "an hour that the clock was set back to begin with is over",
            looks: [
                Look(second: 0, state: offline, said: ["No answer."]),
                Look(second: 9, state: WatchState(), said: ["It answers again."]),
                Look(second: -50, state: offline, said: []),
                Look(second: -100_000, state: offline, said: ["No answer."]),
            ]),
        Course(
            testDescription: "what was left unsaid is said when its hour is over",
            looks: [
                Look(second: 0, state: offline, said: ["No answer."]),
                Look(second: 9, state: WatchState(), said: ["It answers again."]),
                Look(second: 20, state: offline, said: []), Look(second: 3_600, state: offline, said: ["No answer."]),
            ]),
        Course(
            testDescription: "a count that grows is said when it has come to rest",
            looks: [
                Look(second: 0, state: failing(1), isQuiet: false, said: ["1 refused."]),
                Look(second: 5, state: failing(60), isQuiet: false, said: []),
                Look(second: 9, state: failing(100), said: ["100 refused."]),
                Look(second: 12, state: failing(40), said: []),
                Look(second: 15, state: WatchState(), said: ["None refused."]),
            ]),
    ])
    func onlyWhatChangedIsSaid(_ course: Course) {
        var voice = WatchVoice()
        for look in course.looks {
            let remarks = voice.remarks(on: look.state, isQuiet: look.isQuiet, at: Self.start + look.second)
            #expect(remarks.map(\.sentence) == look.said, "at \(look.second) s")
        }
    }

    @Test func anEndIsInformationWhateverItWas() {
        var voice = WatchVoice()
        #expect(voice.remarks(on: Self.offline, isQuiet: true, at: Self.start).map(\.level) == [.warning])
        let end = voice.remarks(on: WatchState(), isQuiet: true, at: Self.start + 1)
        #expect(end.map(\.level) == [.info])
        #expect(end.map(\.isOver) == [true])
    }
}

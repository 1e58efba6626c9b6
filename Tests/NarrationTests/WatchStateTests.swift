import Fixtures
import Foundation
import Roots
import Testing
import Text

@testable import Catalog
@testable import Narration
@testable import Queue
@testable import Reporting
@testable import Sync
@testable import Uploading

@Suite struct WatchStateTests {
    private static let silent = Item.Failure(code: "network.unreachable", message: "no route", retryable: true)

    private static func obstacle(
        _ reason: Circuit.Reason, _ failure: Item.Failure, isDoubtful: Bool = false
    ) -> Uploader.Obstacle {
        Uploader.Obstacle(reason: reason, since: Items.now, probeAt: nil, isDoubtful: isDoubtful, failure: failure)
    }

    @Test func aDestinationWithoutAnAnswerIsAWarningAndAMissingSignInAnError() {
        let offline = WatchState(isPaused: false, obstacle: Self.obstacle(.offline, Self.silent), absences: [:])
        #expect(offline.conditions[.destination]?.level == .warning)
        #expect(offline.conditions[.destination]?.sentence.contains("no route") == true)
        #expect(offline.conditions[.destination]?.sentence.hasSuffix("goes on by itself.") == true)
        let signIn = Item.Failure(code: "auth.expired", message: "The sign-in has ended", retryable: false)
        let closed = WatchState(isPaused: false, obstacle: Self.obstacle(.signIn, signIn), absences: [:])
        #expect(closed.conditions[.destination]?.level == .error)
        #expect(
            closed.conditions[.destination]?.sentence
                == "The sign-in has ended. Run \"gallery-sync login\", or set a new GALLERY_SYNC_KEY.")
    }

    @Test func whatASingleAnswerSaidIsNotBelievedYet() {
        let state = WatchState(
            isPaused: false, obstacle: Self.obstacle(.signIn, Self.silent, isDoubtful: true), absences: [:])
        #expect(state == WatchState())
    }

    @Test func aPauseAndARootThatIsAwayAreSaid() {
        let state = WatchState(
            isPaused: true, obstacle: nil, absences: ["Pictures": RootAbsence("/p is not mounted")])
        #expect(state.conditions.keys.sorted() == [.paused, .root("Pictures")])
        #expect(state.conditions[.root("Pictures")]?.sentence.hasPrefix("/p is not mounted. ") == true)
        #expect(state.conditions[.root("Pictures")]?.level == .warning)
    }

    /// That it goes on by itself was said of the disk that is away; another one waits for its user.
    @Test func anotherDiskInThePlaceOfOneThatIsAwayIsSaid() {
        func state(_ absence: RootAbsence) -> WatchState {
            WatchState(isPaused: false, obstacle: nil, absences: ["Pictures": absence])
        }
        var voice = WatchVoice()
        let looks = [
            RootAbsence("/p is not there"), RootAbsence("/p is not mounted"),
            RootAbsence("/p is another disk", needsHuman: true),
        ]
        let said = looks.enumerated().flatMap { second, absence in
            voice.remarks(on: state(absence), isQuiet: true, at: Items.now + Double(second)).map(\.sentence)
        }
        #expect(said.map { $0.prefix(14) } == ["/p is not ther", "/p is another "])
    }

    @Test func refusedFilesAreOneSentencePerCauseWithACountAndTheStepThatMendsIt() {
        var report = Report(createdAt: Items.now)
        report.failures = [
            Report.Failure(path: "P/a.jpg", code: "http.403", message: "denied", next: "Ask.", count: 100),
            Report.Failure(path: "P/b.jpg", code: "file.EACCES", message: "no permission.", next: "Let it.", count: 1),
            Report.Failure(path: "P/c.jpg", code: "x", message: "m", next: "N.", count: 2),
        ]
        report.blocked = [
            Report.Blocked(reason: "tooLarge", files: 1, message: "Larger than the plan takes"),
            Report.Blocked(reason: "tooLarge", files: 3, message: "Larger than the bucket takes"),
            Report.Blocked(reason: "budget", files: 0, pictures: 2, message: "no room"),
        ]
        var state = WatchState()
        state.add(report)
        #expect(state.conditions[.waiting("budget")] == nil, "pictures alone are not told")
        #expect(state.conditions[.failed("http.403")]?.sentence == "P/a.jpg and 99 others: denied. Ask.")
        #expect(state.conditions[.failed("file.EACCES")]?.sentence == "P/b.jpg: no permission. Let it.")
        #expect(state.conditions[.failed("x")]?.sentence == "P/c.jpg and 1 other: m. N.")
        let waiting = state.conditions[.waiting("tooLarge")]
        #expect(waiting?.sentence.hasPrefix("3 files wait: Larger than the bucket takes. Raise") == true)
        #expect(waiting?.count == 3)
    }

    @Test func whatTheDestinationAlreadySaysIsNotSaidOfEachFile() {
        let refused = Item.Failure(code: "auth.expired", message: "The sign-in has ended", retryable: false)
        var state = WatchState(isPaused: false, obstacle: Self.obstacle(.signIn, refused), absences: [:])
        var report = Report(createdAt: Items.now)
        report.blocked = [
            Report.Blocked(reason: "signIn", files: 3, message: "The sign-in has ended"),
            Report.Blocked(reason: "offline", files: 3, message: "no route"),
            Report.Blocked(reason: "away", files: 3, message: "not mounted"),
        ]
        state.add(report)
        #expect(Array(state.conditions.keys) == [.destination])
    }

    /// Those that changed before the brake engaged were sent.
    @Test(arguments: [(60, "60 of them are held, and not sent"), (1, "1 of them is held, and not sent")])
    func theBrakeAndLostJobsAreSaid(count: Int, words: String) {
        var report = Report(createdAt: Items.now)
        report.brake = Report.Brake(count: count, reason: "60 of 100 files changed", files: [])
        var state = WatchState()
        state.add(report)
        #expect(state.conditions[.brake]?.sentence.hasPrefix("60 of 100 files changed: \(words). Look") == true)
        #expect(state.conditions[.lost] == nil)
    }
}

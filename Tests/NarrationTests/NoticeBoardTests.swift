import Desktop
import Fixtures
import Foundation
import Providers
import Reporting
import Rescue
import Testing
import Text

@testable import Narration

@Suite struct NoticeBoardTests {
    private static let now = Date(timeIntervalSince1970: 1_795_168_800)

    private static func state(_ conditions: [WatchState.Topic: WatchState.Condition]) -> WatchState {
        var state = WatchState()
        state.conditions = conditions
        return state
    }

    private static let signIn = WatchState.Condition(.error, "The key is refused. Renew it.", relief: "It works.")

    private static func title(_ change: NoticeBoard.Change?) -> String? {
        if case .show(let notice) = change { notice.title } else { nil }
    }

    private static let titles: [(WatchState.Topic, LogLevel, String?)] = [
        (WatchState.Topic.destination, LogLevel.error, "Files are not stored"),
        (.destination, .warning, nil), (.root("Pictures"), .error, "Pictures is not kept safe"),
        (.root("Pictures"), .warning, nil), (.waiting("signIn"), .warning, "Files wait for you"),
        (.waiting("budget"), .warning, "Files wait for you"), (.waiting("tooLarge"), .warning, nil),
        (.failed("http.400"), .warning, nil), (.brake, .warning, "Many files changed at once"),
        (.lost, .error, "Videos did not come from their provider"), (.late, .warning, "Videos may be lost"),
        (.paused, .info, nil), (.held, .info, nil), (.pictures, .warning, nil),
    ]

    @Test(arguments: titles)
    func onlyWhatNeedsAPersonIsShown(_ topic: WatchState.Topic, _ level: LogLevel, _ title: String?) {
        var board = NoticeBoard()
        let state = Self.state([topic: WatchState.Condition(level, "So it is.", relief: "")])
        #expect(Self.title(board.changes(for: state, at: Self.now).first) == title)
    }

    private static let rescues: [(what: String, job: Job, rate: Double?, title: String?)] = [
        (
            "a file that failed", Jobs.file(Jobs.link()) { $0.stage = .failed }, nil,
            "Videos did not come from their provider"
        ),
        (
            "a job that ended without a file",
            Jobs.with(Jobs.generation()) { $0.error = ProviderError(.refused, "The provider refused it.") }, nil,
            "Videos did not come from their provider"
        ),
        ("a link that has expired", Jobs.link(expires: now - 1), nil, "Videos did not come from their provider"),
        (
            "a link that expires too soon", Jobs.file(Jobs.link(expires: now + 10)) { $0.size = 1_000 }, 1,
            "Videos may be lost"
        ), ("a link that works long enough", Jobs.link(expires: now + 90_000), nil, nil),
    ]

    @Test(arguments: rescues)
    func aRescueThatIsLostOrLateIsShown(_ row: (what: String, job: Job, rate: Double?, title: String?)) {
        var report = Report(createdAt: Self.now)
        report.rescue = RescueSummary([row.job], rate: row.rate, now: Self.now)
        var (state, board) = (WatchState(), NoticeBoard())
        state.add(report)
        #expect(
            board.changes(for: state, at: Self.now).map { Self.title($0) } == [row.title].compactMap(\.self),
            "\(row.what)")
    }

    @Test func theSameThingIsShownOnceADayAlsoAfterARestart() {
        let state = Self.state([.destination: Self.signIn])
        var board = NoticeBoard()
        #expect(board.changes(for: state, at: Self.now).count == 1)
        #expect(board.changes(for: state, at: Self.now + 3_600).isEmpty)
        var next = NoticeBoard(shownAt: board.shownAt)
        #expect(next.changes(for: state, at: Self.now + 86_399).isEmpty)
        #expect(next.changes(for: state, at: Self.now + 86_400).count == 1)
        #expect(next.changes(for: state, at: Self.now).count == 1, "the clock was set back by a day")
    }

    @Test func whatIsMendedIsTakenBackAndNotShownAgainThatDay() {
        let state = Self.state([.destination: Self.signIn])
        var board = NoticeBoard()
        _ = board.changes(for: state, at: Self.now)
        #expect(board.changes(for: WatchState(), at: Self.now + 60) == [.close(topic: "destination")])
        #expect(board.changes(for: WatchState(), at: Self.now + 61).isEmpty)
        #expect(board.changes(for: state, at: Self.now + 120).isEmpty)
    }

    @Test func anotherThingOfTheSameTopicReplacesTheFirst() {
        var board = NoticeBoard()
        _ = board.changes(for: Self.state([.destination: Self.signIn]), at: Self.now)
        let full = WatchState.Condition(.error, "The plan is used up. Pay.", relief: "It takes files again.")
        let changes = board.changes(for: Self.state([.destination: full]), at: Self.now + 60)
        guard case .show(let notice) = changes.first else {
            Issue.record("nothing is shown")
            return
        }
        #expect(changes.count == 1 && notice.topic == "destination")
        #expect(notice.text == "The plan is used up. Pay.")
        #expect(notice.actions == [HostNotice.Action("retry", "Try again")])
    }
}

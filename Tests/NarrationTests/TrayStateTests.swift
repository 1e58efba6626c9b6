import Desktop
import Fixtures
import Reporting
import Sync
import Testing
import Text

@testable import Narration

@Suite struct TrayStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let topics: [WatchState.Topic: LogLevel]
        var waiting = 0
        let icon: String
        var needsAttention = false
    }

    @Test(arguments: [
        Row(testDescription: "all is stored", topics: [:], icon: "emblem-default"),
        Row(testDescription: "files wait", topics: [:], waiting: 2, icon: "emblem-synchronizing"),
        Row(testDescription: "paused", topics: [.paused: .info], waiting: 2, icon: "media-playback-pause"),
        Row(testDescription: "held", topics: [.held: .info, .destination: .warning], icon: "media-playback-pause"),
        Row(testDescription: "offline", topics: [.destination: .warning], waiting: 1, icon: "network-offline"),
        Row(testDescription: "a disk is away", topics: [.root("Pictures"): .warning], icon: "emblem-important"),
        Row(testDescription: "files failed", topics: [.failed("http 413"): .warning], icon: "emblem-important"),
        Row(
            testDescription: "the key is refused", topics: [.destination: .error, .paused: .info],
            icon: "dialog-warning", needsAttention: true),
        Row(
            testDescription: "over budget", topics: [.waiting("budget"): .warning], icon: "dialog-warning",
            needsAttention: true),
        Row(testDescription: "the brake", topics: [.brake: .warning], icon: "dialog-warning", needsAttention: true),
    ])
    func whatIsShown(_ row: Row) {
        var report = Report(createdAt: Items.now)
        report.assets = Report.Assets(stored: 3, waiting: row.waiting)
        var state = WatchState()
        for (topic, level) in row.topics {
            state.conditions[topic] = WatchState.Condition(level, "It is so.", relief: "It is over.")
        }
        let tray = TrayState(state, report, hasPage: true)
        #expect(tray.icon == row.icon)
        #expect(tray.needsAttention == row.needsAttention)
        #expect(tray.text == report.line && tray.menu.first == .text(report.headline))
        let isPaused = row.topics[.paused] != nil
        #expect(
            tray.menu.last == .action(isPaused ? "resume" : "pause", label: isPaused ? "Resume" : "Pause for an hour"))
    }

    @Test func withoutAPageThereIsNothingToOpen() {
        let tray = TrayState(WatchState(), Report(createdAt: Items.now), hasPage: false)
        #expect(tray.menu.contains(.action("open", label: "Open gallery", isEnabled: false)))
    }
}

import Catalog
import Foundation
import Queue
import Records
import Reporting
import Testing

/// What stands below the headline about the last run.
@Suite struct RemarkTests {
    private static let refusal = "The key from ~/key is refused"

    private static func report(waiting: Int, blocked: [Report.Blocked] = []) -> Report {
        var report = Reports.done
        report.agent.running = false
        report.assets = .init(stored: 2, waiting: waiting)
        report.blocked = blocked
        report.lastRun = LastRun(.sync, began: Reports.now - 60).ended(.notPermitted, refusal, at: Reports.now - 50)
        return report
    }

    @Test func aRefusedRunIsNamedBesideWhatWaits() {
        let report = Self.report(waiting: 2)
        #expect(report.remark?.contains(Self.refusal) == true)
        #expect(TextReport(report).lines.joined(separator: " ").contains(Self.refusal))
        #expect(HTMLReport(report).text.contains(Self.refusal))
    }

    @Test func whatTheHeadlineOrTheWaitingFilesSayIsNotSaidAgain() {
        #expect(Self.report(waiting: 0).remark == nil, "the headline says it")
        let blocked = Report.Blocked(reason: "signIn", files: 2, message: Self.refusal)
        #expect(Self.report(waiting: 2, blocked: [blocked]).remark == nil)
    }

    @Test func whatToDoAboutAFullDiskIsSaidOnce() {
        let full = "The disk of the destination is full: make room there."
        var report = Self.report(waiting: 2)
        report.blocked = [.init(reason: "budget", files: 2, message: full, code: .http(507))]
        report.lastRun = LastRun(.sync, began: Reports.now - 60).ended(.full, full, at: Reports.now - 50)
        let text = TextReport(report, width: 200).lines.joined(separator: "\n").lowercased()
        #expect(text.matches(of: /make room/).count == 1, "\(text)")
        #expect(text.contains("once its disk has room, run \"gallery-sync sync\""))
    }

    @Test func aStateThatCannotBeWrittenIsNamedBeforeTheRun() {
        var report = Self.report(waiting: 2)
        report.stateTrouble = "No space left on device"
        #expect(report.remark?.hasPrefix("The state on disk cannot be written: No space left on device.") == true)
    }

    /// Of what the headline says already, only the next step is.
    @Test(arguments: [(0, "Restart it"), (2, "The running agent does not know /h/Videos, which the")])
    func aFolderThatTheAgentDoesNotKnowIsNamedWithWhatToDo(waiting: Int, start: String) {
        var report = Self.report(waiting: waiting)
        report.lastRun = LastRun(.sync, began: Reports.now - 60).ended(.done, at: Reports.now - 50)
        (report.agent.running, report.unwatched) = (true, "/h/Videos")
        #expect(report.headline.contains("the running agent does not know /h/Videos") == (waiting == 0))
        #expect(report.remark?.hasPrefix(start) == true)
        #expect(report.remark?.hasSuffix(Report.restart) == true)
        let redacted = report.redacted
        #expect(!TextReport(redacted).lines.joined().contains("Videos"))
        #expect(redacted.reasons().first?.kind == .needsHuman)
        #expect(MetricsText(report).lines.contains("gallery_sync_healthy{profile=\"default\"} 0"))
    }

    @Test func settingsThatTheAgentDoesNotHaveYetAreNamed() {
        var report = Self.report(waiting: 0)
        report.lastRun = LastRun(.sync, began: Reports.now - 60).ended(.done, at: Reports.now - 50)
        (report.agent.running, report.changedSettings) = (true, ["scan.ignore", "providers.zoe.url"])
        #expect(report.remark?.contains("before it was changed (scan.ignore, providers.zoe.url).") == true)
        #expect(report.reasons().allSatisfy { $0.kind == .temporary })
        #expect(!TextReport(report.redacted).lines.joined().contains("zoe"))
    }

    @Test func aRunThatWentWellIsNotNamed() {
        var report = Self.report(waiting: 2)
        report.lastRun = LastRun(.sync, began: Reports.now - 60).ended(.done, at: Reports.now - 50)
        #expect(report.remark == nil)
    }

    @Test(arguments: [
        ("", "2 files wait for a sign-in or a permission. Run \"gallery-sync login\", or set a new GALLERY_SYNC_KEY."),
        ("It is refused", "2 files wait: It is refused. Run \"gallery-sync login\", or set a new GALLERY_SYNC_KEY."),
        (
            "Set it right (\"timedatectl set-ntp true\").",
            "2 files wait: Set it right (\"timedatectl set-ntp true\"). When that is mended, run \"gallery-sync sync\"."
        ),
    ])
    func aMonitorHearsWhatWasSaidAndOneStep(message: String, sentence: String) {
        var report = Self.report(waiting: 2, blocked: [.init(reason: "signIn", files: 2, message: message)])
        report.lastRun = nil
        #expect(report.reasons().contains { $0.sentence == sentence }, "\(report.reasons().map(\.sentence))")
    }
}

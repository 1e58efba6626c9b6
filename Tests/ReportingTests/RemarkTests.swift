import Catalog
import Foundation
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

    @Test func aRunThatWentWellIsNotNamed() {
        var report = Self.report(waiting: 2)
        report.lastRun = LastRun(.sync, began: Reports.now - 60).ended(.done, at: Reports.now - 50)
        #expect(report.remark == nil)
    }
}

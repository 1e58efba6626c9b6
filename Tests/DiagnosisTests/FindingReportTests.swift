import Fixtures
import Reporting
import Testing

@testable import Diagnosis

/// The doctor says of files and roots what the report knows of them.
@Suite struct FindingReportTests {
    private static func report(paused: String?) -> Report {
        var report = Report(createdAt: Items.now)
        report.roots = [Report.Root(name: "A", path: "/m/a", paused: paused)]
        return report
    }

    @Test(arguments: [
        ("is not mounted", "is not mounted. Mount"), ("is empty: where is it?", "is empty: where is it? Mount"),
    ])
    func aRootThatIsAwayIsWrongThoughItsFolderCanBeRead(reason: String, words: String) {
        let away = Finding.fine("root", "/m/a").checked(against: Self.report(paused: "/m/a \(reason)"))
        #expect(away.result == .wrong)
        #expect(away.sentence.hasPrefix("/m/a \(words) the disk"))
        #expect(Finding.fine("root", "/m/b").checked(against: Self.report(paused: "/m/a \(reason)")).result == .fine)
        for report in [Self.report(paused: nil), Report(createdAt: Items.now)] {
            #expect(Finding.fine("root", "/m/a").checked(against: report).result == .fine)
        }
    }

    @Test func anAgentThatDoesNotKnowTheConfigurationIsAFinding() {
        var report = Report(createdAt: Items.now)
        report.changedSettings = ["scan.ignore"]
        #expect(Finding.files(report).map(\.result) == [.doubtful])
        report.changedSettings = ["destination.prefix", "scan.ignore"]
        let found = Finding.files(report)
        #expect(found.map(\.result) == [.wrong])
        #expect(found.first?.sentence.contains("stores elsewhere") == true)
    }

    @Test func filesThatNeedAttentionAreAFinding() {
        var report = Report(createdAt: Items.now)
        #expect(Finding.files(report).isEmpty)
        report.assets = .init(stored: 5, unreadable: 1)
        report.failures = [Report.Failure(path: "A/b.jpg", code: "file.EACCES", message: "Permission denied")]
        let sentences = Finding.files(report).map(\.sentence)
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasPrefix("1 file failed or could not be read. Let this user read") == true)
    }
}

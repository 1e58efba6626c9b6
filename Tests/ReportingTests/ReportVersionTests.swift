import Foundation
import Reporting
import Testing
import Text

/// Reports during an upgrade, while the older agent is still running.
@Suite struct ReportVersionTests {
    /// The report of a program that did not include its version.
    static func withoutVersion() throws -> Report {
        var object = try ReportJSONTests.object(Reports.done)
        object["version"] = nil
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            _ = try decoder.singleValueContainer().decode(String.self)
            return Reports.now
        }
        return try decoder.decode(Report.self, from: JSONSerialization.data(withJSONObject: object))
    }

    @Test func aReportTellsItsVersion() throws {
        #expect(try ReportJSONTests.object(Reports.empty)["version"] as? String == Version.text)
    }

    @Test func theSameVersionIsNotWorthANote() {
        #expect(Reports.done.compared(to: Version.text) == Reports.done)
    }

    @Test func anotherVersionAsksForARestart() {
        let notes = Reports.done.compared(to: "9.9.9").notes
        #expect(notes == ["The running agent is version \(Version.text), this program is 9.9.9: restart the agent."])
    }

    @Test func aReportWithoutVersionIsReadAndIsOlder() throws {
        let report = try Self.withoutVersion()
        #expect(report.assets == Reports.done.assets)
        let notes = report.compared(to: "9.9.9").notes
        #expect(notes == ["The running agent is an older version, this program is 9.9.9: restart the agent."])
    }
}

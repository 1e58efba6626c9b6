import Foundation
import Reporting
import Testing

@Suite struct MetricsTextTests {
    /// One sample, as a scraper reads it.
    private struct Sample: Hashable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    /// A small reader of the exposition format: each metric once, with HELP, then TYPE, then its samples.
    private static func read(_ lines: [String]) throws -> [Sample] {
        var samples: [Sample] = []
        var help: String?
        var type: String?
        var seen: Set<String> = []
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# HELP ") {
                #expect(words.count == 4 && seen.insert(words[2]).inserted, "\(line)")
                help = words[2]
            } else if line.hasPrefix("# TYPE ") {
                #expect(words[2] == help && ["gauge", "counter"].contains(words[3]), "\(line)")
                type = words[2]
            } else {
                let match = try #require(
                    try /([a-z_:][a-z0-9_:]*)\{(.*)\} (-?[0-9.e+]+)/.wholeMatch(in: line), "\(line)")
                #expect(String(match.1) == type, "\(line)")
                var labels: [String: String] = [:]
                for label in match.2.matches(of: /([a-z]+)="((?:[^"\\\n]|\\.)*)",?/) {
                    labels[String(label.1)] = String(label.2)
                }
                samples.append(
                    Sample(name: String(match.1), labels: labels, value: try #require(Double(String(match.3)))))
            }
        }
        #expect(Set(samples.map { [$0.name: $0.labels] }).count == samples.count, "a sample stands there twice")
        return samples
    }

    @Test(arguments: [Reports.empty, Reports.done, Reports.troubled])
    func itIsInTheFormatAndKeepsTheConventions(_ report: Report) throws {
        let samples = try Self.read(MetricsText(report).lines)
        #expect(samples.allSatisfy { $0.name.hasPrefix("gallery_sync_") && $0.labels["profile"] == report.profile })
        #expect(samples.allSatisfy { !$0.name.contains("timestamp") || $0.name.hasSuffix("_timestamp_seconds") })
        #expect(MetricsText(report).text.hasSuffix("\n"))
    }

    @Test func theStatesAddUpToWhatTheReportCounts() throws {
        let report = Reports.troubled
        let assets = try Self.read(MetricsText(report).lines).filter { $0.name == "gallery_sync_assets" }
        #expect(Set(assets.compactMap { $0.labels["state"] }) == ["stored", "waiting", "failed", "unreadable"])
        #expect(assets.reduce(0) { $0 + $1.value } == Double(report.assets.total))
    }

    @Test func theOldestFileIsAMomentSoThatItsAgeIsRightInAnOldFile() throws {
        let report = Reports.troubled
        let samples = try Self.read(MetricsText(report).lines)
        let oldest = samples.first { $0.name == "gallery_sync_oldest_waiting_timestamp_seconds" }
        #expect(oldest?.value == report.oldestWaiting?.timeIntervalSince1970)
    }

    @Test func aLabelIsEscaped() throws {
        var report = Reports.empty
        report.profile = "a\"b\\c\nd"
        #expect(
            MetricsText(report).lines.contains { $0.hasPrefix("gallery_sync_paused{profile=\"a\\\"b\\\\c\\nd\"} ") })
    }
}

import Foundation
import Testing

@testable import Benchmarks

@Suite struct ResultSheetTests {
    private let sheet = ResultSheet(
        machine: Machine(cores: 2, load: 0.5),
        measurements: [
            Measurement(
                "rescan of 100 files", Figure(0.21, .seconds), beside: .find, Figure(0.2, .seconds),
                goal: .atMost(1.1)
            )
            .named("rescan"),
            Measurement("status with 100 assets", Figure(0.045, .seconds), goal: .atMost(0.03)).named("status"),
            Measurement("posters", Figure(12, .filesPerSecond), beside: .ffmpegthumbnailer, nil, goal: .atLeast(1))
                .named("posters"),
            Measurement(what: "uploads", outcome: .failed("curl ended")).named("uploads"),
            Measurement(what: "thumbnails", outcome: .unmeasured("no worker")).named("thumbnails"),
        ])

    private var lines: [String] {
        sheet.table.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func theHeadNamesTheCores() {
        #expect(lines[0] == "gallery-sync-bench: 2 cores, load before the run 0.50")
        #expect(lines[1].isEmpty)
    }

    @Test func aComparisonShowsBothSidesRatioAndGoal() throws {
        let words = try #require(lines.first { $0.hasPrefix("rescan") }).split(separator: "  ").map(trimmed)
        #expect(words == ["rescan", "rescan of 100 files", "210 ms", "find 200 ms", "1.05×", "≤ 1.10×", "reached"])
    }

    @Test func aNumberAloneShowsItsGoal() throws {
        let words = try #require(lines.first { $0.hasPrefix("status") }).split(separator: "  ").map(trimmed)
        #expect(words == ["status", "status with 100 assets", "45.0 ms", "≤ 30.0 ms", "missed"])
    }

    @Test(
        arguments: [
            ("posters", "ffmpegthumbnailer not installed: apt install ffmpegthumbnailer", "not compared"),
            ("uploads", "curl ended", "failed"), ("thumbnails", "no worker", "not measured"),
        ])
    func whatWasNotMeasuredSaysWhy(row: String, reason: String, verdict: String) throws {
        let line = try #require(lines.first { $0.hasPrefix(row) })
        #expect(line.contains(reason))
        #expect(line.hasSuffix(verdict))
    }

    @Test func columnsBeginBelowTheirNames() throws {
        let head = Array(lines[2])
        let column = try #require(String(head).range(of: "gallery-sync")).lowerBound.utf16Offset(in: String(head))
        for line in lines[3...5] {
            let cells = Array(line)
            #expect(cells[column - 1] == " ")
            #expect(cells[column] != " ")
        }
    }

    @Test func noLineEndsInSpace() {
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test func theDocumentHoldsNumbersUnrounded() throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(sheet.json().utf8)) as? [String: Any])
        #expect(document["schema"] as? String == "gallery-sync/bench/1")
        #expect(document["cores"] as? Int == 2)
        let measurements = try #require(document["measurements"] as? [[String: Any]])
        #expect(measurements.count == 5)
        #expect(measurements[0]["value"] as? Double == 0.21)
        #expect(measurements[0]["peerValue"] as? Double == 0.2)
        #expect(measurements[0]["goalIs"] as? String == "atMost")
        #expect(measurements[1]["verdict"] as? String == "missed")
        #expect(measurements[1]["peer"] == nil)
        #expect(measurements[3]["reason"] as? String == "curl ended")
    }

    /// What never came about has no number in JSON; the row still says that its goal was missed.
    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func aNumberThatJSONCannotHoldIsLeftOut(value: Double) throws {
        let sheet = ResultSheet(
            machine: Machine(cores: 1, load: 0),
            measurements: [
                Measurement("newest", Figure(value, .seconds), goal: .atMost(10)),
                Measurement("beside", Figure(1, .seconds), beside: .find, Figure(value, .seconds), goal: .atMost(1)),
            ])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(sheet.json().utf8)) as? [String: Any])
        let lines = try #require(document["measurements"] as? [[String: Any]])
        #expect(lines.count == 2 && lines[0]["value"] == nil && lines[1]["peerValue"] == nil)
        #expect(lines[0]["goal"] as? Double == 10)
        #expect(lines[1]["value"] as? Double == 1)
        #expect(sheet.table.contains("–"))
    }

    private func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}

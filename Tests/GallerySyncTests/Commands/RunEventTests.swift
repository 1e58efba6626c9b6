import Foundation
import Output
import Platform
import Supabase
import TestSupport
import Testing

@testable import GallerySync

@Suite struct RunEventTests {
    private static let sync =
        "sync Pictures --local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    private static func lines(_ household: Household) throws -> [[String: JSONValue]] {
        try household.results.split(separator: "\n").map {
            try JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8))
        }
    }

    @Test func aSyncTellsEachFileAndEndsWithItsCountsAndTheStatus() async throws {
        let household = try Household()
        defer { household.remove() }
        try household.write("a", to: household.home.appending("Pictures/a.jpg"))
        #expect(await household.run(Self.sync + " --json") == .success)
        let lines = try Self.lines(household).filter { $0["event"] != "progress" }
        #expect(lines.map { $0["event"] } == ["started", "stored", "finished"])
        #expect(lines.allSatisfy { $0["schema"] == "gallery-sync/event/1" && $0["at"] != nil })
        #expect(lines[1]["path"] == "Pictures/a.jpg")
        guard case .object(let status)? = lines[2]["status"], case .object(let run)? = lines[2]["run"] else {
            Issue.record("no status or no counts: \(lines[2])")
            return
        }
        #expect(status["schema"] == "gallery-sync/status/1")
        #expect(run["new"] == 1)
        #expect(lines[2]["exit"] == 0)
    }

    @Test func aSyncEndsWithWhatItDidAndQuietlySaysNothingOfASuccess() async throws {
        let household = try Household()
        defer { household.remove() }
        try household.write("a", to: household.home.appending("Pictures/a.jpg"))
        #expect(await household.run(Self.sync + " --quiet") == .success)
        #expect(try household.results.isEmpty && household.notes.isEmpty)
        #expect(await household.run(Self.sync) == .success)
        #expect(try household.results.hasPrefix("This run: nothing to do.\nDestination: this computer."))
    }

    @Test func aCommandThatIsRefusedEndsWithItsReasonAndItsExitCode() async throws {
        let household = try Household()
        defer { household.remove() }
        #expect(await household.run("sync --json") == .configuration)
        let lines = try Self.lines(household)
        #expect(lines.map { $0["event"] } == ["started", "finished"])
        #expect(lines.last?["exit"] == 78)
        #expect(lines.last?["error"]?.string?.hasPrefix("No destination.") == true)
    }
}

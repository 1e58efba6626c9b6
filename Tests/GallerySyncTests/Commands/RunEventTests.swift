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

    private static func lines(_ fixture: CommandFixture) throws -> [[String: JSONValue]] {
        try fixture.results.split(separator: "\n").map {
            try JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8))
        }
    }

    @Test func aSyncTellsEachFileAndEndsWithItsCountsAndTheStatus() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "a"]) { fixture async throws in
            #expect(await fixture.run(Self.sync + " --json") == .success)
            let lines = try Self.lines(fixture).filter { $0["event"] != "progress" }
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
    }

    @Test func aSyncEndsWithWhatItDidAndQuietlySaysNothingOfASuccess() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "a"]) { fixture async throws in
            #expect(await fixture.run(Self.sync + " --quiet") == .success)
            #expect(try fixture.results.isEmpty && fixture.notes.isEmpty)
            #expect(await fixture.run(Self.sync) == .success)
            #expect(try fixture.results.hasPrefix("This run: nothing to do.\nDestination: this computer."))
        }
    }

    @Test func aCommandThatIsRefusedEndsWithItsReasonAndItsExitCode() async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("sync --json") == .configuration)
        let lines = try Self.lines(fixture)
        #expect(lines.map { $0["event"] } == ["started", "finished"])
        #expect(lines.last?["exit"] == 78)
        #expect(lines.last?["error"]?.string?.hasPrefix("No destination.") == true)
    }
}

import Foundation
import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// What commands say and do beside a watch that began with another configuration, or with other settings.
@Suite struct BesideWatchTests {
    private static let rest =
        "--local --state-dir state --set page.enabled=false --set scan.settle=0s"
        + " --set thumbnails.enabled=false"

    /// Calls `body` while a watch of Pictures runs, which has stored its photo.
    private func watching(_ body: (CommandFixture) async throws -> Void) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "Videos/b.mp4": "two"]) { fixture async throws in
            #expect(await fixture.run("init Pictures --yes --no-try --local --state-dir state") == .success)
            // What the watch logs, such as that a file is stored, would stand among what the commands say.
            _ = try await fixture.running("watch --json \(Self.rest) --set log.level=error") { _ async throws in
                try await eventually("a photo is stored", seen: { try? fixture.results }) {
                    try fixture.results.contains("\"event\":\"stored\"")
                }
                try await body(fixture)
            }
        }
    }

    /// What a command adds to standard error.
    private func said(_ fixture: CommandFixture, _ line: String, _ code: ExitCode) async throws -> String {
        let before = try fixture.notes
        #expect(await fixture.run(line) == code, "\(line)")
        return String(try fixture.notes.dropFirst(before.count))
    }

    @Test func aFolderThatTheWatchDoesNotKnowIsNamed() async throws {
        try await watching { fixture async throws in
            #expect(try await said(fixture, "status --check -q \(Self.rest)", .success) == "")
            #expect(
                try await said(fixture, "init Videos --state-dir state", .success)
                    .contains("read the configuration at its start. Restart it: "))
            let unknown = "The running agent does not know HOME/Videos, which the configuration names."
            #expect(try await said(fixture, "status --check -q \(Self.rest)", .configuration).contains(unknown))
            #expect(await fixture.run("status \(Self.rest)") == .success)
            #expect(
                try fixture.results.replacing(/\s+/, with: " ").contains(
                    "is stored, but \(unknown.prefix(1).lowercased() + unknown.dropFirst()) Restart it: "))
            #expect(await fixture.run("status --json \(Self.rest)") == .success)
            #expect(try fixture.results.contains(/"unwatched" *: *"HOME\/Videos"/))
            // Once it is named to the watch, it is watched.
            #expect(await fixture.run("sync Videos -q \(Self.rest)") == .success)
            let words = try await said(fixture, "status --check -q \(Self.rest)", .success)
            #expect(words == "")
        }
    }

    /// What the options of the watch override does not count.
    @Test(arguments: [
        Fact("nothing", "destination: {local: true}", (". stored 1", ExitCode.success)),
        Fact("what options gave", "destination: {local: true}, page: {enabled: true}", (". stored 1", .success)),
        Fact("its log", "destination: {local: true}, log: {level: \"debug\"}", (". stored 1", .success)),
        Fact(
            "its rules", "destination: {local: true}, scan: {ignore: [\"private/**\"]}",
            (". The running agent read the configuration before it was changed (scan.ignore). Restart", .success)),
        Fact(
            "its destination", "destination: {local: true, bucket: \"other\"}",
            (", but the running agent stores elsewhere than the configuration says. Restart", .configuration)),
    ])
    func whatWasChangedSinceItReadTheFileIsNamed(_ row: Fact<String, (String, ExitCode)>) async throws {
        try await watching { fixture async throws in
            try FileManager.default.removeItem(atPath: fixture.configurationPath.display)
            try fixture.write(
                "{profiles: {default: {roots: [\"\(fixture.home.display)/Pictures\"], \(row.input)}}}",
                to: fixture.configurationPath)
            let before = try fixture.results.count
            #expect(await fixture.run("status --check --state-dir state") == row.output.1)
            #expect(await fixture.run("sync --state-dir state") == row.output.1)
            let said = try fixture.results.dropFirst(before).replacing(/\s+/, with: " ")
            #expect(said.contains("The one file is stored\(row.output.0)"), "\(said)")
        }
    }

    @Test func itsOwnSettingsAreWhatCounts() async throws {
        try await watching { fixture async throws in
            #expect(
                try await said(fixture, "verify \(Self.rest) --set destination.bucket=other", .usage)
                    .contains("has another destination than this call names (destination.bucket)"))
            #expect(
                try await said(fixture, "verify \(Self.rest) --set scan.includeHidden=true", .success)
                    .contains("keeps the settings of its start: scan.includeHidden of this call is not looked at"))
            #expect(try await !said(fixture, "verify \(Self.rest)", .success).contains("settings"))
        }
    }
}

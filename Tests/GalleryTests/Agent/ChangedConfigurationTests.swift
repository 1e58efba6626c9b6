import Configuration
import Fixtures
import Platform
import Reporting
import TestSupport
import Testing
import Text

@testable import Gallery

/// What a running agent reports where the configuration says something else by now than what it has read.
@Suite struct ChangedConfigurationTests {
    private static func report(
        _ check: @escaping @Sendable (Report) -> Void,
        _ change: @escaping @Sendable (inout Settings, FilePath) throws -> Void
    ) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            var settings = fixture.settings
            try change(&settings, fixture.folder)
            fixture.equip = { [settings] in $0.hooks.readSettings = { settings } }
            let report = try await fixture.run { agent in
                _ = try await agent.sync([])
                return try await agent.report(.counts)
            }
            check(report)
        }
    }

    enum Change { case nothing, log, rules, destination }

    @Test(
        arguments: [
            Fact("nothing", Change.nothing, nil), Fact("how it logs", .log, nil),
            Fact("its rules", .rules, ["scan.ignore", "scan.includeHidden"]),
            Fact("its destination", .destination, ["destination.bucket"]),
        ] as [Fact<Change, [String]?>])
    func changedSettingsAreNamed(_ row: Fact<Change, [String]?>) async throws {
        try await Self.report { report in
            #expect(report.changedSettings == row.output && report.unwatched == nil)
            #expect((report.outdatedAgent == nil) == (row.input != .destination))
        } _: { settings, _ in
            switch row.input {
            case .nothing: break
            case .log: settings.log.level = .debug
            case .rules: (settings.scan.includeHidden, settings.scan.ignore) = (true, ["private/**"])
            case .destination: settings.destination.bucket = "other"
            }
        }
    }

    /// A folder that is not there is missed by the agent itself, or was a mistake.
    @Test(arguments: [true, false])
    func aFolderThatItDoesNotKnowIsNamed(isThere: Bool) async throws {
        try await Self.report { report in
            #expect(report.changedSettings == ["roots"])
            #expect(report.unwatched?.hasSuffix("/Other") == (isThere ? true : nil))
        } _: { settings, folder in
            let other = folder.appending("Other")
            if isThere { try Directory.create(at: other) }
            settings.roots.append(Settings.Root(path: other))
        }
    }

    @Test func aFolderBelowOneThatItLooksAtIsKnown() async throws {
        try await Self.report { report in
            #expect(report.unwatched == nil)
        } _: { settings, folder in
            try Directory.create(at: folder.appending("Pictures/2024"))
            settings.roots = [Settings.Root(path: folder.appending("Pictures/2024"))]
        }
    }
}

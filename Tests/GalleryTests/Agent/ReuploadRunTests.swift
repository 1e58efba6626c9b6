import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Gallery
@testable import Reporting

@Suite struct ReuploadRunTests {
    @Test func aFileIsSentAgainAndItsRootStaysReadable() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try FileTree(["a.jpg": "three"]).write(to: fixture.gallery)
            var selection = Selection()
            (selection.which, selection.paths) = (.all, [fixture.gallery.appending("a.jpg")])
            let chosen = selection
            let asked = try await fixture.requests {
                let report = try await fixture.run { agent in
                    #expect(try await agent.reupload(chosen).ending == .done)
                    return try await agent.report(.summary)
                }
                #expect(report.assets == Report.Assets(stored: 2))
                #expect(report.roots.map(\.paused) == [nil])
            }
            #expect(asked.uploads.count == 1)
        }
    }
}

import Configuration
import Gallery
import Platform
import Reporting
import TestSupport
import Testing

/// The file of metrics once the watch that wrote it has ended: its reader goes on to read it.
@Suite struct LastMetricsTests {
    @Test func theySayThatNoAgentRunsAndThatAllIsWell() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let written = Shared<[String]>([])
            fixture.settings.roots = [.init(path: fixture.gallery)]
            fixture.equip = { $0.hooks.keepMetrics = { text in written.change { $0.append(text) } } }
            try await fixture.watching { agent in
                _ = try await agent.report("it is stored") { $0.assets.stored == 1 }
                try await eventually("they are written") { !written.value.isEmpty }
                #expect(written.value.last?.contains("gallery_sync_agent_running{profile=\"default\"} 1\n") == true)
            }
            let last = try #require(written.value.last)
            #expect(last.contains("gallery_sync_agent_running{profile=\"default\"} 0\n"))
            #expect(last.contains("gallery_sync_healthy{profile=\"default\"} 1\n"))
            #expect(last.contains("gallery_sync_assets{profile=\"default\",state=\"stored\"} 1\n"))
        }
    }
}

import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Reporting
import TestSupport
import Testing
import Text

/// A configured directory that is not there when the agent starts, as on a disk that is mounted after the login.
@Suite struct LateRootTests {
    @Test func aWatchWaitsForItAndSaysSo() async throws {
        try await AgentFixture.with([:]) { fixture in
            let disk = fixture.folder.appending("disk")
            var fixture = fixture
            fixture.settings.roots = [.init(path: disk)]
            fixture.equip = {
                $0.time = DateClock(now: { Date() }, sleep: { _ in try await Task.sleep(for: .milliseconds(10)) })
            }
            try await fixture.run(.watch) { agent in
                try await withThrowingTaskGroup { group in
                    group.addTask { try await agent.keepSafe([]) }
                    let report = try await agent.report("it waits") { $0.agent.paused }
                    #expect(report.agent.reason == "\(disk.display) is not there")
                    try Directory.create(at: disk)
                    try OpenFile(creating: disk.appending("a.jpg")).append([1])
                    let after = try await agent.report("it is stored") { $0.assets.stored == 1 }
                    #expect(!after.agent.paused)
                    group.cancelAll()
                }
            }
        }
    }

    @Test func aPassDoesNotWait() async throws {
        try await AgentFixture.with([:]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [.init(path: fixture.folder.appending("disk"))]
            let ending = try await fixture.run { agent in try await agent.sync([]) }
            #expect(ending.kind == .usage)
        }
    }
}

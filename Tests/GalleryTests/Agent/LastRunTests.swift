import Catalog
import Configuration
import Gallery
import Platform
import Records
import Reporting
import StorageServer
import TestSupport
import Testing

/// What the library remembers of passes and watches, for monitors.
@Suite struct LastRunTests {
    private func lastRun(_ fixture: AgentFixture) async throws -> LastRun {
        let library = try #require(try Library.existing(at: try fixture.locations.library))
        return try #require(try await library.lastRun())
    }

    @Test func aPassIsRememberedFromItsBeginningToItsEnd() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let during = try await fixture.run { agent in
                _ = try await agent.sync([fixture.gallery])
                return try await agent.report(.summary)
            }
            let run = try await lastRun(fixture)
            #expect(run == during.lastRun)
            #expect(run.command == .sync)
            #expect(run.ending == .done)
            let scan = try #require(during.lastScan)
            let ended = try #require(run.ended)
            #expect((run.began...ended).contains(scan))
        }
    }

    @Test func aRefusedPassIsRememberedWithItsSentence() async throws {
        try await AgentFixture.with([:]) { fixture in
            var fixture = fixture
            let nowhere = fixture.folder.appending("nowhere")
            fixture.settings.roots = [Settings.Root(path: nowhere)]
            #expect(try await fixture.run { try await $0.sync([]) }.isRefusal)
            let run = try await lastRun(fixture)
            #expect(run.ending == .needsHuman)
            #expect(
                run.message == "There is no directory \(nowhere.display). The configuration names it as a root")
        }
    }

    @Test func aPassThatIsStoppedIsInterrupted() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture async throws in
            fixture.faults.change { $0 = { _ in .late(.seconds(60), then: nil) } }
            await #expect(throws: CancellationError.self) {
                try await fixture.run { agent in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { _ = try await agent.sync([fixture.gallery]) }
                        _ = try await agent.report("a sync has begun") { $0.lastRun != nil }
                        group.cancelAll()
                        try await group.waitForAll()
                    }
                }
            }
            #expect(try await lastRun(fixture).ending == .interrupted)
        }
    }

    @Test func aWatchThatRunsHasNoEnd() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let report = try await fixture.run(.watch) { agent in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await agent.keepSafe([fixture.gallery]) }
                    defer { group.cancelAll() }
                    return try await agent.report("the first scan ends") { $0.lastScan != nil }
                }
            }
            #expect(report.lastRun?.command == .watch)
            #expect(report.lastRun?.ended == nil)
            #expect(try await lastRun(fixture).ending == .interrupted)
        }
    }
}

import Catalog
import Configuration
import Desktop
import Foundation
import Platform
import Queue
import Records
import Reporting
import Sync
import TestSupport
import Testing
import Text
import Uploading

@testable import Gallery
@testable import Rescue

/// A watch on a computer whose network, power and sleep change.
@Suite struct HostRunTests {
    /// Runs a watch that has stored what there is, then `body`.
    private func watching(
        _ tree: FileTree = ["a.jpg": "a"], isDistant: Bool = true,
        _ body: @escaping @Sendable (Agent, HostDouble, AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(tree) { fixture in
            let host = HostDouble()
            var fixture = fixture
            fixture.equip = { [destination = fixture.distantDestination] in
                $0.hooks.host = host
                if isDistant { $0.destination = destination }
            }
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.adopt(fixture.gallery)
                #expect(try await agent.sync([fixture.gallery]) == .done)
                try await body(agent, host, fixture)
            }
        }
    }

    @Test func overAMeteredNetworkNothingIsSentAndThatIsSaid() async throws {
        try await watching { agent, host, fixture in
            host.say { $0.metering = .yes }
            try await eventually("it holds back") { agent.uploader.restraint == .metered }
            try fixture.write("b", to: "b.jpg")
            let ending = try await agent.sync([fixture.gallery])
            guard case .temporary(let reason) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(reason.hasPrefix("Nothing is sent, since the network is metered. "))
            let held = try await agent.report(.summary)
            #expect(held.agent.paused && held.agent.reason == "the network is metered")
            #expect(held.assets.stored == 1)
            host.say { $0.metering = .no }
            _ = try await agent.report("it is stored") { $0.assets.stored == 2 }
            #expect(try await agent.report(.summary).agent.reason == nil)
        }
    }

    @Test func resumeNowSendsUntilTheNetworkIsAnother() async throws {
        try await watching { agent, host, fixture in
            host.say { $0.metering = .guessedYes }
            try await eventually("it holds back") { agent.uploader.restraint == .metered }
            try fixture.write("b", to: "b.jpg")
            try await agent.resume(now: true)
            _ = try await agent.report("it is stored") { $0.assets.stored == 2 }
            host.say {
                $0.metering = .guessedYes
                $0.network = "/2"
            }
            try await eventually("it holds back again") { agent.uploader.restraint == .metered }
        }
    }

    @Test func whatStaysOnThisComputerCostsNothing() async throws {
        try await watching(isDistant: false) { agent, host, fixture in
            host.say { $0.metering = .yes }
            try fixture.write("b", to: "b.jpg")
            _ = try await agent.report("it is stored") { $0.assets.stored == 2 }
        }
    }

    @Test func beforeASleepNothingIsUnderWayAndAfterItEverythingIsLookedAt() async throws {
        try await watching { agent, host, fixture in
            try await eventually("sleep waits for it") { host.isDelaying.value }
            let scans = agent.rescans.wakeups
            host.say(.sleeps)
            try await eventually("it lets the computer sleep") { host.sleeps.value == 1 }
            #expect(agent.uploader.restraint == .sleep && !agent.uploader.isBusy)
            host.say(.woke)
            try await eventually("sleep waits for it again") { host.isDelaying.value }
            try await eventually("it sends again") { agent.uploader.restraint == nil }
            try await eventually("it looks at the folders") { agent.rescans.wakeups > scans }
            try fixture.write("b", to: "b.jpg")
            _ = try await agent.report("it is stored") { $0.assets.stored == 2 }
        }
    }

    @Test func theTrayPausesForAnHourAndResumes() async throws {
        try await watching { agent, host, _ in
            try await eventually("the tray says that all is well") { host.tray.value?.icon == "emblem-default" }
            host.say(.chose(action: "pause", topic: TrayState.topic))
            try await eventually("the tray says so") { host.tray.value?.icon == "media-playback-pause" }
            let end = try #require(try await agent.library.pauseEnd())
            #expect(abs(end.timeIntervalSince(Date()) - 3_600) < 600)
            #expect(try await agent.report(.summary).queue.paused)
            host.say(.chose(action: "resume", topic: TrayState.topic))
            try await eventually("the tray says that all is well") { host.tray.value?.icon == "emblem-default" }
            #expect(try await agent.library.pauseEnd() == nil)
        }
    }

    @Test func aPauseEndsByItself() async throws {
        try await watching { agent, _, fixture in
            try await agent.pause(until: Date() + 0.2)
            try fixture.write("b", to: "b.jpg")
            _ = try await agent.report("it is stored") { $0.assets.stored == 2 }
            #expect(try await agent.library.fact(Library.pausedFact) == nil)
        }
    }

    /// The clock was a year ahead, and is right again.
    @Test func aPauseUnderAWrongClockIsNoLongerThanItWasMeant() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            let (now, year) = (Date(timeIntervalSince1970: 1_795_168_800), 31_536_000.0)
            var fixture = fixture
            fixture.equip = { $0.clock = { now + year } }
            try await fixture.run(.steering) { try await $0.pause(until: now + year + 3_600) }
            fixture.equip = { $0.clock = { now } }
            let end = try await fixture.run(.steering) { try await $0.library.pauseEnd() }
            #expect(end == now + 3_600)
            fixture.equip = { $0.clock = { now + 3_600 } }
            #expect(try await fixture.run(.steering) { try await !$0.report(.summary).queue.paused })
        }
    }

    /// One with a deadline of two hours, and one without; neither can be fetched.
    private static func jobs(at now: Date) -> [Job] {
        [
            Job(RescueLink("https://cdn.example/bound.mp4", expires: now + 7_200), addedAt: now),
            Job(RescueLink("https://cdn.example/free.mp4"), addedAt: now),
        ]
    }

    @Test func aDeadlineThatFallsIntoASleepIsSaidBefore() async throws {
        try await watching { agent, host, _ in
            _ = try await agent.rescuer.registry.add(Self.jobs(at: Date()))
            host.say(.sleeps)
            try await eventually("it lets the computer sleep") { host.sleeps.value == 1 }
            let notice = try #require(host.shown.value["rescue:late"])
            #expect(notice.isUrgent)
            #expect(notice.text.hasPrefix("1 video ends at the provider, the first in "))
        }
    }

    @Test func overAMeteredNetworkOnlyFilesWithADeadlineAreFetchedAndOnlySoMuch() async throws {
        try await watching { agent, _, _ in
            let jobs = Self.jobs(at: Date())
            _ = try await agent.rescuer.registry.add(jobs)
            let fetches = jobs.map { RescueAct.fetch(JobPlace($0.id, 0)) }
            #expect(await agent.rescuer.permitted(fetches) == fetches)
            agent.rescuer.setAllowance(1)
            #expect(await agent.rescuer.permitted(fetches) == [fetches[0]])
            agent.rescuer.setAllowance(0)
            #expect(await agent.rescuer.permitted(fetches) == [])
        }
    }

    @Test func theFirstSyncIsToldOnce() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            let host = HostDouble()
            var fixture = fixture
            fixture.equip = { $0.hooks.host = host }
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.adopt(fixture.gallery)
                _ = try await agent.sync([fixture.gallery])
                try await eventually("it is told") { host.shown.value["first"] != nil }
                try fixture.write("b", to: "b.jpg")
                _ = try await agent.report("it is stored") { $0.assets.stored == 2 }
            }
            #expect(host.history.value.map(\.text) == ["The one file is stored."])
            let again = HostDouble()
            fixture.equip = { $0.hooks.host = again }
            try fixture.write("c", to: "c.jpg")
            try await fixture.run(.watch) { [fixture] agent in
                _ = try await agent.sync([fixture.gallery])
                _ = try await agent.report("it is stored") { $0.assets.stored == 3 }
            }
            #expect(again.history.value.isEmpty)
        }
    }
}

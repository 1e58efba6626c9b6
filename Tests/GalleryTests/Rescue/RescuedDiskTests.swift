import Catalog
import Configuration
import Fixtures
import Foundation
import Platform
import ProviderServer
import Providers
import Queue
import Records
import TestSupport
import Testing

@testable import Gallery
@testable import Rescue

/// Files that were rescued onto a disk which goes away before they are stored.
@Suite struct RescuedDiskTests {
    /// A studio from which one video was rescued and stored, so that the root is known.
    private static func afterARescue(_ body: (Studio) async throws -> Void) async throws {
        try await Studio.with { studio in
            let first = try await studio.rescue(studio.server.add(Reels.media())).ending
            #expect(first == .done)
            try await body(studio)
        }
    }

    /// The library knows the root, but not the file yet.
    @Test func aFileIsNotLostWhileItsDiskIsAway() async throws {
        try await Self.afterARescue { studio in
            let job = Jobs.file(Jobs.link("b")) {
                $0.stage = .safe
                $0.path = "b.mp4"
                $0.sha256 = SHA256.hash(Reels.movie(seed: 2)).hexadecimal
            }
            let state = try Directory(studio.fixture.locations.state)
            let away = try await studio.fixture.run(.steering) { agent in
                _ = try await agent.rescuer.registry.add([job])
                try state.rename("generated", to: "unmounted")
                let isChanged = try await agent.settleRescued(JobPlace(job.id, 0))
                #expect(!isChanged)
                return await agent.rescuer.look(JobPlace(job.id, 0))?.1
            }
            #expect(away?.stage == .safe && away?.failure == nil)
            try state.rename("unmounted", to: "generated")
            try OpenFile(creating: state.path.appending("generated/b.mp4")).append(Reels.movie(seed: 2))
            #expect(try await studio.rescue(.known).ending == .done)
            #expect(try studio.jobs().map(\.isStored) == [true, true])
        }
    }

    /// It may wait for hours, and the rescuer looks again whenever something wakes it.
    @Test func aFileThatWaitsToBeStoredWakesNoLoopByBeingLookedAt() async throws {
        try await Self.afterARescue { studio in
            let job = Jobs.file(Jobs.link("b")) {
                $0.stage = .safe
                $0.path = "b.mp4"
                $0.sha256 = SHA256.hash(Reels.movie(seed: 2)).hexadecimal
            }
            let folder = try Directory(studio.fixture.locations.state).path.appending("generated")
            try OpenFile(creating: folder.appending("b.mp4")).append(Reels.movie(seed: 2))
            try await studio.fixture.run(.steering) { agent in
                _ = try await agent.rescuer.registry.add([job])
                _ = try await agent.settleRescued(JobPlace(job.id, 0))
                let wakeups = agent.wake.wakeups
                for _ in 1...3 { #expect(try await !agent.settleRescued(JobPlace(job.id, 0))) }
                #expect(agent.wake.wakeups == wakeups)
            }
        }
    }

    @Test func aFileThatWasTakenAwayIsLost() async throws {
        try await Self.afterARescue { studio in
            let job = Jobs.file(Jobs.link("b")) {
                $0.stage = .safe
                $0.path = "b.mp4"
            }
            let lost = try await studio.fixture.run(.steering) { agent in
                _ = try await agent.rescuer.registry.add([job])
                let isChanged = try await agent.settleRescued(JobPlace(job.id, 0))
                #expect(isChanged)
                return await agent.rescuer.look(JobPlace(job.id, 0))?.1
            }
            #expect(lost?.stage == .failed && lost?.failure?.code == "rescue.gone")
            #expect(lost?.failure?.message.contains("was taken from") == true)
        }
    }
}

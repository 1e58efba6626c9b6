import Catalog
import Fixtures
import Foundation
import Gallery
import ProviderServer
import Providers
import Records
import Rescue
import TestSupport
import Testing

/// A watch that has no folder.
@Suite struct FolderlessWatchTests {
    @Test func rescuesNeedNoFolder() async throws {
        try await Studio.with { studio in
            let reference = studio.add(.runway, "a", Reels.media())
            try await studio.fixture.watching { agent in
                _ = try await agent.jobOrders.add(reference)
                try await eventually("the job is stored") { await agent.jobOrders.all().first?.isStored == true }
            }
            #expect(try await studio.fixture.objects().count == 1)
        }
    }

    /// Its links die while the key is renewed.
    @Test func whatCanBeFetchedIsOnThisDiskBeforeAWatchWithARefusedKeyEnds() async throws {
        try await Studio.with { studio in
            let reference = studio.add(.runway, "a", Reels.media())
            _ = try await studio.fixture.run { try await $0.jobOrders.add(reference) }
            _ = try await studio.fixture.requests(failing: { _ in MendedTests.answer(401, #"{"message":"no"}"#) }) {
                let refusal = await #expect(throws: Refusal.self) {
                    try await studio.fixture.run(.watch) { try await $0.keepSafe([]) }
                }
                #expect(refusal?.ending.kind == .notPermitted)
            }
            #expect(try studio.jobs().first?.files.map(\.stage) == [.safe])
        }
    }

    @Test func withoutAnythingToDoItSaysWhatToDo() async throws {
        try await AgentFixture.with([:]) { fixture in
            let refusal = await #expect(throws: Refusal.self) {
                try await fixture.run(.watch) { try await $0.keepSafe([]) }
            }
            #expect(refusal?.description.contains("Nothing to watch") == true, "\(refusal?.description ?? "")")
        }
    }
}

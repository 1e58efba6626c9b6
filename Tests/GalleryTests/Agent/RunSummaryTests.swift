import Configuration
import Control
import Gallery
import Platform
import Serving
import StorageServer
import TestSupport
import Testing
import Uploading

/// What `sync` says of itself.
@Suite struct RunSummaryTests {
    private static func tally(_ fixture: AgentFixture, _ agent: Agent) async throws -> Tally? {
        try await agent.answer(SyncOrder(paths: [fixture.gallery])).answer?.tally
    }

    private static var twoNew: Tally {
        var tally = Tally()
        tally.new = 2
        tally.bytes = 3
        return tally
    }

    private static var oneOfEach: Tally {
        var tally = Tally()
        tally.new = 1
        tally.changed = 1
        tally.moved = 1
        tally.bytes = 10
        return tally
    }

    /// Makes one new file, one changed one and one that was renamed.
    private static func change(_ fixture: AgentFixture) throws {
        try fixture.write("new", to: "new.jpg")
        try fixture.write("changed", to: "a.jpg")
        try Directory(fixture.gallery).rename("b.jpg", to: "c.jpg")
    }

    @Test(arguments: [Agent.Mode.pass, .watch])
    func aRunCountsWhatItDidAndNothingElse(_ mode: Agent.Mode) async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "bb"]) { fixture in
            try await fixture.run(mode) { agent in
                let first = try await Self.tally(fixture, agent)
                let second = try await Self.tally(fixture, agent)
                #expect([first, second] == [Self.twoNew, Tally()])
            }
        }
    }

    @Test func newChangedAndMovedFilesAreToldApart() async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "bb"]) { fixture in
            _ = try await fixture.sync()
            try Self.change(fixture)
            let tally = try await fixture.run { try await Self.tally(fixture, $0) }
            #expect(tally == Self.oneOfEach)
        }
    }

    /// What a lost state knew is found again, and an upload whose answer was lost is one that this run has made.
    @Test func whatStorageHeldAlreadyIsToldApartFromWhatWasSent() async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "bb"]) { fixture in
            _ = try await fixture.sync()
            try Directory.removeTree(at: fixture.locations.state)
            try fixture.write("new", to: "new.jpg")
            let isCut = Shared(false)
            let told = Shared<Tally?>(nil)
            _ = try await fixture.requests(failing: { request in
                guard request.path.hasSuffix("/new.jpg"), request.method == "POST", !isCut.value else { return nil }
                isCut.change { $0 = true }
                return .cutAnswer(after: 0)
            }) {
                let tally = try await fixture.run { try await Self.tally(fixture, $0) }
                told.change { $0 = tally }
            }
            var expected = Tally()
            (expected.found, expected.new, expected.bytes) = (2, 1, 3)
            #expect(told.value == expected)
            #expect(isCut.value)
        }
    }
}

import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Reporting
import Serving
import StorageServer
import TestSupport
import Testing

/// What is left of a destination at which a profile stores nothing any more.
@Suite struct FormerDestinationTests {
    private static let tree = FileTree(["a.jpg": "one", "b.jpg": "two"])

    /// Passes while storage cannot be reached, until both files are queued.
    ///
    /// - Parameter areDue: Whether they are to be tried again at once.
    private static func queue(_ fixture: AgentFixture, areDue: Bool = false) async throws {
        var hasty = fixture
        hasty.settings.sync.patience = .zero
        if !areDue { hasty.settings.retry.base = .seconds(100) }
        _ = try await hasty.requests(failing: { _ in .unavailable(retryAfter: areDue ? 0 : 100) }) { [hasty] in
            try await eventually("the files are queued") {
                _ = try await hasty.sync()
                return try QueueStore(state: hasty.locations.state).load().entries.count(where: \.isOpen) == 2
            }
        }
    }

    /// What waits has the keys of the former destination, and would be stored under them at the next one.
    @Test(arguments: [("old", "new"), ("", "new"), ("old", "")])
    func whatWaitsForItIsSentToTheNextOneAlone(former: String, next: String) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var fixture = fixture
            fixture.prefix = former
            try await Self.queue(fixture)
            let left = try await FormerDestination.forget(in: fixture.locations, at: Date())
            #expect(left.name == fixture.destination.name && left.left == 0)
            fixture.prefix = next
            try await fixture.pass()
            let keys = ["a.jpg", "b.jpg"].map { (next.isEmpty ? "" : next + "/") + "Pictures/" + $0 }
            #expect(try await Set(fixture.objects().keys) == Set(keys))
        }
    }

    /// What a run does that refuses the destination that the settings name now.
    enum Refused: CaseIterable, Sendable { case pass, watch, reupload, repair }

    private static func ending(of command: Refused, by agent: Agent, _ fixture: AgentFixture) async -> Ending? {
        do {
            switch command {
            case .pass: return try await agent.sync([fixture.gallery])
            case .reupload: return try await agent.reupload(Selection()).ending
            case .repair:
                var order = VerifyOrder()
                order.isRepairing = true
                return try await agent.verify(order).ending
            case .watch:
                try await agent.keepSafe([fixture.gallery])
                return .done
            }
        } catch let refusal as Refusal {
            return refusal.ending
        } catch {
            return nil
        }
    }

    /// As after a slip in the configuration: nothing is found, queued, sent or proven for a destination that is refused.
    @Test(arguments: Refused.allCases)
    func nothingIsDoneForAnotherDestinationThanTheStateIsFor(_ command: Refused) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var (fixture, slip) = (fixture, fixture)
            (fixture.prefix, slip.prefix) = ("old", "slip")
            try await Self.queue(fixture, areDue: true)
            try fixture.write("three", to: "c.jpg")
            let asked = try await fixture.requests { [slip] in
                _ = try await slip.run(command == .watch ? .watch : .pass, namesNoRoot: true) { agent in
                    // Stages that run have asked for the bucket by then.
                    for _ in 0..<2_000 { _ = try await agent.library.counts() }
                    let ending = await Self.ending(of: command, by: agent, slip)
                    guard case .needsHuman = ending else {
                        Issue.record("ended with \(String(describing: ending))")
                        return
                    }
                }
            }
            #expect(asked.lines.isEmpty)
            try await fixture.pass()
            let keys = ["a.jpg", "b.jpg", "c.jpg"].map { "old/Pictures/" + $0 }
            #expect(Set(try await fixture.objects().keys) == Set(keys))
        }
    }

    /// A run that ends while a file is being sent may have left it there; the next one refuses the destination it is given.
    @Test func whatWasBeingSentIsRememberedAsSentWhereTheStateIsFor() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var (fixture, slip) = (fixture, fixture)
            (fixture.prefix, slip.prefix) = ("old", "slip")
            try await Self.queue(fixture)
            let item = try await fixture.run(.steering) { agent in
                let claim = try #require(try await agent.queue.reserve(.any, now: Date() + 1_000_000))
                return try await claim.item()
            }
            try await slip.run(.steering) { _ in }
            let library = try #require(try Library.existing(at: fixture.locations.library))
            for (destination, isRemembered) in [(fixture.destination, true), (slip.destination, false)] {
                let isOurs = try await library.isOurs(
                    destination: destination.name, key: item.objectKey, sha256: item.sha256)
                #expect(isOurs == isRemembered)
            }
        }
    }

    /// Its file was gone before another one got its name, while the profile stored elsewhere.
    @Test func aLastCopyAtTheFormerOneIsSetAsideThere() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var (old, new) = (fixture, fixture)
            (old.prefix, new.prefix) = ("old", "new")
            try await old.pass()
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await old.pass()
            _ = try await FormerDestination.forget(in: fixture.locations, at: Date())
            try fixture.write("another", to: "a.jpg")
            try await new.pass()
            _ = try await FormerDestination.forget(in: fixture.locations, at: Date())
            try await old.pass()
            let objects = try await fixture.objects().filter { $0.key.hasPrefix("old/") }
            #expect(objects["old/Pictures/a.jpg"] == Array("another".utf8))
            #expect(objects.values.contains(Array("one".utf8)))
        }
    }

    /// What is stored at the former one alone is not "only in storage" at this one.
    @Test func aFileThatGoesBeforeItIsSentToTheNextOneLeavesNothingThere() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var (old, new) = (fixture, fixture)
            (old.prefix, new.prefix) = ("old", "new")
            try await old.pass()
            _ = try await FormerDestination.forget(in: fixture.locations, at: Date())
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await new.pass()
            let there = try await new.run(.steering) { try await $0.report(.summary) }
            #expect(there.besides.remoteOnly == 0 && there.assets.stored == 1)
            _ = try await FormerDestination.forget(in: fixture.locations, at: Date())
            try await old.pass()
            let back = try await old.run(.steering) { try await $0.report(.summary) }
            #expect(back.besides.remoteOnly == 1)
        }
    }

    /// As it was before, so nothing is sent again.
    @Test func theFormerOneCanBeTakenUpAgain() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var fixture = fixture
            for prefix in ["old", "new"] {
                fixture.prefix = prefix
                try await fixture.pass()
                _ = try await FormerDestination.forget(in: fixture.locations, at: Date())
            }
            fixture.prefix = "old"
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
        }
    }

    /// What another profile has stored there counts without a byte sent, as where this profile is new.
    @Test func theNextOneMayHoldFilesAlready() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var fixture = fixture
            try await fixture.pass()
            try await fixture.run(.steering) { try await $0.library.noteBucketLook(at: Date()) }
            var other = try fixture.another(with: Self.tree)
            other.prefix = "new"
            try await other.pass()
            _ = try await FormerDestination.forget(in: fixture.locations, at: Date())
            fixture.prefix = "new"
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(asked.questions == ["a.jpg", "b.jpg"])
        }
    }

    /// A write that fails leaves either the former destination, or none; nothing is sent to the former one after that.
    @Test func aDiskThatFailsLosesNothing() async throws {
        for callsBeforeFailure in 0... {
            var hasFailed = false
            try await AgentFixture.with(Self.tree) { fixture in
                var fixture = fixture
                fixture.prefix = "old"
                try await Self.queue(fixture)
                let disk = FailingDisk(
                    try LocalDisk(directory: fixture.locations.state), callsBeforeFailure: callsBeforeFailure,
                    afterwards: .recovers)
                _ = try? await FormerDestination.forget(in: fixture.locations, disk: { _ in disk }, at: Date())
                hasFailed = disk.hasFailed
                _ = try await FormerDestination.forget(in: fixture.locations, at: Date())
                fixture.prefix = "new"
                try await fixture.pass()
                #expect(try await Set(fixture.objects().keys) == ["new/Pictures/a.jpg", "new/Pictures/b.jpg"])
            }
            if !hasFailed { break }
        }
    }
}

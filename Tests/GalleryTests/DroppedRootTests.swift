import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Reporting
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing

/// Folders that are taken out of the configuration: nothing looks at them, and what is stored of them stays.
@Suite struct DroppedRootTests {
    /// Two folders with a stored file each, of which the second one is taken out of the configuration.
    private func withDroppedFolder(
        removing isRemoved: Bool, _ body: (AgentFixture, FilePath) async throws -> Void
    ) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let old = try Self.addFolder(to: &fixture)
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            if isRemoved { try Self.remove(old) }
            // It is noticed that the folder is away before it is taken out.
            _ = try await fixture.run { try await $0.sync([]) }
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            try await body(fixture, old)
        }
    }

    /// A second folder with a file, which the configuration names, too.
    private static func addFolder(to fixture: inout AgentFixture) throws -> FilePath {
        let old = fixture.folder.appending("old")
        try Directory.create(at: old)
        try OpenFile(creating: old.appending("b.jpg")).append(Array("two".utf8))
        fixture.settings.roots = [fixture.gallery, old].map { Settings.Root(path: $0) }
        return old
    }

    private static func remove(_ folder: FilePath) throws {
        try Directory.removeTree(at: folder)
    }

    private func prune(
        _ fixture: AgentFixture, deleting: Bool, root: String? = nil
    ) async throws -> (result: PruneResult, ending: Ending) {
        try await fixture.run(.steering) { try await $0.prune(deleting: deleting, root: root) }
    }

    @Test(arguments: [true, false])
    func nothingLooksAtItAndWhatIsStoredStays(isRemoved: Bool) async throws {
        try await withDroppedFolder(removing: isRemoved) { fixture, _ in
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.roots.map(\.name) == ["Pictures", "old"])
            #expect(report.roots.map(\.dropped) == [nil, true])
            #expect(report.roots.map(\.paused) == [nil, nil])
            #expect(report.assets.stored == 2)
            #expect(report.reasons().map(\.clause) == [])
            #expect(
                TextReport(report).lines.joined(separator: " ").replacing(/\s+/, with: " ")
                    .contains("no longer in the configuration: what is stored of it stays"))
            let (result, ending) = try await prune(fixture, deleting: true)
            #expect(ending == .done)
            #expect(result.objects == [])
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "old/b.jpg"])
        }
    }

    @Test func aWatchDoesNotWaitForIt() async throws {
        try await withDroppedFolder(removing: true) { fixture, _ in
            // Both roots would be looked at first, and only then is a new file read and sent.
            try fixture.write("three", to: "c.jpg")
            try await fixture.watching { agent in
                let report = try await agent.report("the new one is stored") { $0.assets.stored == 3 }
                #expect(!report.agent.paused)
                #expect(report.agent.reason == nil)
            }
        }
    }

    @Test func aWatchLooksAtItOnceThatIsAskedFor() async throws {
        try await withDroppedFolder(removing: false) { fixture, old in
            try await fixture.watching { agent in
                _ = try await agent.report("it watches") { $0.lastRun?.command == .watch }
                #expect(try await agent.sync([old]) == .done)
                try OpenFile(creating: old.appending("c.jpg")).append(Array("three".utf8))
                let report = try await agent.report("it is stored") { $0.assets.stored == 3 }
                #expect(report.roots.map(\.dropped) == [nil, nil])
            }
        }
    }

    /// A user who takes a folder out may not want it stored at all, and its files may wait in the queue.
    @Test func nothingOfItIsSent() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            _ = try Self.addFolder(to: &fixture)
            fixture.settings.sync.patience = .zero
            let hasty = fixture
            _ = try await fixture.requests(failing: { _ in .drop(afterReading: 0) }) {
                try await eventually("its file is queued") {
                    _ = try await hasty.run(namesNoRoot: true) { try await $0.sync([]) }
                    return try QueueStore(state: hasty.locations.state).load().entries.contains { $0.root == "old" }
                }
            }
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            fixture.settings.sync.patience = .seconds(100)
            let patient = fixture
            let asked = try await fixture.requests {
                let ending = try await patient.run(namesNoRoot: true) { try await $0.sync([]) }
                #expect(ending == .done)
            }
            #expect(asked.uploads == ["/object/media/Pictures/a.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 1))
        }
    }

    /// Files that are not stored yet would wait for ever, and those that failed would be told for ever.
    @Test(arguments: [true, false])
    func nothingWaitsForItsFiles(isRemoved: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let old = try Self.addFolder(to: &fixture)
            fixture.faults.change { $0 = { $0.path.hasSuffix("b.jpg") ? .denied : nil } }
            (fixture.settings.sync.patience, fixture.settings.scan.settle) = (.zero, .zero)
            #expect(try await fixture.run { try await $0.sync([]) } != .done)
            fixture.faults.change { $0 = { _ in nil } }
            if isRemoved { try Self.remove(old) }
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            // One that is there may be on its way already.
            #expect(report.assets.total == report.assets.stored)
            #expect(report.assets.stored + report.besides.gone == 2)
            #expect(report.besides.gone == 1 || !isRemoved)
            #expect(report.reasons().map(\.clause) == [])
            guard !isRemoved else { return }
            fixture.settings.roots.append(Settings.Root(path: old))
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "old/b.jpg"])
        }
    }

    /// The original is stored, and its picture waited when the folder was taken out.
    @Test func picturesThatWaitedAreLookedForOnceItIsBack() async throws {
        // Files of one size have the same picture here, which would be copied from the other's.
        try await AgentFixture.with(["a.jpg": "first"]) { fixture in
            var fixture = fixture
            fixture.settings.thumbnails.enabled = true
            fixture.equip = { $0.workers = PainterDouble() }
            _ = try Self.addFolder(to: &fixture)
            var hasty = fixture
            (hasty.settings.sync.patience, hasty.settings.scan.settle) = (.zero, .zero)
            fixture.faults.change {
                $0 = { $0.path.contains("/.thumbnails/512/old/") ? .unavailable(retryAfter: 0) : nil }
            }
            #expect(try await hasty.run { try await $0.sync([]) } != .done)
            fixture.faults.change { $0 = { _ in nil } }
            #expect(Set(try await fixture.objects().keys).contains("old/b.jpg"))
            // Otherwise the picture could be on its way before it is noticed that the folder is out.
            try await fixture.run(.steering) { try await $0.pause() }
            hasty.settings.roots.removeLast()
            _ = try await hasty.run { try await $0.sync([]) }
            let owed = try await fixture.run(.steering) { [hasty] agent in
                let (library, roles) = (agent.library, [Item.Role.thumbnail(512)])
                for root in try await library.roots() { try await library.takeUp(root) }
                try await library.findOwedPictures(roles: roles, destination: hasty.destination.name)
                return try await library.picturesOwed(roles: roles)
            }
            #expect(owed == 1)
        }
    }

    @Test(arguments: [true, false])
    func anOrderThatNamesItDeletesWhatIsStoredAndForgetsIt(isRemoved: Bool) async throws {
        try await withDroppedFolder(removing: isRemoved) { fixture, old in
            let listed = try await prune(fixture, deleting: false, root: "old")
            #expect(listed.ending == .done)
            #expect(listed.result.objects.map(\.path) == ["old/b.jpg"])
            #expect(try await fixture.objects().count == 2)
            let (result, ending) = try await prune(fixture, deleting: true, root: "old")
            #expect(ending == .done)
            #expect(result.sentence == "Deleted 1 object, 3 B. The root old is forgotten.")
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.roots.map(\.name) == ["Pictures"])
            #expect(report.assets == Report.Assets(stored: 1))
            #expect(report.besides == Report.Besides())
            if !isRemoved { #expect(try FileFacts.existing(old.appending("b.jpg"))?.size == 3) }
            // Its name is free again, and nothing is remembered of the folder.
            if isRemoved { try Directory.create(at: old) }
            try OpenFile(creating: old.appending("c.jpg")).append(Array("three".utf8))
            var fixture = fixture
            fixture.settings.roots.append(Settings.Root(path: old))
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            #expect(try await fixture.objects()["old/c.jpg"] == Array("three".utf8))
        }
    }

    /// Otherwise nothing would know of its object, and the next prune would not find it.
    @Test func aFileThatIsBeingSentKeepsTheRoot() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            _ = try Self.addFolder(to: &fixture)
            (fixture.settings.sync.patience, fixture.settings.scan.settle) = (.zero, .zero)
            try await fixture.run(.steering) { try await $0.pause() }
            #expect(try await fixture.run { try await $0.sync([]) } != .done)
            fixture.settings.roots = [Settings.Root(path: fixture.gallery)]
            let (result, ending) = try await fixture.run(.steering) { agent in
                while let item = try await agent.queue.claim(now: .distantFuture), item.root != "old" {}
                return try await agent.prune(deleting: true, root: "old")
            }
            #expect(ending == .someFailed(1))
            #expect(result.forgotten == nil)
            #expect(
                result.keptLines == ["old/b.jpg (old/b.jpg): kept, it is being sent: run this again once it is stored"])
        }
    }

    @Test func whatIsNoLongerOursStaysAndKeepsTheRoot() async throws {
        try await withDroppedFolder(removing: true) { fixture, _ in
            try await fixture.put(Array("mine".utf8), at: "old/b.jpg", replacing: true)
            let (result, ending) = try await prune(fixture, deleting: true, root: "old")
            #expect(ending == .someFailed(1))
            #expect(result.forgotten == nil)
            #expect(try await fixture.objects()["old/b.jpg"] == Array("mine".utf8))
        }
    }

    @Test(arguments: [
        ("Pictures", "is in the configuration: take it out there first"),
        ("oId", "is no root: known are Pictures, old"),
    ])
    func aRootThatIsKeptIsNotGivenUp(name: String, words: String) async throws {
        try await withDroppedFolder(removing: true) { fixture, _ in
            let (result, ending) = try await prune(fixture, deleting: true, root: name)
            #expect(ending.kind == .usage)
            #expect("\(ending)".contains(words))
            #expect(result.objects == [])
            #expect(try await fixture.objects().count == 2)
        }
    }

    @Test func whatStorageHasLostOfItIsDroppedByARepair() async throws {
        try await withDroppedFolder(removing: true) { fixture, _ in
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            try await fixture.storage.delete(bucket: "media", key: "old/b.jpg")
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(ending == .done)
            #expect(result.dropped == 1)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.reasons().map(\.clause) == [])
        }
    }

    /// Another folder is at its place, and that was taken as a new root.
    @Test func aRootThatAnotherOneHasReplacedIsNoTrouble() async throws {
        try await withDroppedFolder(removing: false) { fixture, old in
            var fixture = fixture
            // A folder that is deleted may hand its inode, by which it is known, on to the next one.
            try Directory(fixture.folder).rename("old", to: "elsewhere")
            try Directory.create(at: old)
            try OpenFile(creating: old.appending("c.jpg")).append(Array("three".utf8))
            fixture.settings.roots.append(Settings.Root(path: old))
            let library = try Library(path: fixture.locations.library)
            #expect(try await DiskTaking(library: library, settings: fixture.settings).take(old) != nil)
            try await library.close()
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            try await fixture.watching { agent in
                let report = try await agent.report("the former root is looked for") {
                    $0.roots.map(\.replaced) == [nil, true, nil]
                }
                #expect(!report.agent.paused)
                #expect(report.roots.map(\.paused) == [nil, nil, nil])
                #expect(report.reasons().map(\.clause) == [])
                #expect(TextReport(report).lines.joined().contains("waits for its disk"))
            }
            let (result, ending) = try await prune(fixture, deleting: true, root: "old")
            #expect(ending == .done)
            #expect(result.forgotten == "old")
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "old-2/c.jpg"])
        }
    }

    /// It was queued while nothing could be sent, and a rule is younger.
    @Test func whatARuleLeavesOutByNowIsNotSent() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try await fixture.run(.steering) { try await $0.pause() }
            try fixture.write("two", to: "private.jpg")
            _ = try await fixture.paused(untilQueued: 1)
            _ = try await fixture.run(.steering) { try await $0.resume() }
            var ruled = fixture
            ruled.settings.scan.ignore = ["private*"]
            try await ruled.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 1))
        }
    }
}

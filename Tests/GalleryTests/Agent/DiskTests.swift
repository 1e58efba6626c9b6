import Catalog
import Configuration
import Control
import Database
import Foundation
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Roots
import Supabase
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Reporting

/// Roots whose directory was replaced by another one.
@Suite struct DiskTests {
    /// Replaces the gallery by another directory; the former one is renamed to `away`.
    private static func swap(_ fixture: AgentFixture, for tree: FileTree) throws {
        try Directory(fixture.folder).rename("Pictures", to: "away")
        try Directory.create(at: fixture.gallery)
        try tree.write(to: fixture.gallery)
    }

    private static func take(_ fixture: AgentFixture) async throws -> String? {
        let library = try Library(path: fixture.locations.library)
        let sentence = try await DiskTaking(library: library, settings: fixture.settings).take(fixture.gallery)
        try await library.close()
        return sentence
    }

    @Test func anotherDirectoryAtTheRootsPlaceIsNotTheRoot() async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "b"]) { fixture in
            try await fixture.pass()
            try Self.swap(fixture, for: ["c.jpg": "c"])
            let ending = try await fixture.sync()
            guard case .needsHuman(let sentence) = ending else {
                Issue.record("ended as \(ending)")
                return
            }
            #expect(sentence.contains("is not the disk that the root Pictures was on"))
            #expect(sentence.contains("gallery-sync init \(fixture.gallery.display)"))
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 2))
            #expect(report.besides.gone + report.besides.remoteOnly == 0)
            #expect(report.roots.first?.paused == sentence)
            #expect(report.reasons().first?.kind == .needsHuman)
            #expect(try await fixture.objects().count == 2)
        }
    }

    @Test func takenByInitItIsARootOfItsOwnAndTheFormerOneComesBack() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            try Self.swap(fixture, for: ["a.jpg": "another a"])
            #expect(try await Self.take(fixture)?.contains("is the new root Pictures-2") == true)
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures-2/a.jpg"])
            try Directory(fixture.folder).rename("Pictures", to: "second")
            try Directory(fixture.folder).rename("away", to: "Pictures")
            try fixture.write("new", to: "new.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/new.jpg"] == Array("new".utf8))
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("a".utf8))
        }
    }

    /// Otherwise the files of the disk that comes back would be those of two roots, and stored twice.
    @Test func takenByInitWithoutAFileItGivesWayToTheFormerOne() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            try Self.swap(fixture, for: [:])
            #expect(try await Self.take(fixture)?.contains("is the new root Pictures-2") == true)
            var fixture = fixture
            fixture.settings.scan.interval = .milliseconds(50)
            let folder = try Directory(fixture.folder)
            try await fixture.watching { agent in
                try await eventually("the new one is there") { agent.roots["Pictures-2"]?.isHere ?? false }
                try folder.rename("Pictures", to: "second")
                try folder.rename("away", to: "Pictures")
                try await eventually("the new one is away") {
                    agent.roots["Pictures-2"]?.sight.absence?.reason.contains("is not the disk") ?? false
                }
            }
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 1) && report.agent.reason == nil)
        }
    }

    /// It waits for no disk that had files of it, so that none needs a name of its own.
    @Test func aRootInWhichNoFileWasSeenTakesAnyDisk() async throws {
        try await AgentFixture.with([:]) { fixture in
            try await fixture.pass()
            try Self.swap(fixture, for: ["c.jpg": "c"])
            #expect(try await Self.take(fixture) == nil)
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/c.jpg"])
        }
    }

    /// A disk that broke does not come back: what waits for it can be given up, and what is stored of it stays.
    @Test(arguments: [true, false])
    func aFileThatWaitsForItsDiskCanBeCancelled(isReplaced: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(500)
            fixture.settings.scan.settle = .zero
            try await fixture.pass()
            try fixture.write(String(repeating: "b", count: 600), to: "b.jpg")
            guard case .full = try await fixture.sync() else { return #expect(Bool(false), "it has no room") }
            if isReplaced {
                try Self.swap(fixture, for: ["c.jpg": "c"])
                _ = try await Self.take(fixture)
            } else {
                try Directory(fixture.folder).rename("Pictures", to: "away")
            }
            let file = fixture.gallery.appending("b.jpg")
            #expect(try await fixture.run(.steering) { try await $0.cancel([file]) } == 1)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.excluded == 1 && report.assets.waiting == 0)
            #expect(report.assets.stored == 1 && report.queue.pending == 0)
        }
    }

    /// As `status --check` ends, which counts it among what waits; a copied state, too, may know of such a file.
    @Test func aSyncIsNotDoneWhileAFileOfAReplacedDiskWasNeverRead() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            try fixture.write("b", to: "b.jpg")
            let gallery = fixture.gallery
            try await fixture.run(.steering) { agent in
                let root = try #require(try await agent.library.roots().first)
                let seen = try Observation(
                    name: Array("b.jpg".utf8), FileFacts(of: gallery.appending("b.jpg")), isSettled: true)
                _ = try await agent.library.merge(seen, at: "b.jpg", root: root.id, origin: .backlog, now: Date())
                try await agent.library.commit()
            }
            try Self.swap(fixture, for: ["c.jpg": "c"])
            _ = try await Self.take(fixture)
            let ending = try await fixture.run { try await $0.sync([]) }
            let words = "1 file of Pictures waits for its disk, since another one is at its place."
            #expect(ending.kind == .temporary && ending.description.hasPrefix(words), "\(ending)")
            let reasons = try await fixture.run(.steering) { try await $0.report(.summary) }.reasons()
            #expect(reasons.first?.kind == ending.kind, "\(reasons)")
        }
    }

    /// Nothing could send a file that is on the former disk: it would wait for ever.
    @Test func aLostObjectOfTheFormerDiskIsNotQueued() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            try await fixture.pass()
            try Self.swap(fixture, for: ["c.jpg": "three"])
            _ = try await Self.take(fixture)
            try await fixture.pass()
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            let (result, _) = try await fixture.verify(repairing: true)
            #expect(result.queued == 0 && result.dropped == 1)
        }
    }

    /// A folder whose photos were sorted into another one looks as if its disk were not mounted.
    @Test func aFolderThatWasEmptiedIsTakenByInit() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            for name in ["a.jpg", "b.jpg"] as [FilePath] {
                try gallery.remove(file: name == "a.jpg" ? name : "b.jpg")
                let ending = try await fixture.sync()
                #expect(ending.kind == .temporary)
                #expect(
                    ending.description.contains("\"gallery-sync init \(fixture.gallery.display)\" takes it so. What"))
                #expect(try await Self.take(fixture)?.contains("is taken as it is now, empty") == true)
                #expect(try await fixture.sync() == .done)
                #expect(try await Self.take(fixture) == nil)
                let report = try await fixture.run(.steering) { try await $0.report(.summary) }
                #expect(report.besides.remoteOnly == (name == "a.jpg" ? 1 : 2))
                // Only as it was then: emptied again, it is asked about again.
                try fixture.write("b", to: "b.jpg")
                try await fixture.pass()
            }
            #expect(try await fixture.objects().count == 2)
        }
    }

    @Test func aCopyOfTheDiskBecomesTheRootItWas() async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "b"]) { fixture in
            try await fixture.pass()
            let times = try ["a.jpg", "b.jpg"].map { try FileFacts(of: fixture.gallery.appending($0)).modifiedAt }
            try Self.swap(fixture, for: ["a.jpg": "a", "b.jpg": "b"])
            for (name, time) in zip(["a.jpg", "b.jpg"], times) {
                try Directory(fixture.gallery).open(writing: FilePath(name)).setModified(time)
            }
            #expect(try await Self.take(fixture)?.contains("holds the files of the root Pictures") == true)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await Self.take(fixture) == nil)
        }
    }

    /// The next sync tries it again; a monitor is told that it could not be read, not that it is new.
    @Test func aFileThatCouldNotBeReadIsNoNews() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            var fixture = fixture
            fixture.equip = {
                $0.identifier = Identifier { _, path throws(SystemError) in
                    throw SystemError(call: "openat2", code: 13, path: path)
                }
            }
            #expect(try await fixture.sync() == .someFailed(1))
            let (tried, news) = try await fixture.run(.steering) { agent in
                let known = try #require(try await agent.library.roots().first)
                let scanner = Scanner(library: agent.library, wake: WakeEvent()) { Date() }
                let root = try #require(agent.roots[known.name])
                var (tried, news) = (0, 0)
                #expect(try await scanner.preview(root) { tried += $0.count } == nil)
                #expect(try await scanner.preview(root, withRetries: false) { news += $0.count } == nil)
                return (tried, news)
            }
            #expect((tried, news) == (1, 0))
        }
    }

    /// As `status --check` says it; no mode of a folder keeps the superuser from listing it, so the library says it here.
    @Test func aSyncWithAFolderThatCouldNotBeListedIsNotDone() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            #expect(try await fixture.sync() == .done)
            try await fixture.run(.steering) { agent in
                let closed = DirectoryObservation(
                    path: "2024", files: [], failure: SystemError(call: "openat2", code: 13, path: "2024"))
                let elsewhere = try await agent.library.root(at: "/elsewhere").root
                _ = try await agent.library.merge([closed], root: elsewhere.id, origin: .backlog, at: Date())
                try await agent.library.commit()
            }
            #expect(try await fixture.sync() == .someUnlisted(1))
        }
    }

    @Test(arguments: [
        ("pipe.jpg", "It is left out: no file, but a pipe"), ("link.jpg", "It is a symlink"),
        ("2024", "It is a directory"), ("none.jpg", "There is no such file now."),
    ])
    func whatIsNoFileIsNotPromisedToBeFound(_ row: (name: String, words: String)) async throws {
        let tree: FileTree = ["a.jpg": "a", "2024": ["b.jpg": "b"], "link.jpg": .symlink(to: "a.jpg")]
        try await AgentFixture.with(tree) { fixture in
            #expect(mkfifo(fixture.gallery.appending("pipe.jpg").display, 0o600) == 0)
            try await fixture.pass()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let known = try #require(try await library.roots().first)
            let explanation = try await Explanation(
                of: fixture.gallery.appending(FilePath(row.name)), root: (Root(known: known), FilePath(row.name)),
                library: library, items: [])
            #expect(explanation.decisions.count == 2 && explanation.decisions.last?.hasPrefix(row.words) == true)
        }
    }

    /// Scans two stored files, of which one is gone, and a fresh one that is still being written.
    ///
    /// The scan reports that one: at that moment `change` is made.
    private static func scan(
        meanwhile change: @escaping @Sendable (AgentFixture) -> Void,
        afterwards look: @escaping @Sendable (Root) throws -> Void = { _ in }
    ) async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "b"]) { fixture in
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "b.jpg")
            try fixture.write("fresh", to: "fresh.jpg")
            let report = try await fixture.run { agent in
                let known = try #require(try await agent.library.roots().first)
                let root = try #require(agent.roots[known.name])
                let scanner = Scanner(library: agent.library, wake: WakeEvent()) { Date() }
                let outcome = try await scanner.scan(root, origin: .backlog, settle: .seconds(3_600)) { _ in
                    change(fixture)
                }
                if case .vanished = outcome {} else { Issue.record("ended as \(outcome)") }
                try look(root)
                return try await agent.report(.summary)
            }
            #expect(report.assets == Report.Assets(stored: 2))
            #expect(report.besides.remoteOnly == 0)
        }
    }

    @Test func aWalkWhoseRootChangesMeanwhileConcludesNothing() async throws {
        try await Self.scan { fixture in try? Self.swap(fixture, for: ["other.jpg": "other"]) }
    }

    /// A share that has lost its volume shows an empty directory, which is the same one as before.
    @Test func aRootThatIsEmptiedWithinAWalkConcludesNothing() async throws {
        try await Self.scan { fixture in
            for name in ["a.jpg", "fresh.jpg"] as [FilePath] {
                _ = try? Directory(fixture.gallery).remove(file: name)
            }
        } afterwards: { root in
            let away = #expect(throws: SystemError.self) { try root.existingFacts(of: "a.jpg") }
            #expect(away?.isDiskAway == true)
        }
    }

    /// It has its volume again before the walk ends.
    @Test func aRootThatIsEmptyOnlyWithinAWalkConcludesNothing() async throws {
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "b"]) { fixture in
            try await fixture.pass()
            try Directory.create(at: fixture.folder.appending("away"))
            let looks = Mutex(0)
            let report = try await fixture.run { agent in
                let known = try #require(try await agent.library.roots().first)
                let root = try #require(agent.roots[known.name])
                // Asked before the walk begins, as it begins, and once it has met what is there.
                let scanner = Scanner(library: agent.library, wake: WakeEvent()) {
                    let look = looks.withLock { looks -> Int in
                        looks += 1
                        return looks
                    }
                    let ways: [Int: [FilePath]] = [1: ["Pictures", "away"], 3: ["away", "Pictures"]]
                    for name in ["a.jpg", "b.jpg"] as [FilePath] {
                        guard let way = ways[look]?.map({ $0.appending(name) }) else { continue }
                        try? Directory(fixture.folder).rename(way[0], to: way[1])
                    }
                    return Date()
                }
                let outcome = try await scanner.scan(root, origin: .backlog)
                if case .vanished = outcome {} else { Issue.record("ended as \(outcome)") }
                return try await agent.report(.summary)
            }
            #expect(try Directory(fixture.gallery).names().count == 2)
            #expect(report.assets == Report.Assets(stored: 2))
        }
    }

    @Test func aRootKnownByAnEarlierVersionIsLearnedAtTheNextGoodLook() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            let root = try #require(try await fixture.run(.steering) { try await $0.library.roots() }.first)
            // As version 3 left it: one root per path, and no identity of its directory.
            try Connection(path: fixture.locations.library.display).execute(
                """
                DROP TABLE disks;
                ALTER TABLE directories DROP COLUMN rules;
                ALTER TABLE roots RENAME TO roots_now;
                CREATE TABLE roots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path BLOB NOT NULL UNIQUE);
                INSERT INTO roots SELECT id, name, path FROM roots_now;
                DROP TABLE roots_now;
                PRAGMA user_version = 3
                """)
            let looked = try #require(try Library.existing(at: fixture.locations.library))
            #expect(try await looked.leftOut(of: looked.counts()).isEmpty)
            try await fixture.pass()
            let after = try Library(path: fixture.locations.library)
            let learned = try await after.disks(of: root.id)[FilePath(bytes: [])]
            #expect(try learned == Directory(fixture.gallery).identity())
            try await after.close()
        }
    }

    @Test func filesOfAnAbsentRootWaitInTheQueueAndGoOnByThemselves() async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            _ = try await fixture.run(.steering) { try await $0.answer(PauseOrder()) }
            _ = try await fixture.sync()
            try Directory(fixture.folder).rename("Pictures", to: "away")
            let away = try await fixture.run { agent in
                _ = try await agent.answer(ResumeOrder())
                return try await agent.report(when: { $0.blocked.contains { $0.reason == "away" } })
            }
            #expect(away.assets == Report.Assets(waiting: 1))
            try Directory(fixture.folder).rename("away", to: "Pictures")
            try await fixture.pass()
            #expect(try await fixture.objects().count == 1)
        }
    }
}

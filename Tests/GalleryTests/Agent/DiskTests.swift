import Catalog
import Configuration
import Database
import Foundation
import Gallery
import Platform
import Queue
import Reporting
import Sync
import TestSupport
import Testing

/// Roots whose directory is not the one that it was.
@Suite struct DiskTests {
    /// Puts another directory at the gallery's place; the former one is `away` then.
    private static func swap(_ workshop: Workshop, for tree: FileTree) throws {
        try Directory(workshop.folder).rename("Pictures", to: "away")
        try Directory.create(at: workshop.gallery)
        try tree.write(to: workshop.gallery)
    }

    private static func take(_ workshop: Workshop) async throws -> String? {
        let library = try Library(path: workshop.locations.library)
        let sentence = try await DiskTaking(library: library, settings: workshop.settings).take(workshop.gallery)
        try await library.close()
        return sentence
    }

    @Test func anotherDirectoryAtTheRootsPlaceIsNotTheRoot() async throws {
        try await Workshop.with(["a.jpg": "a", "b.jpg": "b"]) { workshop in
            try await workshop.pass()
            try Self.swap(workshop, for: ["c.jpg": "c"])
            let ending = try await workshop.sync()
            guard case .needsHuman(let sentence) = ending else {
                Issue.record("ended as \(ending)")
                return
            }
            #expect(sentence.contains("is not the disk that the root Pictures was on"))
            #expect(sentence.contains("gallery-sync init \(workshop.gallery.display)"))
            let report = try await workshop.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 2))
            #expect(report.besides.gone + report.besides.remoteOnly == 0)
            #expect(report.roots.first?.paused == sentence)
            #expect(report.verdict(maxAge: .seconds(86_400)) == .late)
            #expect(try await workshop.objects().count == 2)
        }
    }

    @Test func takenByInitItIsARootOfItsOwnAndTheFormerOneComesBack() async throws {
        try await Workshop.with(["a.jpg": "a"]) { workshop in
            try await workshop.pass()
            try Self.swap(workshop, for: ["a.jpg": "another a"])
            #expect(try await Self.take(workshop)?.contains("is the new root Pictures-2") == true)
            try await workshop.pass()
            #expect(Set(try await workshop.objects().keys) == ["Pictures/a.jpg", "Pictures-2/a.jpg"])
            try Directory(workshop.folder).rename("Pictures", to: "second")
            try Directory(workshop.folder).rename("away", to: "Pictures")
            try workshop.write("new", to: "new.jpg")
            try await workshop.pass()
            #expect(try await workshop.objects()["Pictures/new.jpg"] == Array("new".utf8))
            #expect(try await workshop.objects()["Pictures/a.jpg"] == Array("a".utf8))
        }
    }

    @Test func aCopyOfTheDiskBecomesTheRootItWas() async throws {
        try await Workshop.with(["a.jpg": "a", "b.jpg": "b"]) { workshop in
            try await workshop.pass()
            let times = try ["a.jpg", "b.jpg"].map { try FileFacts(of: workshop.gallery.appending($0)).modifiedAt }
            try Self.swap(workshop, for: ["a.jpg": "a", "b.jpg": "b"])
            for (name, time) in zip(["a.jpg", "b.jpg"], times) {
                try Directory(workshop.gallery).open(writing: FilePath(name)).setModified(time)
            }
            #expect(try await Self.take(workshop)?.contains("holds the files of the root Pictures") == true)
            let asked = try await workshop.requests { try await workshop.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await Self.take(workshop) == nil)
        }
    }

    /// The scan tells of a file that is still being written while it looks: then the root is swapped.
    @Test func aWalkWhoseRootChangesMeanwhileConcludesNothing() async throws {
        try await Workshop.with(["a.jpg": "a", "b.jpg": "b"]) { workshop in
            try await workshop.pass()
            try Directory(workshop.gallery).remove(file: "b.jpg")
            try workshop.write("fresh", to: "fresh.jpg")
            let report = try await workshop.run { agent in
                let known = try #require(try await agent.library.roots().first)
                let root = try #require(agent.roots[known.name])
                let scanner = Scanner(library: agent.library, bell: Bell()) { Date() }
                let outcome = try await scanner.scan(root, origin: .backlog, settle: .seconds(3_600)) { _ in
                    try? Self.swap(workshop, for: ["other.jpg": "other"])
                }
                guard case .vanished = outcome else {
                    Issue.record("ended as \(outcome)")
                    return try await agent.report(.summary)
                }
                return try await agent.report(.summary)
            }
            #expect(report.assets == Report.Assets(stored: 2))
            #expect(report.besides.remoteOnly == 0)
        }
    }

    @Test func aRootKnownByAnEarlierVersionIsLearnedAtTheNextGoodLook() async throws {
        try await Workshop.with(["a.jpg": "a"]) { workshop in
            try await workshop.pass()
            let root = try #require(try await workshop.run(.steering) { try await $0.library.roots() }.first)
            // As version 3 left it: one root a path, and nothing remembered of its directory.
            try Connection(path: workshop.locations.library.display).execute(
                """
                DROP TABLE disks;
                ALTER TABLE directories DROP COLUMN rules;
                ALTER TABLE roots RENAME TO roots_now;
                CREATE TABLE roots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path BLOB NOT NULL UNIQUE);
                INSERT INTO roots SELECT id, name, path FROM roots_now;
                DROP TABLE roots_now;
                PRAGMA user_version = 3
                """)
            let looked = try #require(try Library.existing(at: workshop.locations.library))
            #expect(try await looked.leftOut().isEmpty)
            try await workshop.pass()
            let after = try Library(path: workshop.locations.library)
            let learned = try await after.disks(of: root.id)[FilePath(bytes: [])]
            #expect(try learned == Directory(workshop.gallery).identity())
            try await after.close()
        }
    }

    @Test func filesOfAnAbsentRootWaitInTheQueueAndGoOnByThemselves() async throws {
        try await Workshop.with(["a.jpg": "a"]) { workshop in
            _ = try await workshop.run(.steering) { try await $0.answer(.pause) }
            _ = try await workshop.sync()
            try Directory(workshop.folder).rename("Pictures", to: "away")
            let away = try await workshop.run { agent in
                _ = try await agent.answer(.resume)
                return try await agent.report(when: { $0.blocked.contains { $0.reason == "away" } })
            }
            #expect(away.assets == Report.Assets(waiting: 1))
            try Directory(workshop.folder).rename("away", to: "Pictures")
            try await workshop.pass()
            #expect(try await workshop.objects().count == 1)
        }
    }
}

import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Queue
@testable import Reporting
@testable import Tables

/// A library that any earlier version left is read as it is, and brought up to date with all it holds.
@Suite struct LibraryMigrationTests {
    private static let destination = "here"

    /// What each version lacks of the one after it, from the newest back.
    private static let steps: [(version: Int64, sql: String)] = [
        (
            15,
            """
            DROP TABLE moves; ALTER TABLE attempts ADD COLUMN source TEXT;
            CREATE INDEX attempts_source ON attempts (destination, source) WHERE source IS NOT NULL;
            """
        ),
        (
            13,
            [
                "sums_insert", "sums_delete", "sums_update", "standing_insert", "standing_update", "pair_update",
                "ruled_end",
            ]
            .map { "DROP TRIGGER IF EXISTS \($0); " }.joined() + "ALTER TABLE assets DROP COLUMN ruled;"
        ),
        (12, "DROP TABLE marks;"),
        (11, "DROP TABLE deletions;"),
        (10, "DROP TABLE discrepancies;"),
        (
            8,
            """
            DROP INDEX assets_suspect; DROP INDEX assets_undecided; ALTER TABLE assets DROP COLUMN brake;
            CREATE INDEX assets_suspect ON assets (state) WHERE code = 'brake.suspect';
            CREATE INDEX assets_undecided ON assets (directory) WHERE state = \(Asset.State.held.rawValue)
                AND code IS NULL;
            """
        ),
        (
            7,
            """
            DROP TRIGGER pair_delete; DROP INDEX assets_motions; ALTER TABLE assets DROP COLUMN pair;
            """
        ),
        (
            6,
            """
            DROP INDEX assets_timeline; DROP INDEX assets_content; DROP TABLE cameras;
            ALTER TABLE assets DROP COLUMN camera;
            CREATE INDEX assets_timeline ON assets (taken DESC, directory, name, standing, kind, ratio)
                WHERE \(Schema.isShown);
            """
        ),
        (
            5,
            """
            DROP TRIGGER timeline_delete; DROP TRIGGER timeline_leave; DROP TRIGGER timeline_enter;
            DROP TRIGGER timeline_order; DROP INDEX assets_timeline; DROP TABLE timeline; DROP TABLE timeline_changes;
            ALTER TABLE assets DROP COLUMN taken; ALTER TABLE assets DROP COLUMN dated;
            ALTER TABLE assets DROP COLUMN ratio; ALTER TABLE assets DROP COLUMN kind;
            ALTER TABLE assets DROP COLUMN standing;
            """
        ),
        (
            4,
            """
            DROP INDEX attempts_source; ALTER TABLE attempts RENAME TO attempts_now;
            CREATE TABLE attempts (destination TEXT NOT NULL, key TEXT NOT NULL, sha256 BLOB NOT NULL,
                PRIMARY KEY (destination, key, sha256)) WITHOUT ROWID;
            INSERT INTO attempts SELECT destination, key, sha256 FROM attempts_now; DROP TABLE attempts_now;
            """
        ),
        (
            3,
            """
            DROP TABLE disks; ALTER TABLE directories DROP COLUMN rules; ALTER TABLE roots RENAME TO roots_now;
            CREATE TABLE roots (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, path BLOB NOT NULL UNIQUE);
            INSERT INTO roots SELECT id, name, path FROM roots_now; DROP TABLE roots_now;
            DROP INDEX receipts_proof; ALTER TABLE receipts DROP COLUMN proof;
            """
        ),
        (2, "DROP TABLE blocked;"),
    ]

    /// A library of `version` with a stored photo, a waiting one, a failed one and a leftover; and its counts before.
    private static func old(_ version: Int64, in folder: FilePath) async throws -> (path: FilePath, counts: AssetCounts)
    {
        let path = folder.appending("library.sqlite")
        let library = try Library(path: path)
        let root = try await library.root(at: "/home/Pictures").root
        try await library.setFact(Library.destinationFact, to: destination)
        var failed = MadeAsset("failed.jpg", state: .failed)
        failed.takenAt = 1_600_000_000
        try await library.make([failed], below: root)
        for (name, isStored) in [("a.jpg", true), ("b.jpg", false)] {
            let item = Items.pending(FilePath(name), content: name == "a.jpg" ? 1 : 2, size: 77)
            try await library.see(item, below: root)
            var facts = MediaFacts(kind: .photo, type: .jpeg)
            facts.camera = "Canon"
            let asset = try #require(try await library.asset(root: root.name, path: item.filePath))
            try await library.setFacts(facts, of: item.sha256, in: asset)
            try await library.noteAttempt(item, destination: destination)
            if isStored { try await library.record([(receipt(item), item)]) }
        }
        try await library.commit()
        let counts = try await library.counts()
        try await library.close()
        let database = try Connection(path: path.display)
        if version < 10 { try database.dropSums() }
        for step in steps where step.version >= version { try database.execute(step.sql) }
        try database.execute("PRAGMA user_version = \(version)")
        return (path, counts)
    }

    private static func receipt(_ item: Item) -> Receipt {
        Receipt(
            destination: destination, key: item.objectKey, role: .original, item: item.id, sha256: item.sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now,
            proof: .size)
    }

    /// What a database is made of: each table with its columns, each index, each trigger.
    private static func form(_ path: FilePath) throws -> [String] {
        let database = try Connection(path: path.display, isReadOnly: true)
        let parts = try database.rows(
            "SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY 1"
        ) { $0.text(0) }
        let columns = try database.rows(
            """
            SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1
            """
        ) { $0.text(0) }
        return parts + columns
    }

    @Test(arguments: 2...Schema.version)
    func anOlderLibraryIsBroughtUpToDate(version: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let (path, counts) = try await Self.old(version, in: folder)
            let library = try Library(path: path)
            #expect(try await library.counts() == counts)
            let fresh = folder.appending("fresh.sqlite")
            try await Library(path: fresh).close()
            #expect(try Self.form(path) == Self.form(fresh))
            // What it held counts on, and what comes is counted.
            let stored = try await library.receipts(destination: Self.destination, after: "", count: 9)
            #expect(stored.map(\.key.text) == ["Pictures/a.jpg"])
            #expect(try await library.contentTypes() == ["image/jpeg": 3])
            let item = Items.pending("b.jpg", content: 2, size: 77)
            #expect(try await library.isOurs(destination: Self.destination, key: item.objectKey, sha256: item.sha256))
            try await library.record([(Self.receipt(item), item)])
            #expect(try await library.counts().stored == counts.stored + 1)
            #expect(try await library.storedBytes(destination: Self.destination) == 154)
        }
    }

    /// Up to version 11 a deletion took the place of the attempt with the same bytes.
    @Test func theDeletionsOfAnOlderLibraryAreStillExpected() async throws {
        try await FileTree().withDirectory { folder in
            let (path, _) = try await Self.old(11, in: folder)
            let noted = FileTime(Items.now).nanoseconds
            let database = try Connection(path: path.display)
            try database.run(
                """
                INSERT INTO attempts (destination, key, sha256, state, noted)
                    VALUES (?1, 'Pictures/a.jpg', x'01', 3, ?2), (?1, 'Pictures/a.jpg', x'02', 3, ?2 - 5)
                """, .text(Self.destination), .integer(noted))
            let library = try Library(path: path)
            let key = ObjectKey(text: "Pictures/a.jpg")
            #expect(
                try await library.deletions(destination: Self.destination)
                    == [Deletion(destination: Self.destination, key: key, notedAt: Items.now)])
            let attempts = try await library.attempts(at: key, destination: Self.destination)
            #expect(attempts.filter { $0.size == 0 }.map(\.sha256).sorted() == ["01", "02"])
        }
    }

    /// Up to version 15 a move was an attempt with a source; in the state 2 it had not taken place when it was asked about.
    @Test(arguments: [Int64(5), 15])
    func theMovesOfAnOlderLibraryAreStillExpected(version: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let (path, _) = try await Self.old(version, in: folder)
            let noted = FileTime(Items.now).nanoseconds
            let database = try Connection(path: path.display)
            try database.run("DELETE FROM attempts")
            try database.run(
                """
                INSERT INTO attempts (destination, key, sha256, directory, name, source, state, noted)
                    SELECT destination, 'Pictures/b.jpg', sha256, directory, name, key, 0, ?1 FROM receipts UNION ALL
                    SELECT destination, 'Pictures/c.jpg', sha256, NULL, NULL, key, 2, ?1 FROM receipts UNION ALL
                    SELECT destination, 'Pictures/d.jpg', sha256, NULL, NULL, NULL, 1, ?1 FROM receipts
                """, .integer(noted))
            let library = try Library(path: path)
            let moves = try await library.expectedMoves(destination: Self.destination)
            #expect(moves.map(\.key.text) == ["Pictures/b.jpg", "Pictures/c.jpg"])
            #expect(moves.map(\.isSettled) == [false, true])
            #expect(moves.map(\.source.text) == ["Pictures/a.jpg", "Pictures/a.jpg"])
            #expect(moves.map(\.notedAt) == [Items.now, Items.now])
            let place = try await library.place(
                ofReceipt: ObjectKey(text: "Pictures/a.jpg"), destination: Self.destination)
            #expect(place != nil && moves.map(\.place) == [place, nil])
            // Other bytes may have been sent to that key since.
            let attempts = try await library.attempts(destination: Self.destination, after: "", count: 9)
            #expect(attempts.map(\.key.text) == ["Pictures/b.jpg", "Pictures/d.jpg"])
        }
    }

    /// Up to version 12 a mark took the place of the attempt with the same bytes.
    @Test(arguments: [(Int64(4), ObjectMark.outdated), (5, .lastCopy)])
    func theMarksOfAnOlderLibraryStay(state: Int64, mark: ObjectMark) async throws {
        try await FileTree().withDirectory { folder in
            let (path, _) = try await Self.old(12, in: folder)
            let database = try Connection(path: path.display)
            try database.run("DELETE FROM attempts")
            try database.run(
                """
                INSERT INTO attempts (destination, key, sha256, role, directory, name, state, noted)
                    SELECT destination, key, sha256, role, directory, name, ?1, 0 FROM receipts UNION ALL
                    SELECT destination, key, x'01', role, directory, name, ?1, 7 FROM receipts
                """, .integer(state))
            for isReadOnly in [true, false] {
                let library = try Library(path: path, isReadOnly: isReadOnly)
                #expect(try await library.marks() == [mark])
            }
            let library = try Library(path: path)
            let attempts = try await library.attempts(destination: Self.destination, after: "", count: 9)
            #expect(attempts.map(\.sha256) == ["01"] && attempts.map(\.state) == [.unknown])
        }
    }

    /// A library that was last open when fewer formats were known, or is of a version that did not write that down.
    @Test(arguments: [nil, "0", "now"])
    func whatWasNoMediaIsReadAgainOnceMoreFormatsAreKnown(formats: String?) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let shelf = try await Shelf(at: path)
            let reasons = ["tape.dv": Asset.noMedia, "gimp-1.xcf": "editor temporaries"]
            for (name, reason) in reasons {
                try await shelf.see(FilePath(name))
                try await shelf.library.settle(try await shelf.asset(FilePath(name)), as: .ignored(reason: reason))
            }
            if formats != "now" { try await shelf.library.setFact("formats", to: formats) }
            try await shelf.library.close()
            let again = try await Shelf(at: path)
            #expect(try await again.state("tape.dv") == (formats == "now" ? .ignored : .seen))
            #expect(try await again.state("gimp-1.xcf") == .ignored)
            #expect(try await again.library.counts()[.ignored] == (formats == "now" ? 2 : 1))
        }
    }

    /// A library in which two files were stored by one object, which has a single receipt.
    @Test(arguments: [true, false])
    func whatCountedAsStoredWithoutAReceiptIsReadAgainOnce(isOfEarlierVersion: Bool) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let shelf = try await Shelf(at: path)
            for name in ["stored.jpg", "pictured.jpg", "lost.jpg"] as [FilePath] {
                try await shelf.store(Shelf.item(name))
            }
            try await shelf.store(Shelf.item("pictured.jpg", role: .thumbnail(512)))
            try await shelf.library.change(
                "DELETE FROM receipts WHERE role = 'original' AND name != ?", .blob(Array("stored.jpg".utf8)))
            try await shelf.library.mark("lost.jpg", as: .remoteOnly)
            if isOfEarlierVersion { try await shelf.library.setFact("receipts", to: nil) }
            try await shelf.library.close()
            let again = try await Shelf(at: path)
            #expect(try await again.state("stored.jpg") == .stored)
            #expect(try await again.state("pictured.jpg") == (isOfEarlierVersion ? .seen : .stored))
            #expect(try await again.state("lost.jpg") == .remoteOnly)
        }
    }

    /// What a decoder could not open, one that knows more may; what has no pictures for other reasons stays so.
    @Test(arguments: [nil, "0", "now"])
    func picturesThatFailedAreTriedAgainOnceDecodersKnowMore(formats: String?) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let shelf = try await Shelf(at: path)
            let lack = Asset.noThumbnail("the file is damaged")
            let files: [(name: FilePath, pictures: Asset.Pictures, note: String?)] = [
                ("ios18.heic", .failed, lack), ("odd.jpg", .failed, "Named like JPEG, but its bytes are not"),
                ("plain.mp3", .unwanted, lack), ("good.jpg", .made, nil),
            ]
            for file in files {
                try await shelf.store(Shelf.item(file.name))
                let place = try await shelf.asset(file.name).place
                try await shelf.library.setPictures(of: place, to: file.pictures, note: file.note)
            }
            if formats != "now" { try await shelf.library.setFact("formats", to: formats) }
            try await shelf.library.close()
            let again = try await Shelf(at: path)
            for file in files {
                let isTried = file.name == "ios18.heic" && formats != "now"
                #expect(try await again.library.pictures(of: file.name) == (isTried ? .wanted : file.pictures))
                let record = try await again.library.fileRecord(root: "Pictures", path: file.name)
                #expect(record?.note == (isTried ? nil : file.note))
            }
        }
    }

    /// `status` without an agent may meet one that no program of this version has opened for writing.
    @Test(arguments: 2...Schema.version)
    func anOlderLibraryIsReadAsItIs(version: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let (path, counts) = try await Self.old(version, in: folder)
            let before = try Self.form(path)
            let library = try #require(try Library.existing(at: path))
            let read = try await library.counts()
            #expect(read.number == counts.number)
            #expect(read.bytes == counts.bytes)
            #expect(try await library.problems(of: read).count == 1)
            #expect(try await library.recent(limit: 9).map(\.size) == [77])
            #expect(try await library.leftOut(of: read).isEmpty)
            #expect(try await library.hasTimeline == (version >= 8))
            #expect(try await library.isOutdated == (version < Schema.version))
            await #expect(throws: DatabaseError.self) { try await library.setFact("a", to: "b") }
            #expect(try Self.form(path) == before)
        }
    }

    /// A kill in the midst of it: the next start finds the version before, and brings it up to date.
    ///
    /// Versions 10 and 11 lack tables only, and nothing can come between.
    @Test(arguments: 2..<10 as Range<Int64>)
    func aStepThatFailsLeavesTheOlderLibrary(version: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let (path, counts) = try await Self.old(version, in: folder)
            let database = try Connection(path: path.display)
            // The last step makes a table of this name.
            try database.execute("CREATE VIEW receipt_sums AS SELECT 1 AS one")
            let before = try Self.form(path)
            #expect(throws: DatabaseError.self) { try Library(path: path) }
            #expect(try Self.form(path) == before)
            #expect(try database.schemaVersion == version)
            try database.execute("DROP VIEW receipt_sums")
            #expect(try await Library(path: path).counts() == counts)
        }
    }
}

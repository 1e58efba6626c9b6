import Database
import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore
@testable import StorageServer

/// A folder of version 4, whose rows lay in one journal beside the blobs, opens with every object.
@Suite struct UpgradeTests {
    /// The state of the index beside the journal.
    enum Index: CaseIterable {
        case asItWas, lost, behind
    }

    /// A folder of version 4 with `names` in the bucket `b`, each with its name as its content.
    ///
    /// - Parameter known: How many of them the index knows.
    private func folder(_ names: [String], known: Int?) async throws -> (site: Site, rows: [IndexedObject]) {
        let site = try Site()
        try await site.makeBucket("b", isPublic: true)
        for name in names { try await site.upload("b/\(name)", name) }
        let (rows, buckets) = try await site.depot.index.read { index in
            (
                try index.rows("SELECT \(IndexedObject.columns) FROM objects ORDER BY key", read: IndexedObject.init),
                try index.buckets()
            )
        }
        let other = try Site()
        let source = site.depot.blobs
        for row in rows {
            let path = other.depot.blobs.path(of: row.version)
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).append(OpenFile(reading: source.path(of: row.version)).readAll())
        }
        let lines = [SealedLine.bytes(#""n":0,"journal":"j","version":1}"#)] + Self.lines(buckets, rows)
        let objects = try Directory(other.folder.appending("objects"))
        for name in [NewestNote.name, BucketList.name] { try objects.remove(file: FilePath(name)) }
        try objects.create(file: FilePath(OldJournal.name)).write(Array(lines.joined()), at: 0)
        // Not by the depot's own writer, which would record its change in a table that no longer exists.
        let index = try Connection(path: other.folder.appending("index.sqlite").display)
        try index.execute("CREATE TABLE journal (one INTEGER PRIMARY KEY, id TEXT, number INTEGER, size INTEGER)")
        if let known {
            for bucket in buckets { try index.put(bucket) }
            for row in rows.prefix(known) { try index.put(row) }
            let end = lines.prefix(2 + known).joined().count
            try index.run("INSERT INTO journal VALUES (1,'j',?,?)", .integer(Int64(known + 1)), .integer(Int64(end)))
        }
        try index.execute(Site.downgrade + "PRAGMA user_version = 4;")
        return (other, rows)
    }

    private static func lines(_ buckets: [IndexedBucket], _ rows: [IndexedObject]) -> [[UInt8]] {
        let changes =
            buckets.map { "{\"putBucket\":\($0.rowJSON.rendered)}" } + rows.map { "{\"put\":\($0.rowJSON.rendered)}" }
        return changes.enumerated().map { SealedLine.bytes("\"n\":\($0 + 1),\"changes\":[\($1)]}") }
    }

    @Test(arguments: Index.allCases)
    func aFolderOfVersionFourOpensWithEveryObject(_ index: Index) async throws {
        let names = ["a", "b", "c", "d"]
        let known = [Index.asItWas: 4, .lost: nil, .behind: 1][index] ?? nil
        let (site, rows) = try await folder(names, known: known)
        let depot = try site.reopened()
        for name in names {
            #expect(try await site.ask("GET", "/object/public/b/\(name)", as: nil, of: depot).text == name)
        }
        let kept = try FileFacts.existing(site.folder.appending("objects/rows.jsonl"))
        #expect(kept == nil)
        for row in rows {
            let carried = try #require(try depot.blobs.row(of: row.version))
            #expect((carried.key, carried.id, carried.content) == (row.key, row.id, row.content))
        }
        #expect(try BucketList.read(in: depot.blobs.root)?.buckets.map(\.isPublic) == [true])
        #expect(try site.reopened().findings.isEmpty)
    }

    /// One flipped bit costs the rows of its line, and is reported.
    @Test func aDamagedLineIsPassedOver() async throws {
        let (site, _) = try await folder(["first", "second", "third"], known: nil)
        let journal = try Directory(site.folder.appending("objects")).open(writing: FilePath(OldJournal.name))
        let text = String(decoding: try journal.readAll(), as: UTF8.self)
        let place = try #require(text.firstRange(of: "second")).lowerBound
        try journal.write([UInt8(ascii: "t")], at: Int64(text.utf8.distance(from: text.startIndex, to: place)))
        let depot = try site.reopened()
        #expect(try await depot.index.read { try $0.count(of: "objects") } == 2)
        #expect(depot.findings.contains { $0.contains("1 damaged lines") })
        #expect(try Directory(site.folder.appending("lost")).names().count == 1)
    }
}

import Database
import FoundationEssentials
import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore
@testable import StorageServer

/// The index can be lost, old or damaged: it is rebuilt from the blobs.
@Suite struct RecoveryTests {
    /// What the file system of a site keeps.
    enum Keeping: CaseIterable {
        case attributes, files

        var disk: Blobs.OpenDisk? { self == .files ? DiskWithoutAttributes.opening : nil }
    }

    /// What a client sees: every bucket, and every object with its row and its bytes.
    private func contents(_ site: Site, _ depot: Depot) async throws -> [String] {
        let (buckets, objects) = try await depot.index.read { index in
            (
                try index.rows("SELECT \(IndexedBucket.columns) FROM buckets ORDER BY id", read: IndexedBucket.init),
                try index.rows("SELECT \(IndexedObject.columns) FROM objects ORDER BY key", read: IndexedObject.init)
            )
        }
        var contents = buckets.map { "\($0)" }
        for object in objects {
            let answer = try await site.ask("GET", "/object/\(object.bucket)/\(object.key)", of: depot)
            contents.append("\(object) \(answer.status) \(answer.text)")
        }
        return contents
    }

    /// A site with objects after every kind of operation.
    private func livedIn(_ keeping: Keeping = .attributes) async throws -> Site {
        let site = try Site(disk: keeping.disk)
        try await site.makeBucket("b", isPublic: true, ["file_size_limit": 100])
        try await site.makeBucket("c")
        try await site.makeBucket("gone")
        let metadata = ["x-metadata": "eyJwYXRoIjoiw6QifQ==", "cache-control": "max-age=7"] as Headers
        for name in ["kept", "moved", "deleted", "replaced", "copied"] {
            try await site.upload("b/\(name)", name, metadata)
        }
        try await site.upload("b/replaced", "replaced since", method: "PUT")
        _ = try await site.post("/object/move", ["bucketId": "b", "sourceKey": "moved", "destinationKey": "x/y z"])
        for (name, target) in [("copied", "copy"), ("copy", "copy of the copy"), ("copied", "moved copy")] {
            _ = try await site.post(
                "/object/copy", ["bucketId": "b", "sourceKey": .text(name), "destinationKey": .text(target)])
        }
        _ = try await site.post(
            "/object/move",
            ["bucketId": "b", "sourceKey": "moved copy", "destinationBucket": "c", "destinationKey": "elsewhere"])
        _ = try await site.ask("DELETE", "/object/b/deleted")
        _ = try await site.send("PUT", "/bucket/c", ["public": true, "allowed_mime_types": ["text/*", "image/*"]])
        _ = try await site.ask("DELETE", "/bucket/gone")
        let path = try await site.path("c", "resumable", length: 6)
        #expect(try await site.patch(path, at: 0, "resume").status == 204)
        return site
    }

    /// The files of the index as they are now.
    private func index(of site: Site) throws -> [FilePath: [UInt8]] {
        var files: [FilePath: [UInt8]] = [:]
        for name in try Directory(site.folder).names() where name.display.hasPrefix("index.sqlite") {
            files[name] = try OpenFile(reading: site.folder.appending(name)).readAll()
        }
        return files
    }

    /// A copy of the blobs of `site` with `files` as the index, as a backup would combine them.
    ///
    /// A new folder, since the old one's index is open.
    private func moved(_ site: Site, index files: [FilePath: [UInt8]], _ keeping: Keeping = .attributes) throws -> Site
    {
        let other = try Site(disk: keeping.disk)
        let folder = try Directory(other.folder)
        for name in try folder.names() where name.display.hasPrefix("index.sqlite") { try folder.remove(file: name) }
        try Directory.removeTree(at: other.folder.appending("objects"))
        try copy(site.folder.appending("objects"), to: other.folder.appending("objects"))
        for (name, bytes) in files { try OpenFile(creating: other.folder.appending(name)).append(bytes) }
        return other
    }

    /// Copies a directory with the attributes of its files.
    private func copy(_ source: FilePath, to target: FilePath) throws {
        try Directory.create(at: target)
        let folder = try Directory(source)
        for name in try folder.names() {
            if try folder.facts(of: name).kind == .directory {
                try copy(source.appending(name), to: target.appending(name))
                continue
            }
            let (old, new) = (try folder.open(file: name), try OpenFile(creating: target.appending(name)))
            try new.append(old.readAll())
            if let row = try old.attribute(Blobs.attribute) { try new.setAttribute(Blobs.attribute, to: row) }
        }
    }

    // MARK: An index that is lost or old

    @Test(arguments: Keeping.allCases)
    func aLostIndexComesBackWhole(_ keeping: Keeping) async throws {
        let site = try await livedIn(keeping)
        let before = try await contents(site, site.depot)
        #expect(before.count == 2 + 8)
        let other = try moved(site, index: [:], keeping)
        let again = try other.reopened(isMended: false)
        #expect(try await contents(other, again) == before)
        #expect(again.findings.count == 1)
        #expect(
            again.findings.first?.hasPrefix("index.sqlite was older than the blobs or lost: took 8 objects") == true)
        #expect(try FileFacts.existing(other.folder.appending("lost")) == nil)
        #expect(try other.reopened(isMended: false).findings.isEmpty)
    }

    @Test(arguments: Keeping.allCases)
    func anOlderIndexFollows(_ keeping: Keeping) async throws {
        let site = try Site(disk: keeping.disk)
        try await site.makeBucket("b")
        for name in ["deleted", "moved", "replaced", "kept"] { try await site.upload("b/\(name)", name) }
        try await site.makeBucket("gone")
        try await site.upload("gone/a")
        let old = try index(of: site)
        _ = try await site.ask("DELETE", "/object/gone/a")
        _ = try await site.ask("DELETE", "/bucket/gone")
        for number in 1...40 { try await site.upload("b/\(number)", "\(number)") }
        _ = try await site.ask("DELETE", "/object/b/deleted")
        try await site.upload("b/replaced", "since", method: "PUT")
        _ = try await site.post("/object/move", ["bucketId": "b", "sourceKey": "moved", "destinationKey": "there"])
        try await site.upload("b/moved", "another")
        try await site.makeBucket("new", isPublic: true)
        let before = try await contents(site, site.depot)
        let other = try moved(site, index: old, keeping)
        let again = try other.reopened(isMended: false)
        #expect(try await contents(other, again) == before)
        #expect(
            again.findings.map { $0.prefix { $0 != ":" } } == [
                "The bytes of 2 objects are not there any more, deleted since or lost",
                "index.sqlite was older than the blobs or lost",
            ])
        #expect(again.findings.first?.hasSuffix(": b/deleted, gone/a.") == true)
    }

    /// There is no new blob: only the note beside the blobs shows that the index is old.
    @Test func anIndexFromBeforeADeletionAndAMoveFollows() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for name in ["deleted", "moved"] { try await site.upload("b/\(name)", name) }
        let old = try index(of: site)
        _ = try await site.ask("DELETE", "/object/b/deleted")
        _ = try await site.post("/object/move", ["bucketId": "b", "sourceKey": "moved", "destinationKey": "there"])
        let before = try await contents(site, site.depot)
        let other = try moved(site, index: old)
        #expect(try await contents(other, other.reopened()) == before)
    }

    @Test func bucketsWithoutTheirListArePrivate() async throws {
        let site = try await livedIn()
        let other = try moved(site, index: [:])
        try Directory(other.folder.appending("objects")).remove(file: FilePath(BucketList.name))
        let again = try other.reopened()
        let buckets = try await again.index.read { try $0.buckets() }
        #expect(buckets.map(\.id) == ["b", "c"])
        #expect(buckets.allSatisfy { !$0.isPublic })
    }

    // MARK: Killed between two steps

    /// The blob and its row exist, and the index does not have it.
    @Test(arguments: [
        Fact("a new key is taken", "new", "uploaded"), Fact("a key that is there stays as it is", "old", "old"),
    ])
    func beforeTheCommitOfAnUpload(_ fact: Fact<String, String>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/old", "old")
        let number = site.depot.index.numbers.next()
        let row = try await site.depot.blobs.receive(RequestBody(Array("uploaded".utf8))) {
            { IndexedObject($0, key: fact.input, number: number) }
        }
        let again = try site.reopened()
        #expect(try await site.ask("GET", "/object/b/\(fact.input)", of: again).text == fact.output)
        #expect(try await site.ask("GET", "/object/b/old", of: again).text == "old")
        let isTaken = fact.output == "uploaded"
        #expect(
            again.findings == [
                isTaken
                    ? "Took 1 objects from their blobs that index.sqlite did not have: b/new."
                    : "1 files below objects have no row, and were moved to \(site.folder)/lost: \(row.version)."
            ])
    }

    @Test func aBlobThatIsNotWholeIsNotTaken() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let row = try await site.depot.blobs.receive(RequestBody([1, 2, 3])) { { IndexedObject($0) } }
        try Directory(site.folder.appending("objects/\(row.version.prefix(2))")).open(writing: FilePath(row.version))
            .write([0], at: 1)
        let again = try site.reopened()
        #expect(try await again.index.read { try $0.count(of: "objects") } == 0)
        #expect(try Directory(site.folder.appending("lost")).names() == [FilePath(row.version)])
    }

    /// The row is gone, the blob is not: a deleted object does not come back.
    @Test(arguments: RecoveryTests.Keeping.allCases)
    func beforeTheBlobOfADeletionGoes(_ keeping: Keeping) async throws {
        let site = try Site(disk: keeping.disk)
        try await site.makeBucket("b")
        try await site.upload("b/a")
        _ = try await site.depot.index.writer.write { try $0.removeObject("a", in: "b") }
        #expect(try site.blobs().count == 1)
        let again = try site.reopened(isMended: false)
        #expect(again.findings.isEmpty)
        #expect(try site.blobs().isEmpty)
        #expect(try await site.ask("GET", "/object/b/a", of: again).status == 400)
    }

    @Test func beforeTheOldBlobOfAReplacementGoes() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a", "old")
        let number = site.depot.index.numbers.next()
        let row = try await site.depot.blobs.receive(RequestBody(Array("new".utf8))) {
            { IndexedObject($0, key: "a", number: number) }
        }
        _ = try await site.depot.index.writer.write { try $0.store(row, replacing: true) }
        #expect(try site.blobs().count == 2)
        let again = try site.reopened()
        #expect(try await site.ask("GET", "/object/b/a", of: again).text == "new")
        #expect(try site.blobs() == [row.version])
        // The id from the index is in the blob by now, too.
        let stored = try await site.object("b", "a")
        #expect(stored.id != row.id)
        #expect(try site.depot.blobs.row(of: row.version) == stored)
    }

    @Test(arguments: Keeping.allCases)
    func beforeTheBlobKnowsThatItWasMoved(_ keeping: Keeping) async throws {
        let site = try Site(disk: keeping.disk)
        try await site.makeBucket("b")
        try await site.upload("b/a", "moved")
        var row = try await site.object("b", "a")
        (row.key, row.number) = ("there", site.depot.index.numbers.next())
        let moved = row
        _ = try await site.depot.index.writer.write { index in
            try index.removeObject("a", in: "b")
            try index.put(moved)
        }
        #expect(try site.depot.blobs.row(of: moved.version)?.key == "a")
        let again = try site.reopened(isMended: false)
        #expect(try site.depot.blobs.row(of: moved.version) == moved)
        #expect(try await site.ask("GET", "/object/b/there", of: again).text == "moved")
    }

    @Test func beforeTheCommitOfABucket() async throws {
        let site = try Site()
        try await site.makeBucket("gone")
        let bucket = IndexedBucket(
            id: "new", owner: "", isPublic: true, sizeLimit: 7, allowedTypes: ["a/b"], createdAt: 1, updatedAt: 2)
        let list = BucketList(number: site.depot.index.numbers.next(), buckets: [bucket])
        try list.write(in: site.folder.appending("objects"))
        #expect(try await site.reopened().index.read { try $0.buckets() } == [bucket])
    }

    /// Of two writers of the row of one blob, the newer row is kept whichever writes last.
    @Test(arguments: Keeping.allCases)
    func aNewerRowStays(_ keeping: Keeping) async throws {
        let site = try Site(disk: keeping.disk)
        let blobs = site.depot.blobs
        var row = try await blobs.receive(RequestBody([1])) { { IndexedObject($0, number: 5) } }
        row.number = 4
        try blobs.carry(row)
        #expect(try blobs.row(of: row.version)?.number == 5)
        row.number = 6
        try blobs.carry(row)
        #expect(try blobs.row(of: row.version)?.number == 6)
    }

    /// Metadata that exceed an attribute are kept in a file beside the blob, and removed with it.
    @Test func longMetadataLiesBeside() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let long = JSON.object([JSON.Member(name: "path", value: .text(String(repeating: "x", count: 70_000)))])
        let metadata = Data(long.bytes).base64EncodedString()
        try await site.upload("b/a", "hello", ["x-metadata": metadata])
        let row = try await site.object("b", "a")
        #expect(row.userMetadata == long.rendered)
        #expect(try site.depot.blobs.row(of: row.version) == row)
        let part = site.folder.appending("objects/\(row.version.prefix(2))")
        #expect(try Directory(part).names().map(\.display) == [row.version, Blobs.rowName(row.version)])
        _ = try await site.post("/object/move", ["bucketId": "b", "sourceKey": "a", "destinationKey": "c"])
        #expect(try site.depot.blobs.row(of: row.version)?.key == "c")
        _ = try await site.ask("DELETE", "/object/b/c")
        #expect(try Directory(part).names().isEmpty)
    }

    /// A row with a flipped bit does not count.
    @Test func aDamagedRowIsNoRow() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for name in ["first", "second"] { try await site.upload("b/\(name)", name) }
        let row = try await site.object("b", "second")
        var carried = row.carried
        carried[carried.count / 2] ^= 1
        #expect(IndexedObject(carried: carried) == nil)
        let blob = try OpenFile(reading: site.depot.blobs.path(of: row.version))
        try blob.setAttribute(Blobs.attribute, to: carried)
        let other = try moved(site, index: [:])
        let again = try other.reopened()
        #expect(try await contents(other, again).count == 1 + 1)
        #expect(try Directory(other.folder.appending("lost")).names() == [FilePath(row.version)])
    }

    /// A copy of the folder that lost the attributes gets them back by a full comparison with the index.
    @Test func aBlobWithoutItsRowGetsItFromTheIndex() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a")
        let row = try await site.object("b", "a")
        try OpenFile(reading: site.depot.blobs.path(of: row.version)).setAttribute(Blobs.attribute, to: [])
        try Directory(site.folder.appending("objects")).remove(file: FilePath(NewestNote.name))
        _ = try site.reopened()
        #expect(try site.depot.blobs.row(of: row.version) == row)
    }

    @Test func aRowWithoutItsBytesIsDroppedAndNamed() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for name in ["here", "nowhere"] { try await site.upload("b/\(name)") }
        let version = try await site.object("b", "nowhere").version
        try Directory(site.folder).remove(file: FilePath("objects/\(version.prefix(2))/\(version)"))
        let again = try site.reopened()
        #expect(
            again.findings == ["The bytes of 1 objects are not there any more, deleted since or lost: b/nowhere."])
        #expect(try await again.index.read { try $0.count(of: "objects") } == 1)
    }

    @Test(arguments: Keeping.allCases)
    func aBlobThatWasSetAsideIsFoundAgain(_ keeping: Keeping) async throws {
        let site = try Site(disk: keeping.disk)
        try await site.makeBucket("b")
        try await site.upload("b/a", "found")
        let row = try await site.object("b", "a")
        try site.depot.blobs.setAside(row.version)
        let again = try site.reopened(isMended: false)
        #expect(try await site.ask("GET", "/object/b/a", of: again).text == "found")
        #expect(try site.depot.blobs.row(of: row.version) == row)
        #expect(try Directory(site.folder.appending("lost")).names().isEmpty)
    }

    // MARK: On demand

    @Test func rebuildingKeepsTheOldIndexAndTellsWhatItCouldNotPlace() async throws {
        let site = try await livedIn()
        let before = try await contents(site, site.depot)
        let other = try moved(site, index: ["index.sqlite": Array("no database".utf8)])
        #expect(throws: DamagedIndex.self) { try other.reopened() }
        let versions = try await site.versions()
        let stray = other.folder.appending("objects/\(versions[0].prefix(2))/stray")
        try OpenFile(creating: stray).append([1])
        let rebuild = try IndexRebuild(of: other.folder)
        #expect((rebuild.buckets, rebuild.objects) == (2, 8))
        #expect(rebuild.unplaced == ["\(versions[0].prefix(2))/stray"])
        #expect(!rebuild.isWhole)
        let kept = try #require(rebuild.keptIndex)
        #expect(try OpenFile(reading: kept).readAll() == Array("no database".utf8))
        #expect(try await contents(other, other.reopened()) == before)
    }

    @Test func nothingCanBeMadeOfNothing() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        #expect(throws: NothingToRebuildFrom.self) { try IndexRebuild(of: directory.path) }
        try Directory.create(at: directory.path.appending("objects"))
        #expect(throws: NothingToRebuildFrom.self) { try IndexRebuild(of: directory.path) }
    }
}

import Database
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

/// The index can be lost, old or damaged: the journal of rows and the blobs make it anew.
@Suite struct RecoveryTests {
    private static let journal: FilePath = "objects/rows.jsonl"

    /// What a client sees: every bucket, and every object with its row and its bytes.
    private func contents(_ site: Site, _ depot: Depot) async throws -> [String] {
        let (buckets, objects) = try await depot.index.read { index in
            (
                try index.rows("SELECT \(Bucket.columns) FROM buckets ORDER BY id", read: Bucket.init),
                try index.rows("SELECT \(StoredObject.columns) FROM objects ORDER BY key", read: StoredObject.init)
            )
        }
        var contents = buckets.map { "\($0)" }
        for object in objects {
            let answer = try await site.ask("GET", "/object/\(object.bucket)/\(object.key)", of: depot)
            contents.append("\(object) \(answer.status) \(answer.text)")
        }
        return contents
    }

    /// A site where everything has happened that can happen to an object.
    private func livedIn() async throws -> Site {
        let site = try Site()
        try await site.makeBucket("b", isPublic: true, ["file_size_limit": 100])
        try await site.makeBucket("c")
        try await site.makeBucket("gone")
        let metadata = ["x-metadata": "eyJwYXRoIjoiw6QifQ==", "cache-control": "max-age=7"] as Headers
        for name in ["kept", "moved", "deleted", "replaced", "copied"] {
            try await site.upload("b/\(name)", name, metadata)
        }
        try await site.upload("b/replaced", "replaced since", method: "PUT")
        _ = try await site.post("/object/move", ["bucketId": "b", "sourceKey": "moved", "destinationKey": "x/y z"])
        _ = try await site.post("/object/copy", ["bucketId": "b", "sourceKey": "copied", "destinationKey": "copy"])
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

    /// Puts `files` in place of the index, as a backup would; a new folder, since the old one's index is open.
    private func moved(_ site: Site, index files: [FilePath: [UInt8]]) throws -> Site {
        let other = try Site()
        let folder = try Directory(other.folder)
        for name in try folder.names() where name.display.hasPrefix("index.sqlite") { try folder.remove(file: name) }
        try Directory.removeTree(at: other.folder.appending("objects"))
        let source = try Directory(site.folder.appending("objects"))
        for shelf in try source.names() {
            let target = other.folder.appending("objects")
            try Directory.create(at: target)
            if shelf.bytes.count > 2 {
                try OpenFile(creating: target.appending(shelf)).append(source.open(file: shelf).readAll())
                continue
            }
            try Directory.create(at: target.appending(shelf))
            for name in try source.open(directory: shelf).names() {
                try OpenFile(creating: target.appending(shelf).appending(name))
                    .append(source.open(file: shelf.appending(name)).readAll())
            }
        }
        for (name, bytes) in files { try OpenFile(creating: other.folder.appending(name)).append(bytes) }
        return other
    }

    @Test func aLostIndexComesBackWhole() async throws {
        let site = try await livedIn()
        let before = try await contents(site, site.depot)
        #expect(before.count == 2 + 6)
        let other = try moved(site, index: [:])
        let again = try other.reopened()
        #expect(try await contents(other, again) == before)
        #expect(again.findings == ["Made index.sqlite anew from objects/rows.jsonl, which knows more: 6 objects."])
        #expect(try FileFacts.existing(other.folder.appending("lost")) == nil)
    }

    @Test func anOlderIndexFollows() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/first")
        try await site.depot.index.write { try $0.execute("UPDATE users SET email = email") }
        let old = try index(of: site)
        for number in 1...40 { try await site.upload("b/\(number)", "\(number)") }
        _ = try await site.ask("DELETE", "/object/b/first")
        let before = try await contents(site, site.depot)
        let other = try moved(site, index: old)
        let again = try other.reopened()
        #expect(try await contents(other, again) == before)
        #expect(again.findings == ["Took 41 changes from objects/rows.jsonl that index.sqlite did not have."])
    }

    /// Killed between the journal and the commit.
    @Test func whatOnlyTheJournalSaysIsStored() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let old = try index(of: site)
        try await site.upload("b/a")
        let other = try moved(site, index: old)
        let again = try other.reopened()
        #expect(try await again.index.read { try $0.object("a", in: "b") } != nil)
    }

    @Test(arguments: ["missing", "cut", "damaged at its beginning"])
    func aLostJournalIsWrittenAnew(how: String) async throws {
        let site = try await livedIn()
        let before = try await contents(site, site.depot)
        let journal = site.folder.appending(Self.journal)
        switch how {
        case "missing": try Directory(journal.parent).remove(file: "rows.jsonl")
        case "cut": try OpenFile(appending: journal).truncate(to: 200)
        default: try Directory(journal.parent).open(writing: "rows.jsonl").write([0], at: 20)
        }
        let again = try site.reopened()
        #expect(again.findings.count == 1)
        let other = try moved(site, index: [:])
        #expect(try await contents(other, other.reopened()) == before)
    }

    /// A power cut may leave part of the last line, which nobody was told of.
    @Test func aTornLineIsCutOff() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let journal = site.folder.appending(Self.journal)
        let size = try FileFacts(of: journal).size
        try OpenFile(appending: journal).append(Array(#"{"sum":"0123"#.utf8))
        let again = try site.reopened()
        #expect(try FileFacts(of: journal).size == size)
        #expect(again.findings.isEmpty)
    }

    /// One flipped bit costs the rows of its line, and is told.
    @Test func aDamagedLineIsPassedOver() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for name in ["first", "second", "third"] { try await site.upload("b/\(name)", name) }
        let journal = site.folder.appending(Self.journal)
        let text = String(decoding: try OpenFile(reading: journal).readAll(), as: UTF8.self)
        let place = try #require(text.firstRange(of: "second")).lowerBound
        let file = try OpenFile(creating: site.folder.appending("copy"))
        try file.append(Array(text.replacingCharacters(at: place).utf8))
        try Directory(site.folder).rename("copy", to: Self.journal)
        let other = try moved(site, index: [:])
        let again = try other.reopened()
        #expect(try await contents(other, again).count == 1 + 2)
        #expect(again.findings.first?.contains("1 damaged lines") == true)
        #expect(try Directory(other.folder.appending("lost")).names().count == 1)
    }

    @Test func aBlobThatWasLostIsFoundAgain() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let old = try OpenFile(reading: site.folder.appending(Self.journal)).readAll()
        try await site.upload("b/a", "found")
        let new = try OpenFile(reading: site.folder.appending(Self.journal)).readAll()
        let other = try moved(site, index: [:])
        let journal = other.folder.appending(Self.journal)
        try OpenFile(creating: journal).append(old)
        _ = try other.reopened()
        #expect(try other.blobs().isEmpty)
        try Directory(other.folder).remove(file: Self.journal)
        try OpenFile(creating: journal).append(new)
        let again = try other.reopened()
        #expect(try await other.ask("GET", "/object/b/a", of: again).text == "found")
    }

    // MARK: On demand

    @Test func rebuildingKeepsTheOldIndexAndTellsWhatIsMissing() async throws {
        let site = try await livedIn()
        let before = try await contents(site, site.depot)
        let other = try moved(site, index: ["index.sqlite": Array("no database".utf8)])
        #expect(throws: DamagedIndex.self) { try other.reopened() }
        let versions = try await site.versions()
        let stray = other.folder.appending("objects/\(versions[0].prefix(2))/stray")
        try OpenFile(creating: stray).append([1])
        let rebuild = try IndexRebuild(of: other.folder)
        #expect((rebuild.buckets, rebuild.objects) == (2, 6))
        #expect(rebuild.unplaced == ["\(versions[0].prefix(2))/stray"])
        #expect(rebuild.missing.isEmpty && rebuild.damagedLines == 0 && !rebuild.isWhole)
        let kept = try #require(rebuild.keptIndex)
        #expect(try OpenFile(reading: kept).readAll() == Array("no database".utf8))
        #expect(try await contents(other, other.reopened()) == before)
    }

    @Test func anObjectWithoutBytesIsNamed() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        for name in ["here", "nowhere"] { try await site.upload("b/\(name)") }
        let version = try await site.object("b", "nowhere").version
        try Directory(site.folder).remove(file: FilePath("objects/\(version.prefix(2))/\(version)"))
        let other = try moved(site, index: [:])
        let rebuild = try IndexRebuild(of: other.folder)
        #expect(rebuild.missing == ["b/nowhere"])
        #expect(rebuild.objects == 1)
    }

    @Test func nothingCanBeMadeOfNothing() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        #expect(throws: NothingToRebuildFrom.self) { try IndexRebuild(of: directory.path) }
        try Directory.create(at: directory.path.appending("objects"))
        #expect(throws: NothingToRebuildFrom.self) { try IndexRebuild(of: directory.path) }
    }
}

extension Site {
    fileprivate func object(_ bucket: String, _ key: String) async throws -> StoredObject {
        try #require(try await depot.index.read { try $0.object(key, in: bucket) })
    }
}

extension String {
    /// The text with one bit of the character at `place` flipped.
    fileprivate func replacingCharacters(at place: Index) -> String {
        var bytes = Array(utf8)
        bytes[utf8.distance(from: startIndex, to: place)] ^= 1
        return String(decoding: bytes, as: UTF8.self)
    }
}

import Database
import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore
@testable import StorageServer

@Suite struct StoringTests {
    /// A disk with errors is mounted anew for reading while it is in use: what is there is served, and the refusal says so.
    @Test(arguments: 0...6)
    func aDiskThatBecomesReadOnlyStoresNothingByHalves(callsBeforeFailure: Int) async throws {
        let isReadOnly = Shared(false)
        let site = try Site { path throws(SystemError) in
            let disk = try LocalDisk(directory: path)
            guard isReadOnly.value else { return disk }
            return FailingDisk(disk, callsBeforeFailure: callsBeforeFailure, code: 30)
        }
        try await site.makeBucket("b")
        try await site.upload("b/old", "old")
        isReadOnly.change { $0 = true }
        let answer = try await site.upload("b/new", "new")
        let isStored = callsBeforeFailure == 6
        let refusal = "503 503 DatabaseReadOnly: The storage can only be read: mount its disk for writing"
        #expect("\(answer.status) \(answer.refusal)" == (isStored ? "200 - -: -" : refusal))
        #expect(try await site.get("/object/b/new").status == (isStored ? 200 : 400))
        #expect(try await site.get("/object/b/old").text == "old")
    }

    /// A blob takes six calls: create, write, fsetxattr, rename, fsync of the file and of the directory; each run
    /// lets one more succeed.
    @Test(arguments: 0...6, [FailingDisk.Afterwards.recovers, .staysBroken])
    func aFullDiskStoresNothingByHalves(callsBeforeFailure: Int, afterwards: FailingDisk.Afterwards) async throws {
        let isFull = Shared(false)
        let site = try Site { path throws(SystemError) in
            let disk = try LocalDisk(directory: path)
            guard isFull.value else { return disk }
            return FailingDisk(disk, callsBeforeFailure: callsBeforeFailure, afterwards: afterwards)
        }
        try await site.makeBucket("b")
        #expect(try await site.upload("b/old", "old").status == 200)
        isFull.change { $0 = true }
        // A row that does not fit into an attribute is stored beside the blob.
        let isStored = callsBeforeFailure == 6 || callsBeforeFailure == 2 && afterwards == .recovers
        let refusal = "507 507 InsufficientStorage: The disk of the storage is full"
        for (path, method) in [("b/new", "POST"), ("b/old", "PUT")] {
            let answer = try await site.upload(path, "new", method: method)
            #expect("\(answer.status) \(answer.refusal)" == (isStored ? "200 - -: -" : refusal))
        }
        #expect(try await site.get("/object/info/b/new").status == (isStored ? 200 : 400))
        #expect(try await site.get("/object/b/old").text == (isStored ? "new" : "old"))
        if afterwards == .recovers { #expect(try await site.blobs() == site.versions()) }
        // Leftover files are removed when the folder is opened again.
        let versions = try await site.versions()
        let again = try site.reopened()
        let stored = try await again.index.read {
            try $0.rows("SELECT version FROM objects ORDER BY version") { $0.text(0) }
        }
        #expect(Set(stored).isSuperset(of: versions))
        #expect(try site.blobs() == stored)
    }

    /// A row may name a blob once `finish` returned: from then on both survive every power cut.
    @Test func aFinishedBlobOutlivesEveryPowerCut() throws {
        let disk = RecordingDisk()
        let draft = Draft(version: "0a", on: disk)
        try draft.append([1, 2])
        try draft.append([3])
        let stored = Shared<Draft.Stored?>(nil)
        let row = try draft.finish { blob in
            stored.change { $0 = blob }
            return IndexedObject(blob)
        }
        disk.acknowledge(row.version)
        #expect(stored.value == Draft.Stored(version: "0a", size: 3, md5: MD5.hash([1, 2, 3])))
        let cuts = disk.powerCuts()
        #expect(cuts.contains { !$0.acknowledged.isEmpty })
        for cut in cuts where !cut.acknowledged.isEmpty {
            #expect(cut.contents["0a"] == [1, 2, 3], "\(cut)")
            #expect(cut.attributes["0a"]?[Blobs.attribute].flatMap { IndexedObject(carried: $0) } == row, "\(cut)")
        }
    }

    /// SQLite's own limit simulates a full disk: objects answered with 200 exist, refused ones do not.
    @Test func anIndexThatCannotGrowRefusesWhole() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let pages = try await site.depot.index.read { try $0.first("PRAGMA page_count") { $0.integer(0) } ?? 0 }
        try await site.depot.index.write { try $0.execute("PRAGMA max_page_count = \(pages + 4)") }
        let statuses = try await withThrowingTaskGroup { group in
            for number in 0..<400 {
                group.addTask { (number, try await site.upload("b/\(number)", "\(number)").status) }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
        }
        #expect(Set(statuses.values) == [200, 507])
        for (number, status) in statuses {
            #expect(try await site.get("/object/b/\(number)").status == (status == 200 ? 200 : 400))
        }
        #expect(try await site.blobs() == site.versions())
        try await site.depot.index.write { try $0.execute("PRAGMA max_page_count = 1000000") }
        #expect(try await site.upload("b/after").status == 200)
    }

    @Test func aChangeThatIsRefusedLeavesItsNeighboursAlone() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        struct Refused: Error, Equatable {}
        let index = site.depot.index
        let outcomes = try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    do {
                        try await index.write { index in
                            try index.run("UPDATE buckets SET size_limit = coalesce(size_limit, 0) + 1")
                            if number.isMultiple(of: 5) { throw Refused() }
                        }
                        return true
                    } catch is Refused {
                        return false
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 } == 40)
        #expect(try await site.get("/bucket/b").json["file_size_limit"] == 40)
    }

    @Test func readersSeeOnlyWhatIsDurable() async throws {
        let site = try Site()
        let index = site.depot.index
        try await index.write { writing in
            try writing.put(
                IndexedBucket(
                    id: "b", owner: "", isPublic: false, sizeLimit: nil, allowedTypes: nil, createdAt: 0, updatedAt: 0))
            let other = try Connection(path: site.folder.appending("index.sqlite").display, isReadOnly: true)
            #expect(try other.bucket("b") == nil)
        }
        #expect(try await index.read { try $0.bucket("b") != nil })
    }

    @Test func blobsWithoutARowAreMovedAndNamedAtStart() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a")
        for name in ["0a/0a-no-row", "0a/0a-unfinished.part", "ff/ff-no-row"] {
            let path = site.folder.appending("objects").appending(name)
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).append(Array(name.utf8))
        }
        #expect(try site.blobs().count == 4)
        let versions = try await site.versions()
        let again = try site.reopened()
        #expect(try site.blobs() == versions)
        let lost = site.folder.appending("lost")
        #expect(try Directory(lost).names() == ["0a-no-row", "ff-no-row"])
        #expect(try OpenFile(reading: lost.appending("ff-no-row")).readAll() == Array("ff/ff-no-row".utf8))
        #expect(
            again.findings == [
                "2 files below objects have no row, and were moved to \(lost): 0a-no-row, ff-no-row."
            ])
        #expect(try await site.ask("GET", "/object/b/a", of: again).text == "hello")
    }

    @Test func afterACleanEndNothingIsLookedFor() async throws {
        let site = try Site()
        let path = site.folder.appending("objects/0a/0a-no-row")
        try Directory.create(at: path.parent)
        _ = try OpenFile(creating: path)
        try await site.depot.index.writer.noteClean()
        _ = try site.reopened()
        #expect(try site.blobs() == ["0a-no-row"])
        _ = try site.reopened()
        #expect(try site.blobs().isEmpty)
    }

    /// The disk refuses removals for a while: the object is gone, and its blob is removed at the next start.
    @Test func whatCannotBeRemovedIsRemembered() async throws {
        let isBroken = Shared(false)
        let site = try Site { path throws(SystemError) in
            if isBroken.value { throw SystemError(call: "open", code: 5, path: path) }
            return try LocalDisk(directory: path)
        }
        try await site.makeBucket("b")
        try await site.upload("b/a")
        isBroken.change { $0 = true }
        #expect(try await site.ask("DELETE", "/object/b/a").status == 200)
        #expect(try site.blobs().count == 1)
        try await site.depot.index.writer.noteClean()
        #expect(try site.reopened().findings.isEmpty)
        #expect(try site.blobs().isEmpty)
    }

    /// The first release's tables, with an object in them.
    @Test func anIndexOfTheFirstVersionGrows() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a")
        try Connection(path: site.folder.appending("index.sqlite").display).execute(
            Site.downgrade
                + """
                DROP TABLE uploads; DROP TABLE codes; DROP TABLE refresh_tokens; DROP TABLE sessions; DROP TABLE users;
                PRAGMA user_version = 1;
                """)
        let again = try site.reopened()
        let version = try await again.index.read { try $0.first("PRAGMA user_version") { $0.integer(0) } }
        #expect(version == IndexSchema.version)
        #expect(try await site.get("/object/b/a").text == "hello")
        #expect(try await site.begin("b", "c", length: 1).status == 201)
    }

    @Test func anIndexOfANewerVersionIsLeftAlone() async throws {
        let site = try Site()
        try await site.depot.index.write { try $0.execute("PRAGMA user_version = \(IndexSchema.version + 1)") }
        #expect(throws: UnsupportedIndex.self) { try site.reopened() }
    }
}

extension IndexedObject {
    /// The row that a test gives to a blob.
    init(_ blob: Draft.Stored, bucket: String = "b", key: String = "k", number: Int64 = 1) {
        self.init(
            bucket: bucket, key: key, id: "i", version: blob.version, owner: "", createdAt: 0, updatedAt: 0,
            content: Content(
                size: blob.size, type: "text/plain", cacheControl: "no-cache", eTag: blob.eTag, modifiedAt: 0),
            userMetadata: "{}", number: number)
    }
}

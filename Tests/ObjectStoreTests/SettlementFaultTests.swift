import Database
import Platform
import TestSupport
import Testing

@testable import ObjectStore

/// Each call of the disk fails in turn while a start makes index and blobs agree; the start after it has everything.
@Suite struct SettlementFaultTests {
    /// A folder in which the last server was killed at a bad moment.
    private struct Wreck {
        let folder: FilePath
        let index: Connection
        let healthy: Blobs

        /// What must be served once a start had no trouble, by key.
        static let served = ["arrived", "beside", "kept", "moved there"]
        static let note = NewestNote.Text(number: 10, isClean: false)

        init(_ folder: FilePath) throws {
            self.folder = folder
            index = try IndexSchema.open(":memory:")
            healthy = try Blobs(root: folder.appending("objects")) { path throws(SystemError) in
                try LocalDisk(directory: path)
            }
            try index.put(IndexedBucket(named: "b"))
            try index.set(number: 10)
            try BucketList(number: 10, buckets: index.buckets()).write(in: healthy.root)
            try index.put(row("kept"))
            try put(row("kept"))
            // The commit of a move was followed by nothing.
            var moved = row("moved")
            try put(moved)
            (moved.key, moved.number) = ("moved there", 6)
            try index.put(moved)
            try index.owe(moved.version)
            // So was that of a deletion.
            try index.put(row("deleted"))
            try put(row("deleted"))
            try index.removeObject("deleted", in: "b")
            _ = try index.takeDebts(number: 9)
            // Two uploads arrived, of which the index was not told; the row of one lies beside its blob.
            try put(row("arrived"))
            try put(row("beside"), isBeside: true)
            try write("cut.part", [1])
            try write("stray", [7])
        }

        func row(_ key: String) -> IndexedObject {
            var row = IndexedObject(made: key, version: "ab-\(key)", number: 5)
            row.content.eTag = "\"\(MD5.hash(Self.bytes).hexadecimal)\""
            return row
        }

        static let bytes: [UInt8] = [1, 2, 3]

        private func write(_ name: String, _ bytes: [UInt8]) throws {
            let path = healthy.root.appending("ab").appending(name)
            try Directory.create(at: path.parent)
            try OpenFile(creating: path).append(bytes)
        }

        private func put(_ row: IndexedObject, isBeside: Bool = false) throws {
            try write(row.version, Self.bytes)
            let disk = try healthy.disk(of: row.version)
            if isBeside {
                try Blobs.putBeside(row, on: disk)
            } else {
                try disk.open(row.version).setAttribute(Blobs.attribute, to: row.carried)
            }
        }

        /// A start on `disk`; `nil` for one that works.
        func start(_ disk: FailingDisk? = nil, note: NewestNote.Text?) throws {
            try index.execute("DROP TABLE IF EXISTS temp.present")
            let blobs = try Blobs(root: healthy.root) { path throws(SystemError) in
                let local = try LocalDisk(directory: path)
                return disk.map { $0.directory(local) as any Disk } ?? local
            }
            _ = try Settlement(of: index, with: blobs, note: note)
        }

        func keys() throws -> [String] { try index.rows("SELECT key FROM objects ORDER BY key") { $0.text(0) } }

        /// Whether the bytes of `version` are there, and no others under its name.
        func holds(_ version: String) throws -> Bool {
            let path = healthy.path(of: version)
            return try FileFacts.existing(path) != nil && OpenFile(reading: path).readAll() == Self.bytes
        }
    }

    /// Whether the index may be older than the blobs.
    @Test(arguments: [Wreck.note, nil], [FailingDisk.Afterwards.recovers, .staysBroken])
    func whateverCallFailsTheNextStartHasEverything(
        _ note: NewestNote.Text?, _ afterwards: FailingDisk.Afterwards
    ) async throws {
        var failures = 0
        for callsBeforeFailure in 0... {
            let hasFailed = try await FileTree().withDirectory { folder in
                let wreck = try Wreck(folder)
                let disk = FailingDisk(callsBeforeFailure: callsBeforeFailure, code: 5, afterwards: afterwards)
                do {
                    try wreck.start(disk, note: note)
                } catch is SystemError {
                    // A start that fails as a whole is repeated.
                }
                let place: Comment = "failure after \(callsBeforeFailure) calls"
                #expect(try !wreck.keys().contains("deleted"), place)
                // Every start that follows takes the note of this one, which had no clean end.
                try wreck.start(note: note)
                #expect(try wreck.keys() == Wreck.served, place)
                for key in try wreck.keys() {
                    let version = try #require(try wreck.index.object(key, in: "b")).version
                    #expect(try wreck.holds(version), "\(key), \(place)")
                    #expect(try wreck.healthy.row(of: version)?.key == key, place)
                }
                #expect(try wreck.index.debts().isEmpty, place)
                #expect(try FileFacts.existing(wreck.healthy.path(of: "ab-deleted")) == nil, place)
                // A piece of an upload that cannot be removed is set aside.
                let lost = try FileTree(at: folder.appending("lost")).files.filter { $0.key != "cut.part" }
                #expect(lost == ["stray": [7]], place)
                return disk.hasFailed
            }
            if !hasFailed { break }
            failures += 1
        }
        #expect(failures > 10)
    }

    /// A blob follows its row out of `lost`, and a kill came between them.
    @Test(arguments: [SettlementTests.Note.none, .newer, .running])
    func aBlobThatIsPutBackFindsItsRow(_ note: SettlementTests.Note) async throws {
        try await FileTree().withDirectory { folder in
            let bench = try SettlementTests.Bench(folder)
            try bench.index.put(SettlementTests.Bench.row(5))
            try bench.put(nil, in: .lost)
            try Blobs.putBeside(SettlementTests.Bench.row(5), on: bench.blobs.disk(of: SettlementTests.Bench.version))
            _ = try bench.settle(note)
            #expect(try bench.place == .objects)
            #expect(try bench.blobs.row(of: SettlementTests.Bench.version)?.number == 5)
        }
    }

    /// A blob whose removal fails at each start is owed for as long, and is no object again.
    @Test(arguments: [Wreck.note, nil])
    func whatWasDeletedStaysDeletedThoughItCannotBeRemoved(_ note: NewestNote.Text?) async throws {
        try await FileTree().withDirectory { folder in
            let wreck = try Wreck(folder)
            for _ in 0..<2 {
                try wreck.index.execute("DROP TABLE IF EXISTS temp.present")
                let blobs = try Blobs(root: wreck.healthy.root) { path throws(SystemError) in
                    KeepingDisk(contents: try LocalDisk(directory: path), kept: "ab-deleted")
                }
                let settlement = try Settlement(of: wreck.index, with: blobs, note: note)
                #expect(try wreck.keys() == Wreck.served)
                #expect(try wreck.index.debts().map(\.version) == ["ab-deleted"])
                #expect(!settlement.findings.contains { $0.contains("ab-deleted") })
            }
            try wreck.start(note: note)
            #expect(try wreck.index.debts().isEmpty)
            #expect(try FileFacts.existing(wreck.healthy.path(of: "ab-deleted")) == nil)
        }
    }

    /// The row of a blob that cannot be read at this start is read at the next, though this one ends well.
    @Test func aBlobThatCannotBeReadIsLookedForAgain() async throws {
        try await FileTree().withDirectory { folder in
            let wreck = try Wreck(folder)
            let blobs = try Blobs(root: wreck.healthy.root) { path throws(SystemError) in
                KeepingDisk(contents: try LocalDisk(directory: path), unread: "ab-arrived")
            }
            let settlement = try Settlement(of: wreck.index, with: blobs, note: nil)
            #expect(settlement.findings.contains { $0.contains("could not be read") })
            #expect(try wreck.keys() == Wreck.served.filter { $0 != "arrived" })
            #expect(try wreck.holds("ab-arrived"))
            #expect(blobs.hasLeftovers)
        }
    }
}

/// A directory in which one file cannot be removed, or opened.
private struct KeepingDisk: Disk {
    let contents: any Disk
    var kept: String?
    var unread: String?

    func read(_ name: String) throws(SystemError) -> [UInt8]? { try contents.read(name) }
    func names() throws(SystemError) -> [String] { try contents.names() }
    func create(_ name: String) throws(SystemError) -> any DiskFile { try contents.create(name) }
    func append(_ name: String) throws(SystemError) -> any DiskFile { try contents.append(name) }
    func open(_ name: String) throws(SystemError) -> any DiskFile {
        if name == unread { throw SystemError(call: "openat", code: 5) }
        return try contents.open(name)
    }
    func link(_ source: String, to target: String) throws(SystemError) { try contents.link(source, to: target) }
    func rename(_ source: String, to target: String) throws(SystemError) {
        try contents.rename(source, to: target)
    }
    func remove(_ name: String) throws(SystemError) {
        if name == kept { throw SystemError(call: "unlinkat", code: 1) }
        try contents.remove(name)
    }
    func synchronizeDirectory() throws(SystemError) { try contents.synchronizeDirectory() }
}

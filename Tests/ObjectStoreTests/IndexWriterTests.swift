import Database
import Platform
import TestSupport
import Testing

@testable import ObjectStore

/// Changes that share a commit: each is taken or refused by itself, and all hear of a commit that fails.
@Suite(.timeLimit(.minutes(5))) struct IndexWriterTests {
    /// A writer in a folder, and the folder's index as another process would see it.
    private struct Bench {
        let folder: FilePath
        let writer: IndexWriter
        let newest: NewestNote

        var root: FilePath { folder.appending("objects") }
        private var path: String { folder.appending("index.sqlite").display }

        init(_ folder: FilePath) throws {
            self.folder = folder
            let root = folder.appending("objects")
            try Directory.create(at: root)
            newest = try NewestNote(in: root)
            writer = try IndexWriter(
                path: folder.appending("index.sqlite").display, blobs: root, newest: newest,
                numbers: ChangeNumbers(after: 0))
        }

        func seen<T>(_ look: (Connection) throws -> T) throws -> T {
            try look(try Connection(path: path, isReadOnly: true))
        }

        func keys() throws -> [String] {
            try seen { try $0.rows("SELECT key FROM objects ORDER BY key") { $0.text(0) } }
        }

        func note() throws -> NewestNote.Text? {
            NewestNote.Text(try OpenFile(reading: root.appending(NewestNote.name)).readAll())
        }
    }

    private struct Refused: Error {}

    private static func put(_ key: String) -> @Sendable (Connection) throws -> Void {
        { try $0.put(IndexedObject(made: key, version: "v-\(key)")) }
    }

    @Test func whatReturnsIsThereForOthers() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            let count = try await bench.writer.write { index in
                try index.put(IndexedBucket(named: "b"))
                try Self.put("a")(index)
                return try index.count(of: "objects")
            }
            #expect(count.result == 1)
            #expect(count.debts.isEmpty)
            #expect(try bench.keys() == ["a"])
        }
    }

    /// Many changes at once, of which every third throws after it has changed something.
    @Test func aChangeThatThrowsTakesBackOnlyItself() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            _ = try await bench.writer.write { try $0.put(IndexedBucket(named: "b")) }
            let refused = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let result = await isTaken {
                            try await bench.writer.write { index in
                                try Self.put("\(number)")(index)
                                if number % 3 == 0 { throw Refused() }
                            }
                        }
                        return !result
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused == 10)
            #expect(try bench.keys() == (0..<30).filter { $0 % 3 > 0 }.map(String.init).sorted())
        }
    }

    /// A statement that ends the transaction under the feet of the others fails all of them, and none is half there.
    @Test func anEndOfTheTransactionFailsAllThatShareIt() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            _ = try await bench.writer.write { try $0.put(IndexedBucket(named: "b")) }
            let taken = await withTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let result = await isTaken {
                            try await bench.writer.write { index in
                                try Self.put("\(number)")(index)
                                guard number == 5 else { return }
                                try index.execute("ROLLBACK")
                                throw Refused()
                            }
                        }
                        return (number, result)
                    }
                }
                return await group.reduce(into: Set<Int>()) { if $1.1 { $0.insert($1.0) } }
            }
            #expect(!taken.contains(5))
            // What was told so is there, and nothing else.
            #expect(try bench.keys() == taken.map(String.init).sorted())
            _ = try await bench.writer.write(Self.put("after"))
            #expect(try bench.keys().contains("after"))
        }
    }

    /// What a change owes comes with its result, is kept with it, and goes with the commit after it is paid.
    @Test func debtsAreKeptUntilTheyArePaid() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            _ = try await bench.writer.write { index in
                try index.put(IndexedBucket(named: "b"))
                try Self.put("a")(index)
            }
            let (_, debts) = try await bench.writer.write { try $0.removeObject("a", in: "b") }
            #expect(debts.map(\.version) == ["v-a"])
            #expect(try bench.seen { try $0.debts() } == debts)
            await bench.writer.forget(debts)
            #expect(try bench.seen { try $0.debts() } == debts, "a crash now pays them once more")
            _ = try await bench.writer.write(Self.put("b"))
            #expect(try bench.seen { try $0.debts() }.isEmpty)
        }
    }

    /// The list beside the blobs is written with each change of a bucket, and with no other change.
    @Test func theListOfBucketsFollowsTheBuckets() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            let disk = try LocalDisk(directory: bench.root)
            #expect(try BucketList.read(in: bench.root) == nil)
            _ = try await bench.writer.write { try $0.put(IndexedBucket(named: "b")) }
            #expect(try BucketList.read(in: bench.root)?.buckets.map(\.id) == ["b"])
            let first = try disk.read(BucketList.name)
            _ = try await bench.writer.write(Self.put("a"))
            #expect(try disk.read(BucketList.name) == first)
            _ = try? await bench.writer.write { index in
                try index.put(IndexedBucket(named: "refused"))
                throw Refused()
            }
            #expect(try disk.read(BucketList.name) == first, "a change that is taken back is none")
            _ = try await bench.writer.write { index in
                var bucket = IndexedBucket(named: "b")
                bucket.isPublic = true
                try index.update(bucket)
            }
            let list = try #require(try BucketList.read(in: bench.root))
            #expect(list.buckets.map(\.isPublic) == [true])
            #expect(try bench.seen { try $0.number() } == list.number)
            _ = try await bench.writer.write { index in
                try index.removeObject("a", in: "b")
                try index.removeBucket("b")
            }
            #expect(try BucketList.read(in: bench.root)?.buckets == [])
        }
    }

    /// Where the list cannot be written, neither is the bucket, and nothing that shares its commit.
    @Test func aListThatCannotBeWrittenFailsItsCommit() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            _ = try await bench.writer.write { try $0.put(IndexedBucket(named: "b")) }
            let before = try BucketList.read(in: bench.root)
            let place = bench.root.appending(BucketList.name + ".new")
            try Directory.create(at: place)
            await #expect(throws: SystemError.self) {
                try await bench.writer.write { index in
                    try index.put(IndexedBucket(named: "c"))
                    try Self.put("a")(index)
                }
            }
            #expect(try bench.seen { try $0.buckets().map(\.id) } == ["b"])
            #expect(try bench.keys().isEmpty)
            #expect(try BucketList.read(in: bench.root) == before)
            // What concerns no bucket is not held up by that, and the next try succeeds once the disk does.
            _ = try await bench.writer.write(Self.put("a"))
            try Directory(bench.root).remove(directory: FilePath(BucketList.name + ".new"))
            _ = try await bench.writer.write { try $0.put(IndexedBucket(named: "c")) }
            #expect(try BucketList.read(in: bench.root)?.buckets.map(\.id) == ["b", "c"])
            #expect(try bench.keys() == ["a"])
        }
    }

    /// The note beside the blobs is never behind a commit, and says `stopped` only after a clean end.
    @Test func theNoteFollowsEachCommit() async throws {
        try await FileTree().withDirectory { folder in
            let bench = try Bench(folder)
            var last: Int64 = 0
            for number in 0..<3 {
                _ = try await bench.writer.write { try $0.put(IndexedBucket(named: "b\(number)")) }
                let note = try #require(try bench.note())
                #expect(try bench.seen { try $0.number() } == note.number)
                #expect(!note.isClean)
                #expect(note.number > last)
                last = note.number
            }
            try await bench.writer.noteClean()
            #expect(try bench.note() == NewestNote.Text(number: last, isClean: true))
        }
    }
}

/// Whether `change` returned without an error.
private func isTaken<T>(_ change: () async throws -> T) async -> Bool {
    do {
        _ = try await change()
        return true
    } catch {
        return false
    }
}

import Fixtures
import Platform
import Records
import TestSupport
import Testing
import Transfer

@testable import Restoring

/// A folder that takes nothing is found out once and at first, not by each file.
@Suite struct RestoreFolderTests {
    /// A folder that says of itself what a test wants.
    private struct Told: ForwardingFolder {
        let folder: any RestoreFolder
        var refusal: SystemError?
        var left: Int64?
        /// How giving a file its name fails.
        var naming: SystemError?
        /// What happens right before a directory is made.
        var meanwhile: @Sendable () throws(SystemError) -> Void = {}

        func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
            if let naming { throw naming }
            try folder.place(part, as: path)
        }

        func makeDirectories(_ path: FilePath) throws(SystemError) {
            try meanwhile()
            try folder.makeDirectories(path)
        }

        func folder(for call: String) -> any RestoreFolder { folder }
        func checkWriting() throws(SystemError) { if let refusal { throw refusal } }
        func availableBytes() throws(SystemError) -> Int64 {
            guard let left else { return try folder.availableBytes() }
            return left
        }
    }

    private static func restorer(
        _ bench: RestoreBench, _ bucket: BucketDouble, refusal: Int32? = nil, left: Int64? = nil,
        _ change: (inout Restorer.Setup) -> Void = { _ in }
    ) -> Restorer {
        let directory = bench.directory
        return Restorer(bench.setup(bucket, change)) {
            Told(
                folder: LocalRestoreFolder(try Directory(directory)),
                refusal: refusal.map { SystemError(call: "access", code: $0, path: directory) }, left: left)
        }
    }

    private static func bucket() throws -> BucketDouble {
        BucketDouble(try (0..<30).map { try StoredThing(FilePath("\($0).jpg"), "hello") })
    }

    @Test(arguments: [(Int32(13), "Permission denied"), (1, "Operation not permitted"), (30, "Read-only file system")])
    func oneThatMayNotBeWrittenIsFoundOutBeforeTheFirstRequest(_ code: Int32, _ reason: String) async throws {
        try await RestoreBench.with { bench in
            let bucket = try Self.bucket()
            let error = await #expect(throws: ClosedFolder.self) {
                try await Self.restorer(bench, bucket, refusal: code).run()
            }
            #expect(
                error?.description
                    == "Nothing can be written to \(bench.directory.display) (\(reason)): let this user write there, "
                    + "mount its disk for writing, or name another directory.")
            #expect(bucket.calls.isEmpty)
        }
    }

    /// It fails where it is made, too, and other trouble keeps its own words.
    @Test(arguments: [(Int32(13), true), (30, true), (2, true), (20, true), (5, false), (28, false)])
    func oneThatCannotBeMadeIsFoundOutBeforeTheFirstRequest(_ code: Int32, _ isClosed: Bool) async throws {
        try await RestoreBench.with { bench in
            let bucket = try Self.bucket()
            let restorer = Restorer(bench.setup(bucket)) { throw SystemError(call: "mkdir", code: code) }
            let error = await #expect(throws: (any Error).self) { try await restorer.run() }
            #expect((error is ClosedFolder) == isClosed)
            #expect((error as? SystemError)?.code == (isClosed ? nil : code))
            #expect(bucket.calls.isEmpty)
        }
    }

    /// What can never get its name leaves no part behind; what may get it later keeps what has come.
    @Test(arguments: [
        ("linkat", Int32(22), false), ("renameat2", 22, false), ("renameat2", 36, false), ("renameat2", 84, false),
        ("renameat2", 1, true), ("linkat", 13, true),
    ])
    func aNameThatTheFileSystemDoesNotTakeLeavesNoPart(_ call: String, _ code: Int32, _ isKept: Bool) async throws {
        try await RestoreBench.with { bench in
            let bucket = BucketDouble([try StoredThing("a:b.jpg", "hello")])
            let directory = bench.directory
            let restorer = Restorer(bench.setup(bucket)) {
                Told(
                    folder: LocalRestoreFolder(try Directory(directory)),
                    naming: SystemError(call: call, code: code, path: "a:b.jpg"))
            }
            #expect(try await restorer.run().restored == 0)
            let names = try Directory(directory.appending("Pictures")).names()
            #expect(names.contains { $0.isPart } == isKept)
        }
    }

    /// Another attempt, or another program, may take a directory's name between the look and its making.
    @Test func aFileThatTakesTheNameOfADirectoryMeanwhileIsGoneRound() async throws {
        try await RestoreBench.with(["Pictures": [:]]) { bench in
            let bucket = BucketDouble([try StoredThing("x.jpg/old.jpg", "hello")])
            let directory = bench.directory
            let restorer = Restorer(bench.setup(bucket)) {
                Told(
                    folder: LocalRestoreFolder(try Directory(directory)),
                    meanwhile: { () throws(SystemError) in
                        try OpenFile(appending: directory.appending("Pictures/x.jpg")).append([1])
                    })
            }
            let result = try await restorer.run()
            #expect(result.ending == .done && result.restored == 1 && result.renamed.count == 1)
            let names = try Directory(directory.appending("Pictures")).names()
            #expect(names.contains("x.jpg--folder") && names.contains("x.jpg"))
        }
    }

    /// A first try often fails at the room, the line or a misspelled path: it leaves no folder that was not there.
    @Test(arguments: [("no room", false), ("no line", false), ("nothing selected", false), ("nothing selected", true)])
    func aFolderThatWasMadeForNothingIsNotLeftBehind(what: String, isThere: Bool) async throws {
        try await RestoreBench.with { bench in
            let made = bench.directory.appending("made")
            if isThere { try Directory.create(at: made) }
            let bucket = BucketDouble([try StoredThing("a.jpg", "hello")]) { _, _ in
                what == "no line" ? .fails(.unreachable) : nil
            }
            let setup = bench.setup(bucket) {
                $0.directory = made
                if what == "no room" { $0.reserve = .max }
                if what == "nothing selected" { $0.selection = RestoreSelection(paths: ["Nowhere"]) }
            }
            let result = try? await Restorer(setup).run()
            #expect((result?.restored ?? 0) == 0)
            #expect((try FileFacts.existing(made) != nil) == isThere)
        }
    }

    /// One that only looks needs nothing written.
    @Test func aDryRunLooksIntoAFolderThatMayNotBeWritten() async throws {
        try await RestoreBench.with { bench in
            let bucket = try Self.bucket()
            let restorer = Self.restorer(bench, bucket, refusal: 13, left: 0) { $0.isDryRun = true }
            #expect(try await restorer.run().planned.count == 30)
        }
    }

    /// The last byte that is kept free is not given, and an empty folder needs some.
    @Test(arguments: [(Int64(99), false), (100, false), (105, true)])
    func anEmptyFolderOnAFullDiskIsFoundOutBeforeTheFirstRequest(_ left: Int64, _ isEnough: Bool) async throws {
        try await RestoreBench.with { bench in
            let bucket = BucketDouble([try StoredThing("a.jpg", "hello")])
            let restorer = Self.restorer(bench, bucket, left: left) { $0.reserve = 100 }
            if isEnough {
                #expect(try await restorer.run().restored == 1)
            } else {
                await #expect(throws: NoRoom.self) { try await restorer.run() }
                #expect(bucket.calls.isEmpty)
            }
        }
    }

    /// What was restored already takes no room.
    @Test func afterARestoreAFullDiskIsNoTrouble() async throws {
        try await RestoreBench.with { bench in
            let bucket = BucketDouble([try StoredThing("a.jpg", "hello")])
            _ = try await bench.restore(bucket)
            let again = try await Self.restorer(bench, bucket, left: 0) { $0.reserve = 100 }.run()
            #expect(again.alreadyThere == 1 && again.ending == .done)
        }
    }

    /// A listing is a thousand times faster than what follows: without a bound all of it waits in memory.
    @Test(arguments: [(1, 1), (2, 1), (3, 4), (30, 8)])
    func theListingIsAtMostAFewPagesAhead(_ pagesAhead: Int, _ concurrency: Int) async throws {
        try await RestoreBench.with { bench in
            let counts = Shared((lists: 0, infos: 0, most: 0))
            let things = try (0..<60).map { try StoredThing(FilePath("\($0).jpg"), "content \($0)") }
            let bucket = BucketDouble(things, pageSize: 1) { _, call in
                counts.change {
                    if call.verb == .list { $0.lists += 1 }
                    if call.verb == .info { $0.infos += 1 }
                    $0.most = max($0.most, $0.lists - $0.infos)
                }
                return nil
            }
            let result = try await bench.restore(bucket) {
                $0.pagesAhead = pagesAhead
                $0.concurrency = concurrency
            }
            #expect(result.restored == 60 && result.ending == .done)
            #expect(counts.value.most <= pagesAhead + concurrency)
        }
    }

    /// A listing that waits for its turn must not outlive the run.
    @Test func aRunThatStopsEndsAListingThatWaits() async throws {
        try await RestoreBench.with { bench in
            let things = try (0..<40).map { try StoredThing(FilePath("\($0).jpg"), "content \($0)") }
            let bucket = BucketDouble(things, pageSize: 1) { _, call in
                call.verb == .get ? .fails(.local(SystemError(call: "write", code: 28))) : nil
            }
            let error = await #expect(throws: SystemError.self) {
                try await withLimit("the run ends") {
                    try await bench.restore(bucket) {
                        $0.pagesAhead = 1
                        $0.concurrency = 1
                    }
                }
            }
            #expect(error?.code == 28)
        }
    }
}

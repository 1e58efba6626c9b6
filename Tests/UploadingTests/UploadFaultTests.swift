import Database
import Fixtures
import Foundation
import Platform
import Records
import Roots
import Supabase
import Sync
import TestSupport
import Testing
import Text
import Transfer

@testable import Catalog
@testable import Configuration
@testable import Queue
@testable import Uploading

/// Files on their way from the queue to their receipts, with a failure at each call of the queue's disk, each write of
/// the library and each request.
///
/// What fails ends the process or the attempt; the next one stores all, and no byte goes once its receipt is there.
@Suite struct UploadFaultTests {
    private static let files: [(path: FilePath, content: String)] = [("a.jpg", "one"), ("sub/b.jpg", "two, longer")]
    private static let destination = "there"

    /// What outlives a process: the files, the queue's disk, the library, and the bucket.
    private struct World: Sendable {
        let folder: FilePath
        let disk: RecordingDisk
        let bucket = BucketDouble()

        var destination: Destination { UploadBench.destination }
        var storage: StorageClient {
            StorageClient(
                endpoint: destination.endpoint, credentials: StorageCredentials(key: "k"), transport: bucket)
        }

        func library() async throws -> Library {
            let library = try Library(path: folder.appending("library.sqlite"))
            try await library.hurry()
            return library
        }

        /// Has the files found, read and queued, as the stages before do.
        func enqueue() async throws {
            let library = try await library()
            let root = try await library.root(at: folder.appending("Pictures")).root
            let queue = try UploadQueue(store: QueueStore(disk: disk, quarantine: RecordingDisk()), now: Date())
            for (path, content) in files {
                let facts = try FileFacts(of: root.path.appending(path))
                let item = Item(
                    root: root.name, path: path, role: .original, contentType: "image/jpeg", size: facts.size,
                    sha256: SHA256.hash(content.utf8).hexadecimal, modifiedAt: facts.modifiedAt, bucket: "media",
                    objectKey: ObjectKey(root: root.name, path: path), now: Date())
                try await library.see(item, below: root)
                _ = try await queue.add(item, origin: .backlog, now: Date())
            }
            try await library.close()
            try await queue.close()
        }

        /// How many requests brought a body for `path`.
        func uploads(of path: FilePath) -> Int {
            bucket.requests.value.count { $0 == "POST object/media/Pictures/\(path)" }
        }
    }

    /// One process: it sends and records until everything is done, or something fails.
    private static func pass(_ world: World, disk: any Disk, library: Library) async throws {
        do {
            try await withLimit("all is stored, or something fails") {
                try await run(world, disk: disk, library: library)
            }
        } catch {
            // With a process goes what it had not committed.
            try await library.takeBack()
            throw error
        }
    }

    private static func run(_ world: World, disk: any Disk, library: Library) async throws {
        let clock: @Sendable () -> Date = { Date() }
        let queue = try UploadQueue(
            store: QueueStore(disk: disk, quarantine: RecordingDisk()), ladder: RetryLadder(base: .zero, cap: .zero),
            now: Date())
        // A start looks for what a crash left between queue and library, as the agent does.
        let open = Set(await queue.all().filter(\.isOpen).map(\.filePath))
        try await library.requeue(.queued) { !open.contains($1) }
        let roots = RootRegistry(try await library.roots().map { Root(known: $0) })
        let wake = WakeEvent()
        let sender = Sender(
            storage: world.storage, library: library, queue: queue, destination: world.destination, roots: roots,
            cache: ThumbnailCache(folder: world.folder.appending("cache")), settings: Settings.Upload(), clock: clock)
        let (taken, accepted) = AsyncStream.makeStream(of: Accepted.self)
        let uploader = Uploader(
            sender: sender, queue: queue, library: library, activity: Activity(wake: wake), wake: wake,
            limit: SendingLimit(start: 1, minimum: 1, maximum: 1), budget: BudgetReservations(),
            circuit: Circuit(unit: .zero), clock: clock, checkBucket: {}, accepted: { accepted.yield($0) })
        let recorder = Recorder(
            storage: world.storage, library: library, queue: queue, destination: world.destination, clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await uploader.run() }
            group.addTask {
                for await one in taken {
                    _ = try await recorder.record([one])
                    wake.notify()
                }
            }
            group.addTask {
                while true {
                    let wakeups = wake.wakeups
                    if await queue.count().open == 0 { break }
                    try Task.checkCancellation()
                    await wake.wait(after: wakeups)
                }
                uploader.stop()
                accepted.finish()
            }
            // The first that fails ends the others.
            while try await group.next() != nil {}
        }
        try await queue.close()
        try await library.close()
    }

    /// What must hold once a process has come to its end.
    private static func check(_ world: World, _ what: String) async throws {
        let library = try await world.library()
        for (path, content) in files {
            let key = ObjectKey(root: "Pictures", path: path)
            let sha256 = SHA256.hash(content.utf8).hexadecimal
            let receipt = try await library.receipt(destination: world.destination.name, key: key)
            #expect(receipt?.sha256 == sha256, "\(what)")
            #expect(receipt?.proof == .md5, "\(what)")
            #expect(try await library.asset(root: "Pictures", path: path)?.state == .stored, "\(what)")
            #expect(world.bucket.objects.value[key.text]?.bytes == Array(content.utf8), "\(what)")
        }
        let items = try QueueStore(disk: world.disk, quarantine: RecordingDisk()).load().entries
        #expect(items.allSatisfy { $0.status == .completed }, "\(what)")
        #expect(items.count == files.count, "\(what)")
        // One failure, and so no more than one body goes a second time.
        let uploads = files.map { world.uploads(of: $0.path) }
        #expect(uploads.allSatisfy { (1...2).contains($0) } && uploads.reduce(0, +) <= files.count + 1, "\(what)")
    }

    private static func with(_ body: (World) async throws -> Void) async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": "one", "sub": ["b.jpg": "two, longer"]]]
        try await tree.withDirectory { folder in
            let world = World(folder: folder, disk: RecordingDisk())
            try await world.enqueue()
            try await body(world)
        }
    }

    @Test func withoutAFailureEachIsSentOnce() async throws {
        try await Self.with { world in
            try await Self.pass(world, disk: world.disk, library: try await world.library())
            try await Self.check(world, "nothing failed")
            #expect(Self.files.allSatisfy { world.uploads(of: $0.path) == 1 })
        }
    }

    /// The disk of the queue fails for good, and the process ends; the next one finds it well again.
    @Test func whateverCallOfTheQueuesDiskFailsTheNextRunStoresAll() async throws {
        for calls in 0... {
            var isOver = false
            try await Self.with { world in
                let disk = FailingDisk(world.disk, callsBeforeFailure: calls)
                do {
                    try await Self.pass(world, disk: disk, library: try await world.library())
                } catch {
                    #expect(disk.hasFailed, "\(error)")
                }
                isOver = !disk.hasFailed
                try await Self.pass(world, disk: world.disk, library: try await world.library())
                try await Self.check(world, "call \(calls) failed")
            }
            if isOver { return #expect(calls > 10) }
        }
    }

    /// The library takes back what was not committed, and the process ends.
    @Test func whateverWriteOfTheLibraryFailsTheNextRunStoresAll() async throws {
        for number in 1... {
            var isOver = false
            try await Self.with { world in
                let library = try await world.library()
                try await library.failWrite(number)
                do {
                    try await Self.pass(world, disk: world.disk, library: library)
                    isOver = true
                } catch let error as DatabaseError {
                    #expect(error.message == "the disk fails")
                }
                try await library.failWrite(nil)
                try await Self.pass(world, disk: world.disk, library: try await world.library())
                try await Self.check(world, "write \(number) failed")
            }
            if isOver { return #expect(number > 4) }
        }
    }

    @Test(arguments: BucketDouble.Trouble.allCases)
    func whateverRequestGoesWrongAllIsStored(_ trouble: BucketDouble.Trouble) async throws {
        for number in 1... {
            var isOver = false
            try await Self.with { world in
                world.bucket.trouble.change { $0 = (number, trouble) }
                try await Self.pass(world, disk: world.disk, library: try await world.library())
                try await Self.check(world, "request \(number)")
                isOver = world.bucket.requests.value.count < number
            }
            if isOver { return #expect(number > 4) }
        }
    }
}

/// A bucket in memory whose n-th request goes wrong.
final class BucketDouble: Transport {
    enum Trouble: CaseIterable, Sendable { case lostBefore, lostBehind, busy, refusedByAProxy }

    let objects = Shared<[String: StoredThing]>([:])
    /// Such as `POST object/media/Pictures/a.jpg`.
    let requests = Shared<[String]>([])
    let trouble = Shared<(number: Int, what: Trouble)?>(nil)

    private static let lost = TransferError(.lost, "words", mayHaveArrived: true)

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let path = String(request.url.dropFirst(UploadBench.destination.endpoint.base.utf8.count + 1))
        let number = requests.change { requests in
            requests.append("\(request.method.rawValue.uppercased()) \(path)")
            return requests.count
        }
        let what = trouble.value.flatMap { $0.number == number ? $0.what : nil }
        switch what {
        case .lostBefore?: throw Self.lost
        case .busy?: return HTTPResponse(status: 503)
        case .refusedByAProxy?: return HTTPResponse(status: 502)
        case .lostBehind?, nil: break
        }
        let answer = try answer(request, path)
        if what == .lostBehind { throw Self.lost }
        return answer
    }

    private func answer(_ request: HTTPRequest, _ path: String) throws(TransferError) -> HTTPResponse {
        let info = "object/info/authenticated/media/"
        if path.hasPrefix(info) {
            return objects.value[String(path.dropFirst(info.count))]?.info
                ?? Self.refusal(404, "NoSuchKey", "Object not found", "not_found")
        }
        guard case .file(let file, let offset, let length, let observer) = request.body else {
            throw TransferError(.unsendable, "no file", mayHaveArrived: false)
        }
        let key = String(path.dropFirst("object/media/".count))
        guard objects.value[key] == nil || request.headers["x-upsert"] == "true" else {
            return Self.refusal(409, "KeyAlreadyExists", "The resource already exists", "Duplicate")
        }
        do {
            let bytes = try file.read(at: offset, upTo: Int(length))
            observer?.sent(bytes.span.bytes)
            var thing = StoredThing(
                key: key, String(decoding: bytes, as: UTF8.self), eTag: "\"\(MD5.hash(bytes).hexadecimal)\"")
            thing.metadata = request.headers["x-metadata"].flatMap { Data(base64Encoded: $0) }.flatMap {
                try? JSONDecoder().decode([String: JSONValue].self, from: $0)
            }
            objects.change { [thing] in $0[key] = thing }
            return HTTPResponse(status: 200, body: Array(#"{"Key":"media/\#(key)","Id":"id-\#(key)"}"#.utf8))
        } catch {
            throw TransferError(.local(error), "cannot be read", mayHaveArrived: false)
        }
    }

    private static func refusal(_ status: Int, _ code: String, _ message: String, _ error: String) -> HTTPResponse {
        let body = #"{"statusCode":"\#(status)","error":"\#(error)","message":"\#(message)","code":"\#(code)"}"#
        return HTTPResponse(status: 400, body: Array(body.utf8))
    }
}

extension Library {
    /// Does not wait for the disk, since no power is cut here.
    fileprivate func hurry() throws { try database.execute("PRAGMA synchronous = OFF") }

    /// Takes back what was not committed.
    fileprivate func takeBack() throws {
        if database.isInTransaction { try database.execute("ROLLBACK") }
    }

    /// Has the write with that number fail and take back the whole transaction, as on a disk that fails.
    fileprivate func failWrite(_ number: Int?) throws {
        try commit()
        guard let number else { return try database.execute("DROP TABLE temp.fault") }
        try database.execute("CREATE TEMP TABLE fault (left INTEGER); INSERT INTO temp.fault VALUES (\(number))")
        for table in ["assets", "receipts", "attempts", "marks", "facts"] {
            for kind in ["INSERT", "UPDATE", "DELETE"] {
                try database.execute(
                    """
                    CREATE TEMP TRIGGER fault_\(table)_\(kind) BEFORE \(kind) ON main.\(table)
                        WHEN (SELECT left FROM temp.fault) > 0
                        BEGIN UPDATE fault SET left = left - 1;
                            SELECT RAISE(ROLLBACK, 'the disk fails') WHERE (SELECT left FROM fault) = 0; END
                    """)
            }
        }
    }
}

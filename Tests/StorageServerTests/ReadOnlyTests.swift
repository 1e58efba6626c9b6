import Database
import Platform
import Serving
import Supabase
import TestSupport
import Testing
import Transfer

@testable import ObjectStore
@testable import StorageServer

/// A folder that nothing can be written to is served for reading, and for nothing else.
@Suite struct ReadOnlyTests {
    private static let refusal = SystemError(call: "access", code: 30)

    /// A site with an object, and the depot of a server that finds its folder read-only.
    private static func with(_ body: (Site, Depot, DataFolder) async throws -> Void) async throws {
        let site = try Site()
        try await site.makeBucket("media")
        try await site.upload("media/a/b.txt")
        try await site.depot.index.writer.noteClean()
        let path = site.folder
        // The lock of the site's own folder goes with its depot only; a copy has none.
        try await FileTree(at: path).withDirectory { copy in
            let folder = try DataFolder(copy, secret: Site.secret) { _ in refusal }
            let depot = try Depot(folder, clock: { Site.start }) { path throws(SystemError) in
                try LocalDisk(directory: path)
            }
            try await body(site, depot, folder)
            folder.unlock()
        }
    }

    /// Every file and directory with its bytes and its times.
    private static func state(_ path: FilePath) throws -> [String] {
        var lines: [String] = []
        func look(_ folder: FilePath) throws {
            for name in try Directory(folder).names().sorted() {
                let facts = try FileFacts(of: folder.appending(name))
                // SQLite may keep its own files beside the index of a folder that is not really read-only.
                if name.display.hasPrefix("index.sqlite-") { continue }
                lines.append("\(folder.appending(name).display) \(facts.size) \(facts.modifiedAt) \(facts.inode)")
                if facts.kind == .directory { try look(folder.appending(name)) }
            }
        }
        try look(path)
        return lines
    }

    @Test(arguments: [
        ("GET", "/object/authenticated/media/a/b.txt", ""), ("HEAD", "/object/authenticated/media/a/b.txt", ""),
        ("GET", "/object/info/authenticated/media/a/b.txt", ""), ("GET", "/bucket", ""), ("GET", "/bucket/media", ""),
        ("POST", "/object/list-v2/media", #"{"prefix":""}"#), ("POST", "/object/list/media", #"{"prefix":"a"}"#),
        ("POST", "/object/sign/media/a/b.txt", #"{"expiresIn":60}"#), ("GET", "/status", ""), ("GET", "/health", ""),
    ])
    func whatLooksIsAnsweredAsBefore(_ method: String, _ target: String, _ json: String) async throws {
        try await Self.with { site, depot, _ in
            let headers: Headers = json.isEmpty ? [:] : ["Content-Type": "application/json"]
            let here = try await site.ask(method, target, headers, body: Array(json.utf8), of: depot)
            let usual = try await site.ask(method, target, headers, body: Array(json.utf8))
            #expect(here.status == 200)
            #expect(here.body == usual.body)
        }
    }

    @Test(arguments: [
        ("POST", "/object/media/new.txt"), ("PUT", "/object/media/a/b.txt"), ("DELETE", "/object/media/a/b.txt"),
        ("DELETE", "/object/media"), ("POST", "/object/move"), ("POST", "/object/copy"), ("POST", "/bucket"),
        ("PUT", "/bucket/media"), ("DELETE", "/bucket/media"), ("POST", "/bucket/media/empty"),
        ("POST", "/upload/resumable"), ("PATCH", "/upload/resumable/x"), ("DELETE", "/upload/resumable/x"),
        ("POST", "/object/upload/sign/media/new.txt"), ("PUT", "/object/upload/sign/media/new.txt"),
        ("POST", "/auth/v1/otp"), ("POST", "/auth/v1/token"),
    ])
    func whatChangesIsRefusedBeforeItsBodyIsRead(_ method: String, _ target: String) async throws {
        try await Self.with { site, depot, folder in
            let before = try Self.state(folder.path)
            let isRead = Shared(false)
            let body = RequestBody(length: 5) { () throws(BodyFailure) in
                isRead.change { $0 = true }
                throw .lost
            }
            let answer = try await Answer(
                await depot.answer(
                    Request(
                        method: method, target: target, headers: ["Authorization": "Bearer \(Site.service)"],
                        body: body)))
            #expect(answer.refusal == "503 DatabaseReadOnly: The storage can only be read: mount its disk for writing")
            #expect(answer.status == 503)
            #expect(!isRead.value)
            #expect(try Self.state(folder.path) == before)
        }
    }

    /// A way that no route goes fails all the same.
    @Test func theIndexTakesNoChange() async throws {
        try await Self.with { _, depot, folder in
            let error = await #expect(throws: ReadOnlyFolder.self) {
                try await depot.change { try $0.execute("DELETE FROM objects") }
            }
            #expect(error?.description.hasPrefix("\(folder.path.display) can only be read") == true)
            try await depot.index.writer.noteClean()
            #expect(try await depot.index.read { try $0.count(of: "objects") } == 1)
        }
    }

    @Test func aWholeServerReadsAndWritesNothing() async throws {
        try await Self.with { _, _, folder in
            folder.unlock()
            let before = try Self.state(folder.path)
            let server = try StorageServer(
                DataFolder(folder.path, secret: Site.secret) { _ in Self.refusal }, listening: [])
            #expect(server.isReadOnly && server.findings.count == 1)
            try server.start()
            let port = try #require(server.port, "no socket can be made in the folder")
            let client = HTTPClient()
            let storage = StorageClient(
                endpoint: StorageEndpoint(base: "http://127.0.0.1:\(port)"),
                credentials: StorageCredentials(key: server.serviceKey), transport: client)
            #expect(try await storage.list(bucket: "media").objects.map(\.key) == ["a/b.txt"])
            let bytes = try await storage.download(bucket: "media", key: "a/b.txt", to: .memory(limit: 100)).body
            #expect(bytes == Array("hello".utf8))
            let error = await #expect(throws: StorageError.self) {
                try await storage.delete(bucket: "media", key: "a/b.txt")
            }
            #expect(error?.refusal?.code == .databaseReadOnly)
            client.close()
            await server.stop()
            #expect(try Self.state(folder.path) == before)
        }
    }
}

/// One process writes, also where others only read.
@Suite struct ReadOnlyLockTests {
    private static let secret = String(repeating: "s", count: 40)
    private static let refusal = SystemError(call: "access", code: 30)

    private static func reader(_ path: FilePath) throws -> DataFolder {
        try DataFolder(path, secret: secret) { _ in refusal }
    }

    private static func with(_ body: (FilePath) throws -> Void) async throws {
        try await FileTree().withDirectory { path in
            let folder = try DataFolder(path, secret: secret)
            _ = try IndexSchema.open(folder.index)
            folder.unlock()
            try body(path)
        }
    }

    @Test func readersShareAFolderAndKeepWritersOut() async throws {
        try await Self.with { path in
            let (one, two) = (try Self.reader(path), try Self.reader(path))
            #expect(one.isReadOnly && two.isReadOnly)
            #expect(throws: StorageFolderInUse.self) { try DataFolder(path, secret: Self.secret) }
            one.unlock()
            #expect(throws: StorageFolderInUse.self) { try DataFolder(path, secret: Self.secret) }
            two.unlock()
            #expect(try !DataFolder(path, secret: Self.secret).isReadOnly)
        }
    }

    /// Its disk may be mounted a second time, where it can be written.
    @Test func aWriterKeepsReadersOut() async throws {
        try await Self.with { path in
            let writer = try DataFolder(path, secret: Self.secret)
            #expect(throws: StorageFolderInUse.self) { try Self.reader(path) }
            writer.unlock()
            _ = try Self.reader(path)
        }
    }

    @Test(arguments: ["lock", "index.sqlite"])
    func whatWasNeverServedCannotBeRead(missing: FilePath) async throws {
        try await Self.with { path in
            try Directory(path).remove(file: missing)
            #expect(throws: Self.refusal) { try Self.reader(path) }
            #expect(try FileFacts.existing(path.appending(missing)) == nil)
        }
    }

    @Test(arguments: [Int64(4), 6])
    func anIndexOfAnotherVersionIsNotReadWrongly(version: Int64) async throws {
        try await Self.with { path in
            let folder = try Self.reader(path)
            try IndexSchema.open(folder.index).execute("PRAGMA user_version = \(version)")
            let error = #expect(throws: UnsupportedIndex.self) { try Index(reading: folder.index, of: path) }
            #expect(error?.description.contains(version < 5 ? "mount its disk for writing once" : "update it") == true)
        }
    }

    @Test func theKeysStayAsTheyAre() async throws {
        try await Self.with { path in
            try Self.reader(path).publish(service: "new", anonymous: "new")
            #expect(try FileFacts.existing(path.appending("service.key")) == nil)
        }
    }
}

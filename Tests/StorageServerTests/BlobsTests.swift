import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore
@testable import StorageServer

@Suite struct BlobsTests {
    @Test func aCopyLivesWithoutItsOriginal() async throws {
        let site = try Site()
        let blobs = site.depot.blobs
        let first = try await blobs.receive([1, 2, 3]).version
        let second = try await blobs.copy(first) { IndexedObject($0, key: "copy") }
        await blobs.remove(first)
        #expect(try await blobs.open(first) == nil)
        #expect(try await blobs.open(second.version)?.readAll() == [1, 2, 3])
        #expect(try blobs.row(of: second.version) == second)
        #expect(try site.blobs() == [second.version])
    }

    /// Where the file system has no hard links, or no more of them.
    @Test func bytesAreCopiedWhereTheyCannotBeShared() async throws {
        let site = try Site()
        let blobs = site.depot.blobs
        let bytes = Randomness.bytes(2_500_000)
        let first = try await blobs.receive(bytes).version
        let copy = try await blobs.copyBytes(of: first, as: String(first.reversed())) { IndexedObject($0) }
        #expect(try await blobs.open(copy.version)?.readAll() == bytes)
        #expect(copy.content.eTag == "\"\(MD5.hash(bytes).hexadecimal)\"")
        #expect(try blobs.row(of: copy.version) == copy)
    }

    @Test func whatIsNotThereIsNotCopied() async throws {
        let site = try Site()
        await #expect(throws: SystemError.self) { try await site.depot.blobs.copy("00-none") { IndexedObject($0) } }
        #expect(try site.blobs() == [])
        try await site.makeBucket("b")
        try await site.upload("b/a")
        await site.depot.blobs.remove(try await site.object("b", "a").version)
        let copy: JSON = ["bucketId": "b", "sourceKey": "a", "destinationKey": "c"]
        let answer = try await site.post("/object/copy", copy)
        #expect(answer.refusal == "404 NoSuchKey: The resource was not found")
    }

    /// A bit flipped on the disk: the copy is described by its real bytes.
    @Test func aCopyIsDescribedByTheBytesThatWereCopied() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a", "hello")
        let version = try await site.object("b", "a").version
        let blob = try Directory(site.folder.appending("objects/\(version.prefix(2))")).open(writing: FilePath(version))
        try blob.write([UInt8(ascii: "j")], at: 0)
        let copy: JSON = ["bucketId": "b", "sourceKey": "a", "destinationKey": "c"]
        #expect(try await site.post("/object/copy", copy).json["metadata"]?["eTag"]?.string == Self.eTag("jello"))
        #expect(try await site.object("b", "a").content.eTag == Self.eTag("hello"))
        #expect(try await site.object("b", "c").content.eTag == Self.eTag("jello"))
    }

    private static func eTag(_ text: String) -> String { "\"\(MD5.hash(Array(text.utf8)).hexadecimal)\"" }

    @Test func theHashIsOfAllBytesInOrder() async throws {
        let site = try Site()
        for count in [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20] {
            let pieces = Shared(
                stride(from: 0, to: count, by: 70_000).map { start in
                    (start..<min(start + 70_000, count)).map { UInt8(truncatingIfNeeded: $0 &* 13) }
                })
            let body = RequestBody(length: nil) { () throws(BodyFailure) in
                pieces.change { $0.isEmpty ? nil : $0.removeFirst() }
            }
            let stored = try await site.depot.blobs.receive(body) { { IndexedObject($0) } }.content
            #expect(stored.size == Int64(count))
            let md5 = MD5.hash((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13) })
            #expect(stored.eTag == "\"\(md5.hexadecimal)\"")
        }
    }

    /// One client reads while another replaces: every answer is one of the contents, whole.
    @Test func aReaderSeesTheOldOrTheNew() async throws {
        let site = try Site()
        try await site.makeBucket("b", isPublic: true)
        let contents = (0..<4).map { String(repeating: "\($0)", count: 50_000 + $0) }
        try await site.upload("b/a", contents[0])
        let copy: JSON = ["bucketId": "b", "sourceKey": "a", "destinationKey": "c"]
        try await withThrowingTaskGroup { group in
            group.addTask {
                for _ in 0..<20 {
                    let answer = try await site.send("POST", "/object/copy", copy, ["x-upsert": "true"])
                    #expect(answer.status == 200)
                    let bytes = try await site.get("/object/public/b/c", as: nil).text
                    #expect(contents.contains(bytes))
                }
            }
            for writer in 1...3 {
                group.addTask {
                    for _ in 0..<10 { try await site.upload("b/a", contents[writer], method: "PUT") }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<20 {
                        let answer = try await site.get("/object/public/b/a", as: nil)
                        #expect(contents.contains(answer.text))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await site.blobs() == site.versions())
    }
}

extension Blobs {
    /// Stores `bytes` as a blob with an arbitrary row.
    fileprivate func receive(_ bytes: [UInt8]) async throws -> IndexedObject {
        try await receive(RequestBody(bytes)) { { IndexedObject($0) } }
    }
}

@Suite struct NewestNoteTests {
    @Test func aNoteSaysWhatTheServerBeforeLeft() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let first = try NewestNote(in: directory.path)
        #expect(first.before == nil)
        try first.begin(at: 7)
        #expect(try NewestNote(in: directory.path).before == NewestNote.Text(number: 7, isClean: false))
        try first.note(1_795_199_805_000_001)
        #expect(try NewestNote(in: directory.path).before?.number == 1_795_199_805_000_001)
        try first.end(at: 9)
        #expect(try NewestNote(in: directory.path).before == NewestNote.Text(number: 9, isClean: true))
    }

    @Test(
        arguments: [
            Fact("a clean end leaves nothing to look for", .init(number: 5, isClean: true), Settlement.Extent.debts),
            Fact("a kill may leave blobs without a row", .init(number: 5, isClean: false), .unnamed),
            Fact("a power cut leaves the note behind", .init(number: 4, isClean: true), .unnamed),
            Fact("an index with less than the note is older", .init(number: 6, isClean: true), .everything),
            Fact("the same after a kill", .init(number: 6, isClean: false), .everything),
            Fact("nothing is known without a note", nil, .everything),
        ] as [Fact<NewestNote.Text?, Settlement.Extent>])
    func howFarAStartLooks(_ fact: Fact<NewestNote.Text?, Settlement.Extent>) {
        #expect(Settlement.extent(5, fact.input, isUpgrade: false) == fact.output)
        #expect(Settlement.extent(5, fact.input, isUpgrade: true) == .everything)
    }
}

@Suite struct DataFolderTests {
    private func inFolder(_ body: (FilePath) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        try body(directory.path.appending("data"))
    }

    @Test func aLostSecretIsReplaced() throws {
        try inFolder { path in
            let first = try DataFolder(path, secret: nil)
            first.unlock()
            try LocalDisk(directory: path).replace("secret", with: Array("\n".utf8))
            let second = try DataFolder(path, secret: nil)
            #expect(second.secret.count == 64)
            #expect(second.secret != first.secret)
        }
    }

    @Test func aFolderIsFreeOnceItIsUnlocked() throws {
        try inFolder { path in
            let first = try DataFolder(path, secret: Site.secret)
            #expect(throws: StorageFolderInUse.self) { try DataFolder(path, secret: Site.secret) }
            first.unlock()
            _ = try DataFolder(path, secret: Site.secret)
        }
    }

    @Test(arguments: [(31, false), (32, true)])
    func aSecretHasAtLeast32Characters(length: Int, isTaken: Bool) throws {
        try inFolder { path in
            let secret = String(repeating: "s", count: length)
            let given = Result { try DataFolder(path, secret: secret) }
            #expect(((try? given.get()) != nil) == isTaken)
            try? given.get().unlock()
            try Directory.create(at: path)
            try LocalDisk(directory: path).replace("secret", with: Array("\(secret)\n".utf8))
            let kept = Result { try DataFolder(path, secret: nil) }
            #expect((try? kept.get().secret) == (isTaken ? secret : nil))
        }
    }

    /// A secret that came with a file of another system is the same secret: all tokens hang on it.
    @Test(arguments: ["", "\n", "\r\n", "\r", "\n\n", "\r\nanother line\r\n"])
    func aSecretEndsWithItsLine(end: String) throws {
        try inFolder { path in
            let secret = String(repeating: "s", count: 40)
            try Directory.create(at: path)
            try LocalDisk(directory: path).replace("secret", with: Array("\(secret)\(end)".utf8))
            let folder = try DataFolder(path, secret: nil)
            #expect(Array(folder.secret.utf8) == Array(secret.utf8))
        }
    }

    @Test func aPathThatIsNoTextIsAnErrorOfItsOwn() throws {
        try inFolder { path in
            let folder = try DataFolder(path.appending([0xFF]), secret: Site.secret)
            #expect(throws: SystemError.self) { try folder.index }
        }
    }
}

@Suite struct RequestLogTests {
    @Test(arguments: [
        ("/object/a?download=x", "/object/a?download=x"), ("/object/sign/b/k?token=a.b.c", "/object/sign/b/k?token=…"),
        ("/object/sign/b/k?x=1&token=a&download=", "/object/sign/b/k?x=1&token=…&download="),
        ("/object/sign/b/k?download=token=1&token=secret", "/object/sign/b/k?download=token=…&token=…"),
        ("/object/sign/b/token=1&2.jpg?token=secret", "/object/sign/b/token=…&2.jpg?token=…"),
        ("/object/sign/b/k?token=secret&token=other", "/object/sign/b/k?token=…&token=…"),
        ("/object/sign/b/k?%74oken=secret", "/object/sign/b/k?%74oken=…"), ("/object/a?token", "/object/a?token"),
    ])
    func tokensAreNotWritten(target: String, written: String) {
        #expect(RequestLog.redacted(target) == written)
    }
}

import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct BlobsTests {
    @Test func aCopyLivesWithoutItsOriginal() async throws {
        let site = try Site()
        let blobs = site.depot.blobs
        let first = try await blobs.receive(RequestBody([1, 2, 3])).version
        let second = try await blobs.copy(first)
        await blobs.remove(first)
        #expect(try await blobs.open(first) == nil)
        #expect(try await blobs.open(second)?.readAll() == [1, 2, 3])
        #expect(try site.blobs() == [second])
    }

    /// Where the file system has no hard links, or no more of them.
    @Test func bytesAreCopiedWhereTheyCannotBeShared() async throws {
        let site = try Site()
        let blobs = site.depot.blobs
        let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let first = try await blobs.receive(RequestBody(bytes)).version
        let copy = String(first.reversed())
        try Directory.create(at: site.folder.appending("objects/\(copy.prefix(2))"))
        try blobs.copyBytes(of: first, to: copy)
        #expect(try await blobs.open(copy)?.readAll() == bytes)
    }

    @Test func whatIsNotThereIsNotCopied() async throws {
        let site = try Site()
        await #expect(throws: SystemError.self) { try await site.depot.blobs.copy("00-none") }
        #expect(try site.blobs() == [])
    }

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
            let stored = try await site.depot.blobs.receive(body)
            #expect(stored.size == Int64(count))
            #expect(stored.md5 == MD5.hash((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13) }))
        }
    }

    /// Somebody reads while somebody else replaces: every answer is one of the contents, whole.
    @Test func aReaderSeesTheOldOrTheNew() async throws {
        let site = try Site()
        try await site.makeBucket("b", isPublic: true)
        let contents = (0..<4).map { String(repeating: "\($0)", count: 50_000 + $0) }
        try await site.upload("b/a", contents[0])
        try await withThrowingTaskGroup { group in
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

    @Test func theNoteOfACleanEndHoldsOnceAndForThatEndOnly() throws {
        try inFolder { path in
            let end = RowJournal.Mark(id: "j", number: 3, offset: 99)
            let first = try DataFolder(path, secret: Site.secret)
            #expect(!first.wasLeftClean(at: end))
            try first.noteClean(at: end)
            first.unlock()
            let second = try DataFolder(path, secret: Site.secret)
            #expect(second.wasLeftClean(at: end))
            #expect(!second.wasLeftClean(at: RowJournal.Mark(id: "j", number: 2, offset: 50)))
            second.unlock()
            #expect(try !DataFolder(path, secret: Site.secret).wasLeftClean(at: end))
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
    ])
    func tokensAreNotWritten(target: String, written: String) {
        #expect(RequestLog.redacted(target) == written)
    }
}

@Suite struct ListingCursorTests {
    @Test(arguments: [
        ListingCursor(last: "a"), ListingCursor(last: "a b/ü", order: "desc"),
        ListingCursor(last: "a", order: "asc", column: "created_at", time: "2026-11-20T18:36:45.278Z"),
    ])
    func aCursorIsReadAsItWasWritten(_ cursor: ListingCursor) throws {
        var expected = cursor
        expected.order = cursor.order ?? "asc"
        #expect(try ListingCursor(encoded: cursor.encoded) == expected)
    }
}

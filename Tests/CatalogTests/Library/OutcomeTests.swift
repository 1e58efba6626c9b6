import Foundation
import Platform
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Queue

@Suite struct OutcomeTests {
    private static let now = Date(timeIntervalSince1970: 1_795_168_800)

    /// A queue that was damaged may bring back an item that was stored before its file changed.
    @Test(arguments: [("one", Asset.State.stored), ("before", .seen)])
    func onlyAnItemOfItsBytesSaysThatAFileIsStored(content: String, state: Asset.State) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let observation = Observation(
                name: FilePath("a.jpg").name, size: 3, modifiedAt: FileTime(Self.now))
            _ = try await library.merge(observation, at: "a.jpg", root: root.id, origin: .backlog, now: Self.now)
            let seen = try #require(try await library.asset(root: root.name, path: "a.jpg"))
            let reading = Reading.identified(
                sha256: SHA256.hash("one".utf8).hexadecimal, type: "image/jpeg", next: .queued, note: nil)
            try await library.settle(seen, as: reading)
            let item = Item(
                root: root.name, path: "a.jpg", role: .original, contentType: "image/jpeg",
                size: Int64(content.utf8.count), sha256: SHA256.hash(content.utf8).hexadecimal,
                modifiedAt: FileTime(Self.now), bucket: "media", objectKey: ObjectKey(root: root.name, path: "a.jpg"),
                now: Self.now)
            try await library.settle(stored: item)
            #expect(try await library.asset(root: root.name, path: "a.jpg")?.state == state)
        }
    }

    /// A file that is cancelled or deleted while it is read stays so, however the reading ends.
    @Test(
        arguments: [
            .unreadable(Item.Failure(code: .file("EIO"), message: "Input/output error", retryable: true)), .changed,
            .ignored(reason: "no media"),
            .identified(sha256: SHA256.hash("one".utf8).hexadecimal, type: "image/jpeg", next: .queued, note: nil),
        ] as [Reading], [Asset.State.excluded, .gone])
    func whatHappensMeanwhileIsNotUndoneByTheEndOfAReading(reading: Reading, state: Asset.State) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let observation = Observation(name: FilePath("a.jpg").name, size: 3, modifiedAt: FileTime(Self.now))
            _ = try await library.merge(observation, at: "a.jpg", root: root.id, origin: .backlog, now: Self.now)
            let taken = try #require(try await library.take(1).first)
            if state == .gone { try await library.miss([taken.place]) } else { try await library.exclude([taken]) }
            try await library.settle(taken, as: reading)
            #expect(try await library.asset(root: root.name, path: "a.jpg")?.state == state)
        }
    }

    /// What was asked for while a file was being read is not lost with the end of that reading.
    @Test(
        arguments: [(nil, nil, Asset.State.queued), (nil, 5.0, .seen), (1.0, nil, .queued), (1.0, 5.0, .seen)]
            as [(Double?, Double?, Asset.State)])
    func aFileThatIsReadIsReadOnceMoreForALaterOrder(
        before: Double?, meanwhile: Double?, state: Asset.State
    ) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let observation = Observation(name: FilePath("a.jpg").name, size: 3, modifiedAt: FileTime(Self.now))
            _ = try await library.merge(observation, at: "a.jpg", root: root.id, origin: .backlog, now: Self.now)
            let seen = try #require(try await library.asset(root: root.name, path: "a.jpg"))
            try await library.request([seen], orderedAt: before.map(Self.now.addingTimeInterval))
            let taken = try #require(try await library.take(1).first)
            try await library.request([taken], orderedAt: meanwhile.map(Self.now.addingTimeInterval))
            #expect(try await library.take(1).isEmpty)
            let reading = Reading.identified(
                sha256: SHA256.hash("one".utf8).hexadecimal, type: "image/jpeg", next: .queued, note: nil)
            try await library.settle(taken, as: reading)
            let settled = try #require(try await library.asset(root: root.name, path: "a.jpg"))
            #expect(settled.state == state)
            #expect(settled.forcedAt == meanwhile.map { FileTime(Self.now.addingTimeInterval($0)) })
        }
    }
}

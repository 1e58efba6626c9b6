import Fixtures
import Foundation
import MediaModel
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog

@Suite struct ReceiptTests {
    private static let made = Date(timeIntervalSince1970: 1_800_000_000)
    private static let item = Item(
        root: "Pictures", path: "a.jpg", role: .original, contentType: "image/jpeg", size: 3, sha256: "a1",
        modifiedAt: FileTime(made), bucket: "media", objectKey: ObjectKey(text: "Pictures/a.jpg"), now: made)

    private static let denied = Item.Failure(code: .file("EACCES"), message: "Permission denied", retryable: false)

    /// A crash may take back that a file was read, and not its item.
    ///
    /// If the file is not read again, it gets no pictures.
    @Test(arguments: [
        (String?("a1"), false, Asset.State.stored), (nil, false, .seen), ("a1", true, .stored), (nil, true, .seen),
        ("b2", true, .seen),
    ])
    func aReceiptMarksAFileThatWasRead(_ content: String?, isUnreadable: Bool, _ state: Asset.State) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await library.see(Self.item, below: root, isRead: false)
            let asset = try #require(try await library.asset(root: root.name, path: "a.jpg"))
            if let content {
                let reading = Reading.identified(sha256: content, type: "image/jpeg", next: .queued, note: nil)
                try await library.settle(asset, as: reading)
            }
            if isUnreadable { try await library.settle(asset, as: .unreadable(Self.denied)) }
            let receipt = Receipt(
                destination: "here", key: Self.item.objectKey, role: .original, item: Self.item.id, sha256: "a1",
                size: 3, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Self.made)
            try await library.record([(receipt, Self.item)])
            #expect(try await library.asset(root: root.name, path: "a.jpg")?.state == state)
        }
    }

    /// A root knows its disk for as long as it has had files, though the last of them went to another root.
    @Test func aRootWhoseLastFileMovedAwayHasHadFiles() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            #expect(try await !library.knowsFiles(below: root.id))
            let file = Observation(name: FilePath("a.jpg").name, size: 3, modifiedAt: FileTime(Self.made))
            _ = try await library.merge(file, at: "a.jpg", root: root.id, origin: .backlog, now: Self.made)
            let receipt = Receipt(
                destination: "here", key: Self.item.objectKey, role: .original, item: Self.item.id, sha256: "a1",
                size: 3, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Self.made)
            try await library.record([(receipt, Self.item)])
            _ = try await library.merge(nil, at: "a.jpg", root: root.id, origin: .backlog, now: Self.made)
            try await library.forgetMoved(receipt, to: ObjectKey(text: "Elsewhere/a.jpg"))
            #expect(try await library.asset(root: root.name, path: "a.jpg") == nil)
            #expect(try await library.knowsFiles(below: root.id))
        }
    }

    /// An item is replaced while its retry is under way: its first request may arrive after all that followed.
    @Test(arguments: [
        ("its retry is stored", ["a1"], 1.0, ["a1"]),
        ("what replaced it is stored, too", ["a1", "b2"], 1.0, ["a1"]),
        ("its time is over", ["a1", "b2"], 600.0, []),
    ])
    func aRequestThatWasGivenUpIsExpected(_ why: String, stored: [String], after: Double, expected: [String])
        async throws
    {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let file = Observation(name: FilePath("a.jpg").name, size: 3, modifiedAt: FileTime(Self.made))
            _ = try await library.merge(file, at: "a.jpg", root: root.id, origin: .backlog, now: Self.made)
            var replaced = Self.item
            replaced.lastAttemptAt = Self.made
            try await library.remember(replaced, destination: "here")
            for sha256 in stored {
                let item = Item(
                    root: "Pictures", path: "a.jpg", role: .original, contentType: "image/jpeg", size: 3,
                    sha256: sha256,
                    modifiedAt: FileTime(Self.made), bucket: "media", objectKey: replaced.objectKey, now: Self.made)
                let receipt = Receipt(
                    destination: "here", key: item.objectKey, role: .original, item: item.id, sha256: sha256, size: 3,
                    objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Self.made + after)
                try await library.record([(receipt, item)])
            }
            #expect(try await library.attempts(at: replaced.objectKey, destination: "here").map(\.sha256) == expected)
        }
    }

    /// The object of a receipt is found to hold other bytes while a second request with the same bytes is on its way.
    @Test func aLeftoverWhoseRequestMayStillArriveStaysExpected() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            var item = Self.item
            item.lastAttemptAt = Self.made
            let receipt = Receipt(
                destination: "here", key: item.objectKey, role: .original, item: item.id, sha256: item.sha256, size: 3,
                objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Self.made)
            func attempts() async throws -> [Attempt] {
                try await library.attempts(at: item.objectKey, destination: "here")
            }
            try await library.disprove(receipt)
            #expect(try await attempts().map(\.state) == [.there])
            try await library.remember(item, destination: "here")
            try await library.disprove(receipt)
            #expect(try await attempts().map(\.state) == [.unknown])
            #expect(try await attempts().map(\.notedAt) == [Self.made])
        }
    }

    /// A picture of a former content may be proven last, in another format than that of the present one.
    @Test(arguments: [(0.0, 0.0), (0, 60), (60, 0)])
    func thePictureThatWasMadeLastIsTheFirst(_ former: Double, _ present: Double) async throws {
        let shelf = try await Shelf()
        try await shelf.store(Shelf.item("a.jpg"))
        var made = [Shelf.item("a.jpg", role: .thumbnail(512)), Shelf.item("a.jpg", role: .thumbnail(512))]
        made[1] = Shelf.item("a.jpg", content: "present", role: .thumbnail(512), made: Shelf.now + 1)
        made[1].objectKey = ObjectKey(thumbnail: 512, of: ObjectKey(root: "Pictures", path: "a.jpg"), format: .webp)
        for (item, seconds) in zip(made, [former, present]) {
            try await shelf.store(item, Shelf.receipt(item, verified: Shelf.now + seconds))
        }
        let receipts = try await shelf.library.fileRecord(root: "Pictures", path: "a.jpg")?.receipts
        #expect(receipts?.dropFirst().map(\.item) == [made[1].id, made[0].id])
    }

    /// The object of its picture is moved to another name of the same content, while the file is back.
    @Test(arguments: [(true, Asset.Pictures.wanted), (false, .made)])
    func aFileThatLosesItsPictureToAnotherNameIsOwedOne(isBack: Bool, expected: Asset.Pictures) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let file = Observation(name: FilePath("a.jpg").name, size: 3, modifiedAt: FileTime(Self.made))
            _ = try await library.merge(file, at: "a.jpg", root: root.id, origin: .backlog, now: Self.made)
            func receipt(_ item: Item) -> Receipt {
                Receipt(
                    destination: "here", key: item.objectKey, role: item.role, item: item.id, sha256: item.sha256,
                    size: 3, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Self.made)
            }
            let picture = Item(
                root: "Pictures", path: "a.jpg", role: .thumbnail(512), contentType: "image/jpeg", size: 3,
                sha256: "c3",
                modifiedAt: FileTime(Self.made), bucket: "media", objectKey: ObjectKey(text: "a.jpg.jpg"),
                now: Self.made)
            try await library.record([(receipt(Self.item), Self.item), (receipt(picture), picture)])
            let place = try #require(try await library.asset(root: root.name, path: "a.jpg")).place
            try await library.setPictures(of: place, to: .made)
            if !isBack {
                _ = try await library.merge(nil, at: "a.jpg", root: root.id, origin: .backlog, now: Self.made)
            }
            try await library.forgetMoved(receipt(picture), to: ObjectKey(text: "b.jpg.jpg"))
            #expect(try await library.fileRecord(root: root.name, path: "a.jpg")?.pictures == expected)
        }
    }
}

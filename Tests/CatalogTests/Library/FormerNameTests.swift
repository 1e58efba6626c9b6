import Fixtures
import Foundation
import Platform
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Queue

/// Which objects count as stored under a former name of a file.
@Suite struct FormerNameTests {
    /// How an object got its receipt.
    enum Way: CaseIterable, Sendable { case sent, moved }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var isFileHere = false
        /// Whether the file that has the same bytes in storage is here; `nil` where there is none.
        var isOtherHere: Bool?
        let isOutdated: Bool
    }

    @Test(
        arguments: [
            Row(testDescription: "its bytes are stored as another file", isOtherHere: true, isOutdated: true),
            Row(testDescription: "both files are here", isFileHere: true, isOtherHere: true, isOutdated: false),
            Row(testDescription: "both files are gone", isOtherHere: false, isOutdated: false),
            Row(testDescription: "its bytes are stored nowhere else", isOutdated: false),
        ], Way.allCases)
    func whatIsOfAFormerName(_ row: Row, _ way: Way) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            try await library.setDestination(Self.destination)
            let root = try await library.root(at: folder).root
            if let isOtherHere = row.isOtherHere {
                try await store("other.jpg", root, library)
                if !isOtherHere { try await miss("other.jpg", root, library) }
            }
            let item = try await see("former.jpg", root, library)
            if !row.isFileHere { try await miss("former.jpg", root, library) }
            switch way {
            case .sent: try await library.record([(Self.receipt(item), item)])
            case .moved:
                let before = try await store("before.jpg", root, library)
                try await miss("before.jpg", root, library)
                try await library.noteMove(
                    of: item, from: before.objectKey, destination: Self.destination, at: Shelf.now)
                let move = try #require(
                    try await library.unsettledMoves(from: before.objectKey, destination: Self.destination).first)
                try await library.settle(
                    moved: move, from: Self.receipt(before), held: Self.held, at: Date())
            }
            let outdated = try await library.outdatedObjects(isOriginal: true, destination: Self.destination)
            #expect(outdated.map(\.duplicate.receipt.key) == (row.isOutdated ? [item.objectKey] : []))
            let without = [row.isFileHere, row.isOtherHere ?? true].count { !$0 }
            #expect(try await library.counts()[.remoteOnly] == without)
        }
    }

    /// Between the server's answer and the receipt's line in the library an equal item may be made.
    @Test func aReceiptIsDatedWhenItIsWrittenDown() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder).root
            let item = try await see("a.jpg", root, library)
            let written = Date(timeIntervalSince1970: 1_900_000_000)
            try await library.record([(Self.receipt(item), item)], clock: { written })
            let receipt = try await library.receipt(destination: Self.destination, key: item.objectKey)
            #expect(receipt?.verifiedAt == written)
        }
    }

    /// Another item for the former name is withdrawn, since the file was there for a moment only.
    @Test func whatIsOfAFormerNameStaysSoWhateverIsWithdrawnThere() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder).root
            let item = try await see("former.jpg", root, library)
            let receipt = Self.receipt(item)
            try await library.record([(receipt, item)])
            try await library.outdate(receipt)
            let again = try await see("former.jpg", root, library)
            try await library.remember(again, destination: Self.destination)
            try await miss("former.jpg", root, library)
            let outdated = try await library.outdatedObjects(isOriginal: true, destination: Self.destination)
            #expect(outdated.map(\.duplicate.receipt.key) == [item.objectKey])
            // Without its receipt the object is an ordinary leftover.
            try await library.forget(receipt)
            #expect(try await library.outdatedObjects(isOriginal: true, destination: Self.destination).isEmpty)
            #expect(
                try await library.doubtfulAttempts(destination: Self.destination, count: 9).map(\.key) == [
                    item.objectKey
                ])
        }
    }

    /// The scan that will notice the deletion has not run yet.
    @Test func whatIsOfAFormerNameStaysSoUntilItsFileIsMissed() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder).root
            let item = try await store("former.jpg", root, library)
            try await library.outdate(Self.receipt(item))
            for isStored in [true, false] {
                let outdated = try await library.outdatedObjects(isOriginal: true, destination: Self.destination)
                #expect(outdated.map(\.isStored) == [isStored])
                try await miss("former.jpg", root, library)
            }
        }
    }

    /// The marked object is deleted in any case, and the other one would stay.
    @Test func whatIsNotOfAFormerNameYetIsMovedFirst() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder).root
            for name in ["a.jpg", "b.jpg"] as [FilePath] {
                let item = try await store(name, root, library)
                try await miss(name, root, library)
                if name == "a.jpg" { try await library.outdate(Self.receipt(item)) }
            }
            let item = try await see("c.jpg", root, library)
            let duplicates = try await library.duplicates(of: item, destination: Self.destination)
            #expect(duplicates.map(\.path) == ["b.jpg", "a.jpg"])
        }
    }

    /// The object of a file with other bytes now is about to be replaced.
    @Test func whatAFileStillHoldsIsCopiedFirst() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder).root
            for name in ["a.jpg", "b.jpg"] as [FilePath] { try await store(name, root, library) }
            let changed = Observation(name: Array("a.jpg".utf8), size: 4, modifiedAt: FileTime(Date()))
            _ = try await library.merge(changed, at: "a.jpg", root: root.id, origin: .arrival, now: Date())
            let item = try await see("c.jpg", root, library)
            let duplicates = try await library.duplicates(of: item, destination: Self.destination)
            #expect(duplicates.map(\.path) == ["b.jpg", "a.jpg"])
        }
    }

    /// Where no file has the content, a rename that was not seen yet may bring it back.
    @Test(arguments: [true, false])
    func picturesAreStrayBesideAFileThatIsHereOrAny(_ isOtherHere: Bool) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: folder).root
            let former = try await see("former.jpg", root, library)
            let picture = Item(
                root: root.name, path: "former.jpg", role: .thumbnail(512), contentType: "image/jpeg", size: 2,
                sha256: SHA256.hash("picture".utf8).hexadecimal, modifiedAt: former.modifiedAt, bucket: "media",
                objectKey: ObjectKey(thumbnail: 512, of: former.objectKey, prefix: ""), now: Date())
            try await library.record([(Self.receipt(former), former), (Self.receipt(picture), picture)])
            try await library.forget(Self.receipt(former))
            try await miss("former.jpg", root, library)
            try await store("other.jpg", root, library)
            if !isOtherHere { try await miss("other.jpg", root, library) }
            let strays = try await library.strayPictures(destination: Self.destination)
            #expect(strays.map(\.duplicate.receipt.key) == [picture.objectKey])
            #expect(strays.map(\.isHere) == [isOtherHere])
        }
    }

    private static let destination = "here"
    private static let content = SHA256.hash("one".utf8).hexadecimal
    private static let held = HeldObject(id: nil, size: 3, eTag: nil, version: nil, updatedAt: nil)

    private static func receipt(_ item: Item) -> Receipt {
        Receipt(
            destination: destination, key: item.objectKey, role: item.role, item: item.id, sha256: item.sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Date())
    }

    /// An item of a file that the library has seen and read.
    private func see(_ name: FilePath, _ root: KnownRoot, _ library: Library) async throws -> Item {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let item = Item(
            root: root.name, path: name, role: .original, contentType: "image/jpeg", size: 3, sha256: Self.content,
            modifiedAt: FileTime(now), bucket: "media", objectKey: ObjectKey(root: root.name, path: name), now: now)
        try await library.see(item, below: root)
        return item
    }

    /// The item of a file that is stored.
    @discardableResult private func store(_ name: FilePath, _ root: KnownRoot, _ library: Library) async throws -> Item
    {
        let item = try await see(name, root, library)
        try await library.record([(Self.receipt(item), item)])
        return item
    }

    private func miss(_ name: FilePath, _ root: KnownRoot, _ library: Library) async throws {
        _ = try await library.merge(nil, at: name, root: root.id, origin: .arrival, now: Date())
    }
}

import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog

/// Which files the library believes to be below a directory, which decides whether an empty mount point is believed.
@Suite struct HeldFilesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let file: FilePath
        let directory: FilePath
        let isHeld: Bool
        var testDescription: String { "\(file) \(isHeld ? "is" : "is not") in or below \"\(directory)\"" }

        init(_ file: FilePath, _ directory: FilePath, _ isHeld: Bool) {
            (self.file, self.directory, self.isHeld) = (file, directory, isHeld)
        }
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func item(_ path: FilePath, _ root: KnownRoot, size: Int64 = 3) -> Item {
        Item(
            root: root.name, path: path, role: .original, contentType: "image/jpeg", size: size,
            sha256: SHA256.hash(path.bytes).hexadecimal, modifiedAt: FileTime(now), bucket: "media",
            objectKey: ObjectKey(root: root.name, path: path), now: now)
    }

    private static func receipt(_ item: Item) -> Receipt {
        Receipt(
            destination: "https://h#media", key: item.objectKey, role: item.role, item: item.id, sha256: item.sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: now)
    }

    private func library(_ body: (Library, KnownRoot) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            try await body(library, try await library.root(at: folder).root)
        }
    }

    /// A slash is 0x2F: the names just before and behind it in byte order are other directories.
    @Test(arguments: [
        Row("a.jpg", "", true), Row("sub/a.jpg", "", true), Row("sub/a.jpg", "sub", true), Row("a.jpg", "sub", false),
        Row("sub/a.jpg", "su", false), Row("sub/a.jpg", "sub/deep", false), Row("sub/deep/a.jpg", "sub", true),
        Row("sub/deep/a.jpg", "sub/deep", true), Row("sub/deep/a.jpg", "sub/dee", false),
        Row("sub./a.jpg", "sub", false), Row("sub0/a.jpg", "sub", false), Row("sub0/deep/a.jpg", "sub", false),
    ])
    func aDirectoryHoldsWhatIsBelowItsWholeName(row: Row) async throws {
        try await library { library, root in
            try await library.see(Self.item(row.file, root), below: root)
            #expect(try await library.holdsFiles(inOrBelow: row.directory, of: root.id) == row.isHeld)
            #expect(try await !library.holdsFiles(inOrBelow: row.directory, of: root.id + 1))
            _ = try await library.merge(nil, at: row.file, root: root.id, origin: .arrival, now: Self.now)
            #expect(try await !library.holdsFiles(inOrBelow: row.directory, of: root.id))
        }
    }

    @Test func theContentsOfALibraryAreCountedByTheirTypes() async throws {
        try await library { library, root in
            #expect(try await library.contentTypes() == [:])
            #expect(try await library.largestSize() == 0)
            for (path, size) in [("a.jpg", 3), ("b.jpg", 9), ("c.jpg", 7)] as [(FilePath, Int64)] {
                try await library.see(Self.item(path, root, size: size), below: root)
            }
            try await library.see(Self.item("unread.mov", root, size: 8), below: root, isRead: false)
            #expect(try await library.contentTypes() == ["image/jpeg": 3])
            #expect(try await library.largestSize() == 9)
            _ = try await library.merge(nil, at: "b.jpg", root: root.id, origin: .arrival, now: Self.now)
            #expect(try await library.largestSize() == 8)
        }
    }

    @Test func atAnotherDestinationAllIsStoredAnew() async throws {
        try await library { library, root in
            let item = Self.item("a.jpg", root)
            try await library.see(item, below: root)
            let receipt = Self.receipt(item)
            try await library.record([(receipt, item)])
            #expect(try await library.asset(root: root.name, path: "a.jpg")?.state == .stored)
            #expect(try await library.forgetDestination() == 0)
            #expect(try await library.asset(root: root.name, path: "a.jpg")?.state == .seen)
            #expect(try await library.fact(Library.destinationFact) == nil)
            #expect(try await library.receipt(destination: receipt.destination, key: item.objectKey) != nil)
        }
    }

    /// Of a file that is gone here, another destination never had anything.
    @Test func whatIsOnlyInStorageIsSoAtItsOwnDestination() async throws {
        try await library { library, root in
            let item = Self.item("a.jpg", root)
            try await library.see(item, below: root)
            let receipt = Self.receipt(item)
            try await library.setDestination(receipt.destination)
            try await library.record([(receipt, item)])
            _ = try await library.merge(nil, at: "a.jpg", root: root.id, origin: .arrival, now: Self.now)
            for (destination, state) in [("https://i#media", Asset.State.gone), (receipt.destination, .remoteOnly)] {
                #expect(try await library.forgetDestination() == (state == .gone ? 1 : 0))
                try await library.setDestination(destination)
                let record = try #require(try await library.fileRecord(root: root.name, path: "a.jpg"))
                #expect(record.asset.state == state)
                #expect(record.receipts == (state == .gone ? [] : [receipt]))
            }
        }
    }
}

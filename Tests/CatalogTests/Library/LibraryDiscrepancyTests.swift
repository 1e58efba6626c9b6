import Catalog
import Database
import Fixtures
import Foundation
import Platform
import Queue
import Records
import TestSupport
import Testing
import Text

/// What a verification found stands until it is stored again, or found in order.
@Suite struct LibraryDiscrepancyTests {
    private static let found = Date(timeIntervalSince1970: 1_800_000_000)

    /// What happens after a listing showed one object as missing, and a download another as different.
    enum Event: Sendable {
        case nothing
        /// Another verification, which finds nothing wrong.
        case verified(isComplete: Bool, downloads: Set<String>)
        case storedAgain(String)
        case confirmed(String)
        case forgotten(String)
        case foundElsewhere
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let event: Event
        let left: [Discrepancy.Kind: Int]
        let isDeep: Bool

        init(_ fact: String, _ event: Event, _ left: [Discrepancy.Kind: Int], isDeep: Bool) {
            (testDescription, self.event, self.left, self.isDeep) = (fact, event, left, isDeep)
        }
    }

    @Test(arguments: [
        Row("both stand", .nothing, [.missing: 1, .different: 1], isDeep: true),
        Row(
            "a listing ends what a listing shows", .verified(isComplete: true, downloads: []), [.different: 1],
            isDeep: true),
        Row(
            "one that ended early ends nothing", .verified(isComplete: false, downloads: ["Pictures/b.jpg"]),
            [.missing: 1, .different: 1], isDeep: true),
        Row(
            "a download of another object ends nothing of this one",
            .verified(isComplete: true, downloads: ["Pictures/a.jpg"]), [.different: 1], isDeep: true),
        Row("a download ends both", .verified(isComplete: true, downloads: ["Pictures/b.jpg"]), [:], isDeep: false),
        Row("what is stored again is over", .storedAgain("a.jpg"), [.different: 1], isDeep: true),
        Row("so is what a download showed", .storedAgain("b.jpg"), [.missing: 1], isDeep: false),
        Row(
            "a look at its facts says nothing of its bytes", .confirmed("b.jpg"), [.missing: 1, .different: 1],
            isDeep: true),
        Row("nothing stands without its receipt", .forgotten("b.jpg"), [.missing: 1], isDeep: false),
        Row("nothing stands of a former destination", .foundElsewhere, [:], isDeep: false),
    ])
    func standsUntilItIsOver(row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let gallery = try await Gallery(in: folder)
            try await gallery.library.remember(
                [
                    Discrepancy(.missing, of: gallery.receipts[0], isDeep: false),
                    Discrepancy(.different, of: gallery.receipts[1], isDeep: true),
                ], destination: "here", isComplete: true, wasDownloaded: { _ in true }, at: Self.found)
            try await gallery.play(row.event)
            let counts = try await gallery.library.discrepancies()
            #expect(counts.byKind == row.left)
            #expect(counts.isDeep == row.isDeep)
            #expect(counts.foundAt == (row.left.isEmpty ? nil : Self.found))
        }
    }

    /// Version 10 kept nothing of the kind: a reader finds none, and a writer makes the table.
    @Test func aLibraryOfVersionTenHasNone() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            try await Library(path: path).close()
            try Connection(path: path.display).execute("DROP TABLE discrepancies; PRAGMA user_version = 10")
            let reader = try Library(path: path, isReadOnly: true)
            #expect(try await reader.discrepancies() == DiscrepancyCounts())
            try await reader.close()
            let gallery = try await Gallery(in: folder)
            try await gallery.library.remember(
                [Discrepancy(.damaged, of: gallery.receipts[0], isDeep: true)], destination: "here", isComplete: false,
                wasDownloaded: { _ in false }, at: Self.found)
            #expect(try await gallery.library.discrepancies().byKind == [.damaged: 1])
        }
    }

    /// A library with two stored files.
    private struct Gallery {
        let library: Library
        private let items: [Item]
        let receipts: [Receipt]

        init(in folder: FilePath) async throws {
            library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            items = ["a.jpg", "b.jpg"].map(Self.item)
            receipts = items.map(Self.receipt)
            for item in items { try await library.see(item, below: root, isRead: true) }
            try await library.record(Array(zip(receipts, items)))
        }

        func play(_ event: Event) async throws {
            switch event {
            case .nothing: break
            case .verified(let isComplete, let downloads):
                try await library.remember(
                    [], destination: "here", isComplete: isComplete, wasDownloaded: { downloads.contains($0) },
                    at: found + 60)
            case .storedAgain(let name):
                let again = Self.item(name)
                try await library.record([(Self.receipt(again), again)])
            case .confirmed(let name):
                let receipt = try #require(receipts.first { $0.key.text.hasSuffix(name) })
                try await library.confirm(receipt, at: found + 60)
            case .forgotten(let name):
                try await library.forget(try #require(receipts.first { $0.key.text.hasSuffix(name) }))
            case .foundElsewhere:
                try await library.remember(
                    [], destination: "elsewhere", isComplete: true, wasDownloaded: { _ in false }, at: found + 60)
            }
        }

        private static func item(_ name: String) -> Item {
            Item(
                root: "Pictures", path: FilePath(name), role: .original, contentType: "image/jpeg", size: 3,
                sha256: "a1", modifiedAt: FileTime(found), bucket: "media",
                objectKey: ObjectKey(text: "Pictures/\(name)"), now: found - 60)
        }

        private static func receipt(_ item: Item) -> Receipt {
            Receipt(
                destination: "here", key: item.objectKey, role: .original, item: item.id, sha256: "a1", size: 3,
                objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: found - 30)
        }
    }
}

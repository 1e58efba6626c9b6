import Database
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

/// What SQLite takes back by itself where the disk fails.
@Suite struct RollbackTests {
    @Test func aDirectoryThatWasTakenBackIsNotTakenForTheNextOne() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let one = try await library.root(at: "/home/Pictures").root
            let other = try await library.root(at: "/media/Portable").root
            try await library.commit()
            try await see("2024/a.jpg", in: one, library)
            try await library.loseTransaction()
            try await see("2024/b.jpg", in: other, library)
            try await see("2024/a.jpg", in: one, library)
            try await library.commit()
            #expect(try await library.fileRecord(root: other.name, path: "2024/b.jpg") != nil)
            #expect(try await library.fileRecord(root: other.name, path: "2024/a.jpg") == nil)
            #expect(try await library.fileRecord(root: one.name, path: "2024/a.jpg") != nil)
        }
    }

    @Test func aCameraThatWasTakenBackIsNotTakenForTheNextOne() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            for path in ["a.jpg", "b.jpg"] as [FilePath] { try await see(path, in: root, library) }
            try await library.commit()
            try await show("a.jpg", by: "One", in: root, library)
            try await library.loseTransaction()
            try await show("b.jpg", by: "Other", in: root, library)
            try await show("a.jpg", by: "One", in: root, library)
            #expect(try await library.namesByCamera() == ["a.jpg": "One", "b.jpg": "Other"])
        }
    }

    @Test func whatWasSentHasAReceiptThoughItsDirectoryWasTakenBack() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await library.commit()
            try await see("2024/a.jpg", in: root, library)
            try await library.loseTransaction()
            let now = Date(timeIntervalSince1970: 1_795_168_800)
            let item = Item(
                root: root.name, path: "2024/a.jpg", role: .original, contentType: "image/jpeg", size: 7,
                sha256: String(repeating: "a", count: 64), modifiedAt: FileTime(now), bucket: "media",
                objectKey: ObjectKey(root: root.name, path: "2024/a.jpg"), now: now)
            let receipt = Receipt(
                destination: "here", key: item.objectKey, role: .original, item: item.id, sha256: item.sha256, size: 7,
                objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: now)
            try await library.record([(receipt, item)])
            try await see("2024/a.jpg", in: root, library)
            let record = try #require(try await library.fileRecord(root: root.name, path: "2024/a.jpg"))
            #expect(record.receipts.map(\.item) == [item.id])
        }
    }

    @Test func filesOfADiskThatIsAwayAreNotReadAfterIt() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/media/Portable").root
            for path in ["a.jpg", "2024/b.jpg", "2025/c.jpg"] as [FilePath] { try await see(path, in: root, library) }
            try await library.commit()
            await library.beginAbsence(of: root.id, below: "2024")
            try await see("2025/c.jpg", in: root, library, size: 8)
            #expect(try await library.unread() == ["2025/c.jpg", "a.jpg"])
            try await library.loseTransaction()
            #expect(try await library.unread() == ["2025/c.jpg", "a.jpg"])
            await library.endAbsence(of: root.id)
            #expect(try await library.unread() == ["2024/b.jpg", "2025/c.jpg", "a.jpg"])
        }
    }

    @Test func whatWasFoundBeforeItIsLookedForAgain() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await see("a.jpg", in: root, library)
            let before = library.revision
            try await library.loseTransaction()
            #expect(try await library.asset(root: root.name, path: "a.jpg") == nil)
            #expect(library.revision > before)
        }
    }

    @Test func anAssetWhoseOutcomeWasTakenBackIsReadAgainUnlessItIsInHand() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            for path in ["a.jpg", "b.jpg"] as [FilePath] { try await see(path, in: root, library) }
            let taken = try await library.take(2)
            let ended = try #require(taken.first { $0.path == "a.jpg" })
            let inHand = try #require(taken.first { $0.path == "b.jpg" })
            try await library.commit()
            try await library.readAgainAfterRollback(besides: [])
            #expect(try await library.states() == ["a.jpg": .identifying, "b.jpg": .identifying])
            try await library.settle(ended, as: .ignored(reason: "for the test"))
            try await library.loseTransaction()
            try await library.readAgainAfterRollback(besides: [inHand.place])
            #expect(try await library.states() == ["a.jpg": .seen, "b.jpg": .identifying])
            // What became of it before it was let go may have been taken back, too.
            try await library.readAgainAfterRollback(besides: [])
            #expect(try await library.states() == ["a.jpg": .seen, "b.jpg": .seen])
            _ = try await library.take(2)
            try await library.readAgainAfterRollback(besides: [])
            #expect(try await library.states() == ["a.jpg": .identifying, "b.jpg": .identifying])
        }
    }

    /// Between what was learnt of a file and what became of its pictures.
    @Test func factsThatWereTakenBackAreKnownOnceThePicturesAreMade() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await see("a.jpg", in: root, library)
            let asset = try #require(try await library.take(1).first)
            try await library.commit()
            let sha256 = String(repeating: "a", count: 64)
            let facts = MediaFacts(kind: .photo, type: .jpeg)
            try await library.setFacts(facts, of: sha256, in: asset)
            try await library.loseTransaction()
            let reading = Reading.identified(
                sha256: sha256, type: "image/jpeg", next: .queued, note: nil, arePicturesDue: true)
            try await library.settle(asset, as: reading)
            #expect(try await library.content(sha256)?.facts == nil)
            try await library.setPictures(of: asset, to: .made, facts: facts, ofContent: sha256)
            #expect(try await library.content(sha256)?.facts == facts)
            #expect(try await library.fileRecord(root: root.name, path: "a.jpg")?.pictures == .made)
        }
    }

    private func show(_ path: FilePath, by camera: String, in root: KnownRoot, _ library: Library) async throws {
        let asset = try #require(try await library.asset(root: root.name, path: path))
        var facts = MediaFacts(kind: .photo, type: .jpeg)
        facts.camera = camera
        try await library.setFacts(facts, of: String(repeating: "a", count: 64), in: asset)
    }

    private func see(_ path: FilePath, in root: KnownRoot, _ library: Library, size: Int64 = 7) async throws {
        let now = Date(timeIntervalSince1970: 1_795_168_800)
        let observation = Observation(name: path.name, size: size, modifiedAt: FileTime(now))
        _ = try await library.merge(observation, at: path, root: root.id, origin: .backlog, now: now)
    }
}

extension Library {
    fileprivate func loseTransaction() throws { try database.execute("ROLLBACK") }

    fileprivate func states() throws -> [String: Asset.State] {
        let rows = try database.rows("SELECT name, state FROM assets") {
            (String(decoding: $0.blob(0), as: UTF8.self), Asset.State(rawValue: $0.integer(1)) ?? .gone)
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// What the next read would take, without taking it.
    fileprivate func unread() throws -> [String] {
        let places = try database.rows("SELECT directory, name FROM assets WHERE 1 \(try isPresent())") {
            Asset.Place(directory: $0.integer(0), name: $0.blob(1))
        }
        return try places.compactMap { try location(of: $0)?.path.display }.sorted()
    }

    fileprivate func namesByCamera() throws -> [String: String] {
        let rows = try database.rows(
            "SELECT CAST(a.name AS TEXT), c.name FROM assets a JOIN cameras c ON c.id = a.camera"
        ) { ($0.text(0), $0.text(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}

import Database
import Foundation
import MediaModel
import Platform
import Queue
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

    private func show(_ path: FilePath, by camera: String, in root: KnownRoot, _ library: Library) async throws {
        let asset = try #require(try await library.asset(root: root.name, path: path))
        var facts = MediaFacts(kind: .photo, type: .jpeg)
        facts.camera = camera
        try await library.setFacts(facts, of: String(repeating: "a", count: 64), in: asset)
    }

    private func see(_ path: FilePath, in root: KnownRoot, _ library: Library) async throws {
        let now = Date(timeIntervalSince1970: 1_795_168_800)
        let observation = Observation(name: path.name, size: 7, modifiedAt: FileTime(now))
        _ = try await library.merge(observation, at: path, root: root.id, origin: .backlog, now: now)
    }
}

extension Library {
    fileprivate func loseTransaction() throws { try database.execute("ROLLBACK") }

    fileprivate func namesByCamera() throws -> [String: String] {
        let rows = try database.rows(
            "SELECT CAST(a.name AS TEXT), c.name FROM assets a JOIN cameras c ON c.id = a.camera"
        ) { ($0.text(0), $0.text(1)) }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}

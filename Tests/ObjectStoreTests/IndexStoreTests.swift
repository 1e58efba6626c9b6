import Database
import Platform
import TestSupport
import Testing

@testable import ObjectStore

/// Objects and uploads as the index keeps them.
@Suite struct IndexStoreTests {
    /// An index with the bucket `b`, and the folder of its blobs.
    private func with(_ body: (Index, FilePath) async throws -> Void) async throws {
        try await FileTree(["objects": [:]]).withDirectory { folder in
            let objects = folder.appending("objects")
            let newest = try NewestNote(in: objects)
            let index = try Index(
                path: folder.appending("index.sqlite").display, blobs: objects, newest: newest,
                numbers: ChangeNumbers(after: 0))
            try await index.write { try $0.put(IndexedBucket(named: "b")) }
            try await body(index, objects)
        }
    }

    private func put(_ key: String, _ version: String, replacing: Bool = false, in index: Index) async throws -> [Debt]
    {
        try await index.writer.write {
            _ = try $0.store(IndexedObject(made: key, version: version), replacing: replacing)
        }.debts
    }

    struct Store: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var bucket = "b"
        var isThere = false
        var replacing = false
        let refusal: ProtocolRefusal?
    }

    @Test(arguments: [
        Store(testDescription: "a new key", refusal: nil),
        Store(testDescription: "a new key that is to be replaced", replacing: true, refusal: nil),
        Store(testDescription: "a key that is taken", isThere: true, refusal: .keyExists),
        Store(testDescription: "a key that is to be replaced", isThere: true, replacing: true, refusal: nil),
        Store(testDescription: "a bucket that is not there", bucket: "none", refusal: .noRelated),
    ])
    func whatIsStoredUnderAKey(_ row: Store) async throws {
        try await with { index, _ in
            if row.isThere { _ = try await put("a", "old", in: index) }
            var new = IndexedObject(made: "a", version: "new")
            (new.bucket, new.id, new.createdAt) = (row.bucket, "another id", 99)
            let object = new
            do {
                let (stored, debts) = try await index.writer.write {
                    try $0.store(object, replacing: row.replacing)
                }
                #expect(row.refusal == nil)
                // A replaced object keeps its id and its time, and its blobs are owed: one goes, one gets its row.
                #expect(stored.id == (row.isThere ? "id of a" : "another id"))
                #expect(stored.createdAt == (row.isThere ? 11 : 99))
                #expect(Set(debts.map(\.version)) == (row.isThere ? ["old", "new"] : []))
                #expect(debts.first { $0.version == "new" }?.row == (row.isThere ? stored : nil))
                #expect(debts.allSatisfy { $0.version == "new" || $0.row == nil })
            } catch let refusal as ProtocolRefusal {
                #expect(refusal == row.refusal)
            }
            let versions = try await index.read { try $0.rows("SELECT version FROM objects") { $0.text(0) } }
            #expect(versions == (row.refusal == nil ? ["new"] : row.isThere ? ["old"] : []))
        }
    }

    /// Unfinished uploads that are too old go with their blobs; those that became objects leave only their rows.
    @Test func oldUploadsGo() async throws {
        try await with { index, _ in
            for (version, createdAt, isFinished) in [
                ("a", 9, false), ("b", 10, false), ("c", 9, true), ("d", 11, true),
            ] {
                let upload = Upload(
                    version: version, bucket: "b", key: "k", owner: "", length: nil, metadata: "",
                    createdAt: Int64(createdAt), isFinished: isFinished)
                try await index.write { try $0.put(upload) }
            }
            let (old, debts) = try await index.writer.write { try $0.removeUploads(before: 10) }
            #expect(old == ["a"])
            #expect(debts.map(\.version) == ["a"] && debts.allSatisfy { $0.row == nil })
            for (version, isThere) in [("a", false), ("b", true), ("c", false), ("d", true)] {
                #expect((try await index.read { try $0.upload(version) } != nil) == isThere)
            }
        }
    }
}

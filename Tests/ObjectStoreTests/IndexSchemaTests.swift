import Database
import Platform
import TestSupport
import Testing

@testable import ObjectStore

/// An index that an older version wrote is brought up to date with all it holds; a newer one is refused as it is.
@Suite struct IndexSchemaTests {
    /// Rows as a version writes them that knows the columns of `found`.
    private static func rows(of found: Int64) -> String {
        var rows = """
            INSERT INTO buckets VALUES ('b','',1,100,'image/*',1,2);
            INSERT INTO objects (bucket, key, id, version, owner, created_at, updated_at, size, type, cache_control,
                etag, modified_at, robots, user_metadata)
                VALUES ('b','a','i','v','o',1,2,3,'t','c','e',4,NULL,'{}');
            """
        if found >= 2 {
            rows += """
                INSERT INTO uploads (version, bucket, key, owner, length, metadata, created_at, finished)
                    VALUES ('u','b','k','o',NULL,'m',5,0);
                """
        }
        if found >= 3 {
            rows += """
                INSERT INTO users VALUES ('i','a@example.com',1,NULL);
                INSERT INTO sessions VALUES ('s','i','otp',1);
                INSERT INTO refresh_tokens VALUES ('t','s',NULL,NULL);
                INSERT INTO codes (email, code, hash, created_at) VALUES ('a@example.com','1','h',1);
                """
        }
        return rows
    }

    private static func make(_ found: Int64, at path: String) throws {
        let old = try Connection(path: path)
        for step in IndexSchema.steps.prefix(Int(found)) { try old.execute(step) }
        if found > 0 { try old.execute(rows(of: found)) }
        try old.execute("PRAGMA user_version = \(found)")
    }

    /// What a database is made of, by name.
    private static func form(_ index: Connection) throws -> [String] {
        try index.rows("SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY 1") {
            $0.text(0)
        }
    }

    @Test(arguments: 0..<IndexSchema.version)
    func anOlderIndexKeepsWhatItHolds(found: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("index.sqlite").display
            try Self.make(found, at: path)
            let index = try IndexSchema.open(path)
            #expect(try index.first("PRAGMA user_version") { $0.integer(0) } == IndexSchema.version)
            let fresh = try IndexSchema.open(folder.appending("fresh.sqlite").display)
            #expect(try Self.form(index) == Self.form(fresh))
            guard found > 0 else { return }
            let object = try #require(try index.object("a", in: "b"))
            #expect((object.version, object.number, object.userMetadata) == ("v", 0, "{}"))
            #expect(try index.bucket("b")?.allowedTypes == ["image/*"])
            #expect(try index.upload("u")?.parts == (found >= 2 ? [] : nil))
            #expect(try index.upload("u")?.length == nil)
            #expect(try index.count(of: "refresh_tokens") == (found >= 3 ? 1 : 0))
            #expect(try index.count(of: "codes") == (found >= 3 ? 1 : 0))
        }
    }

    /// The triggers that note what a blob still needs work on rows of any age.
    @Test(arguments: 1..<IndexSchema.version)
    func whatAnOlderIndexHeldIsNotedWhenItGoes(found: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("index.sqlite").display
            try Self.make(found, at: path)
            let index = try IndexSchema.open(path)
            try index.removeObject("a", in: "b")
            try index.removeUpload("u")
            let debts = try index.takeDebts(number: 9)
            #expect(Set(debts.map(\.version)) == (found >= 2 ? ["u", "v"] : ["v"]))
            #expect(debts.allSatisfy { $0.number == 9 && $0.row == nil })
        }
    }

    @Test(arguments: [IndexSchema.version + 1, 1000, Int64(Int32.max), -1, Int64(Int32.min)])
    func anIndexOfAnUnknownVersionIsRefusedAndStaysAsItIs(found: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("index.sqlite").display
            try Self.make(IndexSchema.version, at: path)
            try Connection(path: path).execute("PRAGMA user_version = \(found)")
            #expect(throws: UnsupportedIndex.self) { try IndexSchema.open(path) }
            let after = try Connection(path: path)
            #expect(try after.first("PRAGMA user_version") { $0.integer(0) } == found)
            #expect(try after.object("a", in: "b")?.version == "v")
        }
    }

    /// A step that fails takes all of them back: the next start finds the older version, whole.
    @Test(arguments: 0..<IndexSchema.version)
    func aStepThatFailsLeavesTheOlderIndex(found: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("index.sqlite").display
            try Self.make(found, at: path)
            let old = try Connection(path: path)
            // A table of this name is in the way of the last step.
            try old.execute("CREATE TABLE debts (x)")
            let before = try Self.form(old)
            #expect(throws: DatabaseError.self) { try IndexSchema.open(path) }
            #expect(try Self.form(old) == before)
            #expect(try old.first("PRAGMA user_version") { $0.integer(0) } == found)
            try old.execute("DROP TABLE debts")
            #expect(throws: Never.self) { try IndexSchema.open(path) }
        }
    }

    @Test func aBucketMayNotGoBeforeItsObjects() throws {
        let index = try IndexSchema.open(":memory:")
        try index.put(IndexedBucket(named: "b"))
        try index.put(IndexedObject(made: "a", version: "v"))
        #expect(throws: DatabaseError.self) { try index.removeBucket("b") }
        try index.removeObject("a", in: "b")
        #expect(throws: Never.self) { try index.removeBucket("b") }
    }
}

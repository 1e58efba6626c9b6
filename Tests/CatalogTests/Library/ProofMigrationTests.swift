import Database
import Fixtures
import Foundation
import Platform
import Records
import TestSupport
import Testing

@testable import Catalog
@testable import Queue

/// Receipts of libraries whose version 3 did not say how they were proven.
@Suite struct ProofMigrationTests {
    private static let tag = "\"5d41402abc4b2a76b9719d911017c592\""
    private static let other = "\"900150983cd24fb0d6963f7d28e17f72\""

    /// Key, content, size and eTag of a receipt.
    private static let rows: [(key: String, content: String, size: Int64, eTag: String?, proof: Receipt.Proof)] = [
        ("sent in one request", "01", 6_291_456, tag, .md5),
        ("sent in pieces", "02", 6_291_457, tag, .size),
        ("no eTag", "03", 5, nil, .size),
        ("a tag of parts", "04", 5, "\"5d41402abc4b2a76b9719d911017c592-1\"", .size),
        ("no hexadecimal", "05", 5, "\"5d41402abc4b2a76b9719d911017c59x\"", .size),
        ("an upload and its copy", "06", 5, tag, .md5),
        ("the copy", "06", 5, tag, .md5),
        ("one of two that differ", "07", 5, tag, .size),
        ("the other", "07", 5, other, .size),
    ]

    /// A library as version 3 left it.
    private static func old(in folder: FilePath) async throws -> FilePath {
        let path = folder.appending("library.sqlite")
        try await Library(path: path).close()
        let database = try Connection(path: path.display)
        try database.dropSums()
        try database.execute(
            """
            DROP INDEX receipts_proof; ALTER TABLE receipts DROP COLUMN proof; PRAGMA user_version = 3;
            INSERT INTO facts VALUES ('destination', 'here');
            """)
        for row in rows {
            try database.run(
                "INSERT INTO receipts VALUES ('here', ?, 'original', 'i', 1, x'61', ?, ?, 'o', 'v', ?, NULL, 0)",
                .text(row.key), .blob([UInt8](hexadecimal: row.content) ?? []), .integer(row.size), Value(row.eTag))
        }
        return path
    }

    @Test func oldReceiptsGetWhatTheirKindAllows() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: try await Self.old(in: folder))
            for row in Self.rows {
                let receipt = try await library.receipt(destination: "here", key: ObjectKey(text: row.key))
                #expect(receipt?.proof == row.proof, "\(row.key)")
            }
            let counts = try await library.counts()
            #expect(counts.proofs == [.md5: 3, .size: 6])
        }
    }

    @Test func whoOnlyLooksReadsThemToo() async throws {
        try await FileTree().withDirectory { folder in
            let found = try Library.existing(at: try await Self.old(in: folder))
            let library = try #require(found)
            let receipt = try await library.receipt(destination: "here", key: ObjectKey(text: "the copy"))
            #expect(receipt?.proof == .size)
            #expect(receipt?.size == 5)
            #expect(try await library.counts().proofs == [.size: 9])
        }
    }
}

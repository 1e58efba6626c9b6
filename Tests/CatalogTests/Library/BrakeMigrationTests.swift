import Database
import Foundation
import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Queue

/// Libraries up to version 8, which kept what the brake notes among the codes of failures.
@Suite struct BrakeMigrationTests {
    /// A file's name, what version 8 kept as its code, and what version 9 keeps in its place.
    private static let rows: [(name: String, former: String?, brake: String?, code: String?)] = [
        ("suspect", "brake.suspect", "suspect", nil),
        ("approved", "brake.approved", "approved", nil),
        ("held", "brake", "held", nil),
        ("failed", "http.503", nil, "http.503"),
        ("free", nil, nil, nil),
    ]

    /// A library as version 8 left it.
    private static func old(in folder: FilePath) async throws -> FilePath {
        let path = folder.appending("library.sqlite")
        try await Library(path: path).close()
        let database = try Connection(path: path.display)
        try database.execute(
            """
            DROP INDEX assets_suspect; DROP INDEX assets_undecided; ALTER TABLE assets DROP COLUMN brake;
            CREATE INDEX assets_suspect ON assets (state) WHERE code = 'brake.suspect';
            CREATE INDEX assets_undecided ON assets (directory) WHERE state = \(Asset.State.held.rawValue)
                AND code IS NULL;
            PRAGMA user_version = 8;
            """)
        for row in rows {
            try database.run(
                """
                INSERT INTO assets (directory, name, size, mtime, state, rank, found, code)
                VALUES (1, ?, 1, 1, \(Asset.State.held.rawValue), 0, 0, ?)
                """, .text(row.name), Value(row.former))
        }
        return path
    }

    @Test func marksMoveToTheirOwnColumn() async throws {
        try await FileTree().withDirectory { folder in
            let path = try await Self.old(in: folder)
            let library = try Library(path: path)
            // Two have no mark, so that the brake has yet to decide about them.
            #expect(try await library.isBrakeUndecided())
            try await library.close()
            let database = try Connection(path: path.display, isReadOnly: true)
            for row in Self.rows {
                let found = try database.first("SELECT brake, code FROM assets WHERE name = ?", .text(row.name)) {
                    [$0.textOrNil(0), $0.textOrNil(1)]
                }
                #expect(found == [row.brake, row.code], "\(row.name)")
            }
        }
    }

    @Test func readersOfOldLibrariesCountWhatIsHeld() async throws {
        try await FileTree().withDirectory { folder in
            let library = try #require(try Library.existing(at: try await Self.old(in: folder)))
            #expect(try await library.heldCount() == 5)
        }
    }
}

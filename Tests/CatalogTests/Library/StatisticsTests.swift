import Database
import Platform
import Tables
import TestSupport
import Testing

@testable import Catalog

/// By what SQLite chooses between indexes.
@Suite struct StatisticsTests {
    /// What the statistics say of each index.
    private static func figures(_ database: Connection) throws -> Set<String> {
        Set(try database.rows("SELECT tbl || '.' || idx || ': ' || stat FROM sqlite_stat1") { $0.text(0) })
    }

    /// The tables without rowids and the indexes of all, with the number of their columns.
    private static func indexes(_ database: Connection) throws -> [String: Int] {
        let rows = try database.rows(
            """
            SELECT m.name || '.' || iif(i.origin = 'pk', m.name, i.name),
                (SELECT count(*) FROM pragma_index_xinfo(i.name) x WHERE x.key AND (x.cid != -1))
            FROM sqlite_schema m JOIN pragma_index_list(m.name) i WHERE m.type = 'table'
            """
        ) { ($0.text(0), Int($0.integer(1))) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    @Test func eachIndexHasAFigureForEachOfItsColumns() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            try await Library(path: path).close()
            let database = try Connection(path: path.display, isReadOnly: true)
            let figures = try Self.figures(database).map { $0.split(separator: ": ") }
            let counted = figures.map { (String($0[0]), $0[1].split(separator: " ").count - 1) }
            #expect(Dictionary(uniqueKeysWithValues: counted) == (try Self.indexes(database)))
        }
    }

    /// A gallery that ends its first run with one file may have a million in its next.
    @Test func aRunThatEndsWithFewFilesLeavesThemAsTheyAre() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            try await Library(path: path).close()
            let before = try Self.figures(Connection(path: path.display, isReadOnly: true))
            let shelf = try await Shelf(at: path)
            try await shelf.see("a.jpg")
            try await shelf.library.close()
            #expect(try Self.figures(Connection(path: path.display, isReadOnly: true)) == before)
        }
    }

    @Test func thoseThatAnEarlierVersionCountedAreReplaced() async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            let shelf = try await Shelf(at: path)
            try await shelf.see("a.jpg")
            try await shelf.library.close()
            let older = try Connection(path: path.display)
            let before = try Self.figures(older)
            try older.execute("ANALYZE; PRAGMA user_version = 14")
            #expect(try Self.figures(older).contains("assets.assets: 1 1 1"))
            try await Library(path: path).close()
            #expect(try Self.figures(older) == before)
        }
    }

    /// What a plan reads, for statements that each stored file asks once or more.
    @Test(arguments: [
        ("SELECT 1 FROM receipts WHERE sha256 = ? AND destination = ?", "INDEX receipts_alike (sha256=?)"),
        ("SELECT 1 FROM receipts WHERE directory = ? AND destination = ?", "INDEX receipts_asset (directory=?)"),
        ("SELECT 1 FROM receipts WHERE destination = ? AND verified > ?", "INDEX receipts_age (verified>?)"),
        ("SELECT count(*) FROM assets WHERE thumbnails IN (1, 4) AND state = 3", "INDEX assets_owed (thumbnails=?)"),
        ("SELECT 1 FROM directories WHERE root = ?", "INDEX sqlite_autoindex_directories_1 (root=?)"),
        ("SELECT 1 FROM moves WHERE destination = ? AND source = ?", "PRIMARY KEY (destination=? AND source=?)"),
    ])
    func anEmptyLibraryAndOneOfOneFileAreReadByIndexes(sql: String, index: String) async throws {
        try await FileTree().withDirectory { folder in
            let path = folder.appending("library.sqlite")
            for name in ["a.jpg", "b.jpg"] {
                let shelf = try await Shelf(at: path)
                let database = try Connection(path: path.display, isReadOnly: true)
                let plan = try database.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }
                #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH") && plan[0].hasSuffix(" \(index)"))
                try await shelf.see(FilePath(name))
                try await shelf.library.close()
            }
        }
    }
}

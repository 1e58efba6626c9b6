import Foundation
import Testing

@testable import Database

@Suite struct ConnectionTests {
    private let path = NSTemporaryDirectory() + "database-\(UUID().uuidString).sqlite"

    private func open() throws -> Connection { try Connection(path: Connection.inMemory) }

    @Test(
        arguments: [
            .null, .integer(.max), .integer(.min), .real(0.1), .text(""), .text("写真 📷"), .text("a\0b"), .blob([]),
            .blob([0, 255]),
        ] as [Value])
    func everyValueComesBackAsItWas(_ value: Value) throws {
        let database = try open()
        try database.execute("CREATE TABLE t (v)")
        try database.run("INSERT INTO t VALUES (?)", value)
        let read = try database.first("SELECT v FROM t") { row -> Value in
            switch value {
            case .null: row.isNull(0) ? .null : .text("not null")
            case .integer: .integer(row.integer(0))
            case .real: .real(row.real(0))
            case .text: .text(row.text(0))
            case .blob: row.isNull(0) ? .null : .blob(row.blob(0))
            }
        }
        #expect(read == value)
    }

    @Test func rowsComeInOrder() throws {
        let database = try open()
        try database.execute("CREATE TABLE t (n); INSERT INTO t VALUES (3), (1), (2)")
        #expect(try database.rows("SELECT n FROM t ORDER BY n") { $0.integer(0) } == [1, 2, 3])
    }

    @Test(arguments: [0, 1])
    func aMissingRowIsNil(count: Int64) throws {
        let database = try open()
        #expect(try database.first("SELECT 1 WHERE ?", .integer(count)) { $0.integer(0) } == (count == 0 ? nil : 1))
        #expect(try database.exists("SELECT 1 WHERE ?", .integer(count)) == (count == 1))
    }

    @Test func aStatementMayRunWhileItsDuplicateIsBeingRead() throws {
        let database = try open()
        try database.execute("CREATE TABLE t (n); INSERT INTO t VALUES (1), (2)")
        var pairs: [Int64] = []
        try database.each("SELECT n FROM t") { outer in
            let number = outer.integer(0)
            try? database.each("SELECT n FROM t") { pairs.append(number * 10 + $0.integer(0)) }
        }
        #expect(pairs == [11, 12, 21, 22])
    }

    @Test(arguments: [
        ("nothing", 0, ""), ("a commit", 0, "COMMIT"), ("a rollback", 1, "ROLLBACK"),
        ("a full disk", 1, "INSERT INTO t VALUES (zeroblob(100000))"), ("a mistake", 0, "INSERT INTO t VALUES (1)"),
    ])
    func rowsThatAreTakenBackAreCounted(_ cause: String, _ count: Int, _ sql: String) throws {
        let database = try open()
        try database.execute("CREATE TABLE t (n UNIQUE); PRAGMA max_page_count = 8; BEGIN; INSERT INTO t VALUES (1)")
        try? database.execute(sql)
        #expect(database.rollbacks == count, "\(cause)")
    }

    @Test(arguments: ["DELETE FROM t", "INSERT INTO t VALUES (2) RETURNING n", "CREATE TABLE u (n)"])
    func queriesChangeNothing(_ sql: String) throws {
        let database = try open()
        try database.execute("CREATE TABLE t (n); INSERT INTO t VALUES (1)")
        let queries = Queries(database)
        #expect(throws: DatabaseError.self) { try queries.rows(sql) { $0.integer(0) } }
        #expect(throws: DatabaseError.self) { try queries.first(sql) { $0.integer(0) } }
        #expect(try queries.rows("SELECT n FROM t") { $0.integer(0) } == [1])
    }

    @Test func aTransactionThatThrowsLeavesNothing() throws {
        struct Stop: Error {}
        let database = try open()
        try database.execute("CREATE TABLE t (n)")
        #expect(throws: Stop.self) {
            try database.transaction { () throws -> Void in
                try database.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
        #expect(!database.isInTransaction)
    }

    @Test func aBadStatementNamesTheCall() throws {
        let error = #expect(throws: DatabaseError.self) { try open().execute("SELEC 1") }
        #expect(error?.call == "sqlite3_exec")
        #expect(error?.message.contains("syntax error") == true)
    }

    @Test func aFileThatIsNoDatabaseIsCorruption() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 0x41, count: 4096).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: DatabaseError.self) {
            try Connection(path: path).execute("CREATE TABLE t (n)")
        }
        #expect(error?.isCorruption == true)
        #expect(error?.isOfSystem == true)
    }

    @Test func aMissingFileReadOnlyIsAStorageError() {
        let error = #expect(throws: DatabaseError.self) { try Connection(path: path, isReadOnly: true) }
        #expect(error?.isOfSystem == true)
    }

    @Test func tooLittleMemoryIsNoMistakeOfOurs() {
        // SQLITE_NOMEM (sqlite.org/rescode.html).
        let error = DatabaseError(call: "sqlite3_step", code: 7, message: "out of memory")
        #expect(error.isOfSystem)
        #expect(error.description.hasPrefix("There was not enough memory"))
    }

    @Test func bytesAreComparedWithoutACopy() throws {
        let equal = try open().first("SELECT x'0102', x''") {
            ($0.blob(0, equals: [1, 2]), $0.blob(0, equals: [1, 3]), $0.blob(1, equals: []))
        }
        #expect(equal?.0 == true)
        #expect(equal?.1 == false)
        #expect(equal?.2 == true)
    }

    /// A statement that is never the same again must not be kept for good: a watch runs for months.
    @Test func ofManyDifferentStatementsOnlySomeAreKept() throws {
        let database = try open()
        try database.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3)")
        var rows: [Int64] = []
        // What is being read meanwhile is read to its end.
        try database.each("SELECT v FROM t ORDER BY v") { row in
            for number in 0..<1_000 {
                let sum = try? database.first("SELECT v + \(number) FROM t LIMIT 1") { $0.integer(0) }
                #expect(sum == Int64(number) + 1)
                #expect(database.prepared.count <= Connection.mostPrepared)
            }
            rows.append(row.integer(0))
        }
        #expect(rows == [1, 2, 3])
        #expect(try database.first("SELECT sum(v) FROM t") { $0.integer(0) } == 6)
    }
}

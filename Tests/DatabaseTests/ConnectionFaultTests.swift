import Foundation
import Testing

@testable import Database

/// What a connection makes of full disks, damaged files, other writers and odd calls.
@Suite struct ConnectionFaultTests {
    private let path = NSTemporaryDirectory() + "database-\(UUID().uuidString).sqlite"

    private func removeFiles() {
        for companion in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + companion)
        }
    }

    // MARK: A full disk

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What is done before the disk is full; `true` for inside of a transaction.
        let isInTransaction: Bool
        /// The numbers that are there afterwards.
        let left: [Int64]
    }

    /// The third write finds no room.
    @Test(arguments: [
        Row(
            testDescription: "each write by itself keeps what was written before", isInTransaction: false, left: [1, 2]),
        Row(testDescription: "a transaction is taken back as a whole", isInTransaction: true, left: []),
    ])
    func aFullDisk(_ row: Row) throws {
        defer { removeFiles() }
        let database = try Connection(path: path)
        try database.execute("CREATE TABLE t (n, b)")
        let pages = try database.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        try database.execute("PRAGMA max_page_count = \(pages + 1)")
        func write() throws {
            for number in 1...3 {
                let size = number == 3 ? 1_000_000 : 10
                try database.run(
                    "INSERT INTO t VALUES (?, ?)", .integer(Int64(number)), .blob([UInt8](repeating: 1, count: size)))
            }
        }
        let error = #expect(throws: DatabaseError.self) {
            if row.isInTransaction { try database.transaction { try write() } } else { try write() }
        }
        #expect(error?.isOfSystem == true)
        #expect(error?.isCorruption == false)
        #expect(error?.description.hasPrefix("The disk that holds the state is full") == true)
        #expect(!database.isInTransaction)
        #expect(try database.rows("SELECT n FROM t ORDER BY n") { $0.integer(0) } == row.left)
        // Once there is room, it goes on.
        try database.execute("PRAGMA max_page_count = 100000")
        try database.transaction { try write() }
        #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == Int64(row.left.count + 3))
    }

    // MARK: A damaged file

    /// A database of several pages whose byte at `place` is changed.
    private func damaged(at place: Int, in bytes: Data) throws -> Result<[Int64], any Error> {
        var changed = bytes
        changed[place] ^= 0xFF
        try changed.write(to: URL(fileURLWithPath: path))
        return Result {
            let database = try Connection(path: path)
            return try database.rows("SELECT n FROM t ORDER BY n") { $0.integer(0) }
        }
    }

    @Test func aFileWithAChangedByteIsReadOrRefusedAndNeverAMistakeOfOurs() throws {
        defer { removeFiles() }
        do {
            let database = try Connection(path: path)
            try database.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, b)")
            for number in 1...60 {
                try database.run(
                    "INSERT INTO t VALUES (?, ?)", .integer(Int64(number)), .blob([UInt8](repeating: 7, count: 200)))
            }
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The header, and the beginning of each page, byte by byte; the rest here and there.
        let places =
            Array(0..<108) + stride(from: 4096, to: bytes.count, by: 4096).flatMap { $0..<$0 + 16 }
            + stride(from: 200, to: bytes.count, by: 997)
        for place in places {
            switch try damaged(at: place, in: bytes) {
            case .success: break
            case .failure(let error):
                let error = try #require(error as? DatabaseError)
                // A byte of the statement that made the table is no damage to SQLite, but a mistake in it.
                let isSystem = error.isOfSystem || error.code & 0xFF == 1
                #expect(isSystem, "byte \(place): \(error.debugDescription)")
            }
        }
    }

    // MARK: What an error says

    @Test(
        arguments: [
            (13, true, false, "The disk that holds the state is full"), (8, true, false, "The state cannot be written"),
            (14, true, false, "The state cannot be written"),
            (10, true, false, "The disk that holds the state does not work"),
            (266, true, false, "The disk that holds the state does not work"),
            (4874, true, false, "The disk that holds the state is full"),
            (11, true, true, "The state on disk is damaged"), (26, true, true, "The state on disk is damaged"),
            (267, true, true, "The state on disk is damaged"), (7, true, false, "There was not enough memory"),
            (5, false, false, "Another program has the state open"),
            (6, false, false, "Another program has the state open"),
            (261, false, false, "Another program has the state open"),
            (1, false, false, "A mistake of ours in the state on disk: words"),
            (19, false, false, "A mistake of ours in the state on disk: words"),
        ] as [(Int32, Bool, Bool, String)])
    func aCodeBecomesASentence(code: Int32, isOfSystem: Bool, isCorruption: Bool, start: String) {
        let error = DatabaseError(call: "sqlite3_step", code: code, message: "words")
        #expect(error.isOfSystem == isOfSystem)
        #expect(error.isCorruption == isCorruption)
        #expect(error.description.hasPrefix(start))
        #expect(error.debugDescription == "words (sqlite3_step, \(code))")
    }

    // MARK: Odd calls

    @Test(arguments: [
        ("no statement", ""), ("a comment", "-- nothing"), ("a blank", "  "),
    ])
    func whatIsNoStatementIsAnError(why: String, sql: String) throws {
        let database = try Connection(path: Connection.inMemory)
        #expect(throws: DatabaseError.self) { try database.run(sql) }
        // As a script it does nothing.
        #expect(throws: Never.self) { try database.execute(sql) }
    }

    @Test(arguments: [0, 1, 3])
    func asManyValuesAsThereAreMarks(count: Int) throws {
        let database = try Connection(path: Connection.inMemory)
        try database.execute("CREATE TABLE t (a, b)")
        let values = (0..<count).map { Value.integer(Int64($0)) }
        if count > 2 {
            let error = #expect(throws: DatabaseError.self) {
                try database.run("INSERT INTO t VALUES (?, ?)", binding: values)
            }
            #expect(error?.call == "sqlite3_bind")
        } else {
            // What is not given is NULL, also after the same statement had more.
            try database.run("INSERT INTO t VALUES (?, ?)", .integer(8), .integer(9))
            try database.run("INSERT INTO t VALUES (?, ?)", binding: values)
            let row = try database.rows("SELECT a, b FROM t") { ($0.integerOrNil(0), $0.integerOrNil(1)) }[1]
            #expect(row.0 == (count > 0 ? 0 : nil))
            #expect(row.1 == nil)
        }
        // The statement serves the next caller.
        try database.run("INSERT INTO t VALUES (?, ?)", .integer(1), .integer(2))
    }

    /// A value read as another type is what SQLite makes of it, and never a crash.
    @Test(
        arguments: [
            (.null, 0, 0, "", []), (.integer(7), 7, 7, "7", [0x37]), (.real(1.5), 1, 1.5, "1.5", Array("1.5".utf8)),
            (.text("12abc"), 12, 12, "12abc", Array("12abc".utf8)), (.text("abc"), 0, 0, "abc", Array("abc".utf8)),
            (
                .text("9223372036854775808"), .max, 9_223_372_036_854_775_808, "9223372036854775808",
                Array("9223372036854775808".utf8)
            ),
            (.blob([0xFF, 0xFE]), 0, 0, "\u{FFFD}\u{FFFD}", [0xFF, 0xFE]),
        ] as [(Value, Int64, Double, String, [UInt8])])
    func aValueIsReadAsAnotherType(value: Value, integer: Int64, real: Double, text: String, blob: [UInt8]) throws {
        let database = try Connection(path: Connection.inMemory)
        try database.execute("CREATE TABLE t (v)")
        try database.run("INSERT INTO t VALUES (?)", value)
        #expect(try database.first("SELECT v FROM t") { $0.integer(0) } == integer)
        #expect(try database.first("SELECT v FROM t") { $0.real(0) } == real)
        #expect(try database.first("SELECT v FROM t") { $0.text(0) } == text)
        #expect(try database.first("SELECT v FROM t") { $0.blob(0) } == blob)
        #expect(try database.first("SELECT v FROM t") { $0.isNull(0) } == (value == .null))
        #expect(try database.first("SELECT v FROM t") { $0.integerOrNil(0) } == (value == .null ? .some(nil) : integer))
    }

    // MARK: Others

    @Test func aReaderSeesWhatWasCommittedWhileAnotherWrites() throws {
        defer { removeFiles() }
        let writer = try Connection(path: path)
        try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n); INSERT INTO t VALUES (1)")
        let reader = try Connection(path: path, isReadOnly: true)
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
        #expect(try reader.rows("SELECT n FROM t") { $0.integer(0) } == [1])
        try writer.execute("COMMIT")
        #expect(try reader.rows("SELECT n FROM t") { $0.integer(0) } == [1, 2])
        let error = #expect(throws: DatabaseError.self) { try reader.run("DELETE FROM t") }
        #expect(error?.isOfSystem == true)
    }

    @Test func aSecondWriterIsToldSoAndLeavesNothing() throws {
        defer { removeFiles() }
        let first = try Connection(path: path)
        try first.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (n); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        let second = try Connection(path: path)
        try second.execute("PRAGMA busy_timeout = 0")
        let error = #expect(throws: DatabaseError.self) {
            try second.transaction { try second.run("INSERT INTO t VALUES (2)") }
        }
        #expect(error?.description.hasPrefix("Another program has the state open") == true)
        #expect(!second.isInTransaction)
        try first.execute("COMMIT")
        try second.transaction { try second.run("INSERT INTO t VALUES (2)") }
        #expect(try first.rows("SELECT n FROM t ORDER BY n") { $0.integer(0) } == [1, 2])
    }

    /// A rollback that SQLite has made by itself is not asked for again.
    @Test(arguments: ["ROLLBACK", "ABORT", "FAIL"])
    func aTransactionThatATriggerEnds(_ kind: String) throws {
        let database = try Connection(path: Connection.inMemory)
        try database.execute(
            """
            CREATE TABLE t (n); CREATE TRIGGER stop BEFORE INSERT ON t WHEN NEW.n = 2
                BEGIN SELECT RAISE(\(kind), 'no'); END
            """)
        #expect(throws: DatabaseError.self) {
            try database.transaction {
                try database.run("INSERT INTO t VALUES (1)")
                try database.run("INSERT INTO t VALUES (2)")
            }
        }
        #expect(!database.isInTransaction)
        #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
        try database.transaction { try database.run("INSERT INTO t VALUES (3)") }
        #expect(try database.rows("SELECT n FROM t") { $0.integer(0) } == [3])
    }
}

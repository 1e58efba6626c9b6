import CSQLite

/// One prepared statement, finalized when it is released.
final class Statement {
    let handle: OpaquePointer
    private unowned let connection: Connection
    /// Whether it is between its first step and its reset.
    private(set) var isBusy = false

    init(_ sql: String, on connection: Connection) throws {
        var made: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        try connection.check(code, "sqlite3_prepare_v3")
        guard let made else {
            throw DatabaseError(call: "sqlite3_prepare_v3", code: SQLITE_MISUSE, message: "no statement in “\(sql)”")
        }
        handle = made
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// SQLITE_TRANSIENT: SQLite copies the value before the call returns.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ values: [Value]) throws {
        isBusy = true
        for (index, value) in values.enumerated() {
            try connection.check(bind(value, at: Int32(index + 1)), "sqlite3_bind")
        }
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(var text):
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // Without a base address an empty text would be bound as NULL.
                    guard let base = $0.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, Self.copied) }
                    return sqlite3_bind_text(handle, index, base, Int32($0.count), Self.copied)
                }
            }
        case .blob(let bytes):
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), Self.copied)
        }
    }

    /// Moves to the next row; `false` when there is none.
    func step() throws -> Bool {
        try connection.check(sqlite3_step(handle), "sqlite3_step") == SQLITE_ROW
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isBusy = false
    }
}

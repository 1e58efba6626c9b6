import CSQLite

/// The current row of a query; columns count from 0.
///
/// Valid only inside the closure it is passed to.
package struct Row {
    let statement: Statement

    /// The integer of a column; 0 for NULL.
    package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement.handle, Int32(column)) }

    /// The integer of a column; `nil` for NULL.
    package func integerOrNil(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The number of a column; 0 for NULL.
    package func real(_ column: Int) -> Double { sqlite3_column_double(statement.handle, Int32(column)) }

    /// The number of a column; `nil` for NULL.
    package func realOrNil(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }

    /// The text of a column; empty for NULL.
    package func text(_ column: Int) -> String { textOrNil(column) ?? "" }

    /// The text of a column, with U+FFFD for what is not UTF-8; `nil` for NULL.
    package func textOrNil(_ column: Int) -> String? {
        guard let bytes = sqlite3_column_text(statement.handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(statement.handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The bytes of a column; empty for NULL.
    package func blob(_ column: Int) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement.handle, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(statement.handle, Int32(column)))
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The bytes of a column; `nil` for NULL.
    package func blobOrNil(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }

    /// Whether a column holds exactly these bytes; compares without copying.
    package func blob(_ column: Int, equals expected: [UInt8]) -> Bool {
        let count = Int(sqlite3_column_bytes(statement.handle, Int32(column)))
        guard count == expected.count else { return false }
        guard let bytes = sqlite3_column_blob(statement.handle, Int32(column)) else { return expected.isEmpty }
        return UnsafeRawBufferPointer(start: bytes, count: count).elementsEqual(expected)
    }

    /// Whether the integer of a column is not 0; `false` for NULL.
    package func flag(_ column: Int) -> Bool { integer(column) != 0 }

    /// Whether a column is NULL.
    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement.handle, Int32(column)) == SQLITE_NULL
    }
}

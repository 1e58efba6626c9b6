/// Asks a connection, and cannot change anything in it.
package struct Queries {
    private let connection: Connection

    /// Queries of `connection`, inside its open transaction where there is one.
    package init(_ connection: Connection) { self.connection = connection }

    /// What `read` returns for every row, in order; throws `DatabaseError`, also for a statement that would write.
    package func rows<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws -> [T] {
        try rows(sql, binding: values, read: read)
    }

    /// The same, with `values` as many as the statement has question marks.
    package func rows<T>(_ sql: String, binding values: [Value], read: (Row) -> T) throws -> [T] {
        try connection.checkReadOnly(sql)
        return try connection.rows(sql, binding: values, read: read)
    }

    /// What `read` returns for the first row; `nil` where there is none.
    package func first<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws -> T? {
        try connection.checkReadOnly(sql)
        return try connection.first(sql, binding: values, read: read)
    }
}

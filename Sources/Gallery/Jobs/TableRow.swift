/// One row of the project's database that holds a link which may die.
package struct TableRow: Hashable, Codable, Sendable {
    package let table: String
    package let keyColumn: String
    /// The row's key as text, whatever its type there.
    package let key: String
    /// The column that holds the link.
    package let column: String
    /// What was found there.
    package let link: String

    private enum CodingKeys: String, CodingKey { case table, keyColumn, key, column, link }

    package init(table: String, keyColumn: String, key: String, column: String, link: String) {
        self.table = table
        self.keyColumn = keyColumn
        self.key = key
        self.column = column
        self.link = link
    }
}

/// What became of a row once its file was stored.
package enum RowOutcome: Hashable, Codable, Sendable {
    /// It holds the stored file's address now.
    case written
    /// It is left as it is, for this reason: somebody changed it meanwhile, or it is gone.
    case left(String)
    /// Not yet; to be tried again.
    case waiting(String)
}

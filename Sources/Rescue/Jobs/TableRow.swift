import Cleansing
import Providers

/// A link that may die, in one or several rows of the project's database.
///
/// Rows are found again by the link itself, so that one that was edited meanwhile is never touched.
package struct TableRow: Hashable, Codable, Sendable {
    package let table: String
    /// The column that holds the link.
    package let column: String
    /// The column that gets the picture's link; nil for none.
    package let thumbnailColumn: String?
    /// What was found there.
    package let link: String

    private enum CodingKeys: String, CodingKey { case table, column, thumbnailColumn, link }

    /// The link as `order` found it.
    package init(_ order: TableOrder, link: String) {
        table = order.table
        column = order.column
        thumbnailColumn = order.thumbnailColumn
        self.link = link
    }
}

extension TableRow {
    /// The rows as other programs may see them: no query of the link.
    var redacted: TableRow {
        TableRow(TableOrder(table: table, column: column, thumbnailColumn: thumbnailColumn), link: Cleanser.link(link))
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

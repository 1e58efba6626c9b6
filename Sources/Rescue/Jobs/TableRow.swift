import Cleansing
import Providers

/// A link that may expire, in one or several rows of the project's database.
///
/// Rows are found again by the link itself, so that a row that was edited meanwhile is never touched.
package struct TableRow: Hashable, Codable, Sendable {
    /// The table's name as PostgREST spells it.
    let table: String
    /// The column that holds the link.
    let column: String
    /// The column that gets the thumbnail's link; `nil` for none.
    package let thumbnailColumn: String?
    /// The link that was found in the column, query included.
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
    /// The row as other programs may see it: the link without its query.
    var redacted: TableRow {
        TableRow(TableOrder(table: table, column: column, thumbnailColumn: thumbnailColumn), link: Cleanser.link(link))
    }
}

/// What became of a row after its file was stored.
package enum RowOutcome: Hashable, Codable, Sendable {
    /// It holds the stored file's URL now.
    case written
    /// It is left as it is, for this reason: another client changed it meanwhile, or it is gone.
    case left(String)
    /// It could not be updated for this reason, and is tried again.
    case waiting(String)
}

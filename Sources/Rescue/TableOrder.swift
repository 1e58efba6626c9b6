import Cleansing
import Configuration

/// Which rows of the project's database hold links to rescue.
package struct TableOrder: Hashable, Codable, Sendable {
    package let table: String
    /// The column of links.
    package let column: String
    /// The column that gets the picture's link; nil for none.
    package let thumbnailColumn: String?

    package init(table: String, column: String, thumbnailColumn: String? = nil) {
        self.table = table
        self.column = column
        self.thumbnailColumn = thumbnailColumn
    }

    /// Why PostgreSQL could have no table, or no column, of a name that needs escaping; nil where all is well.
    package var fault: String? {
        [table, column, thumbnailColumn].compactMap(\.self).first { !SettingFormat<String>.isTableName($0) }.map {
            "\(JSONText.quoted($0)) is no name of 1 to 63 letters, digits or \"_\"."
        }
    }
}

import Cleansing
import Configuration

/// Which rows of the project's database hold links to rescue.
package struct TableOrder: Hashable, Codable, Sendable {
    /// The table's name; see `fault` for what is permitted.
    package let table: String
    /// The column that holds the links.
    let column: String
    /// The column that gets the thumbnail's link; `nil` for none.
    let thumbnailColumn: String?

    /// Names as the user gave them; `fault` says whether they can be used.
    package init(table: String, column: String, thumbnailColumn: String? = nil) {
        self.table = table
        self.column = column
        self.thumbnailColumn = thumbnailColumn
    }

    /// Why a name cannot be used in a request without escaping; `nil` where all can.
    package var fault: String? {
        [table, column, thumbnailColumn].compactMap(\.self).first { !SettingFormat<String>.isTableName($0) }.map {
            "\(JSONText.quoted($0)) is no name of 1 to 63 letters, digits or \"_\"."
        }
    }
}

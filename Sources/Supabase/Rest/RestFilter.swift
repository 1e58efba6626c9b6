import Formats

/// A condition on one column, such as `id=eq.7`.
package struct RestFilter: Hashable, Sendable {
    /// The column's name, not encoded yet.
    let column: String
    /// The operator and its operand, not encoded yet.
    let condition: String

    private init(_ column: String, _ condition: String) {
        self.column = column
        self.condition = condition
    }

    /// The column is `value`; `nil` stands for SQL's null.
    package static func equals(_ column: String, _ value: String?) -> RestFilter {
        RestFilter(column, value.map { "eq.\($0)" } ?? "is.null")
    }

    /// The column is one of `values`.
    package static func among(_ column: String, _ values: [String]) -> RestFilter {
        let quoted = values.map {
            "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        return RestFilter(column, "in.(\(quoted.joined(separator: ",")))")
    }

    /// The column is greater than `value`.
    package static func greater(_ column: String, _ value: String) -> RestFilter { RestFilter(column, "gt.\(value)") }

    /// The column is `value`, or less.
    package static func atMost(_ column: String, _ value: String) -> RestFilter { RestFilter(column, "lte.\(value)") }

    /// The condition as a part of the query, percent-encoded.
    var query: String { "\(RestQuery.encoded(column))=\(RestQuery.encoded(condition))" }
}

/// Percent-encoding for a URL's query.
enum RestQuery {
    /// Escapes every byte that would end or split a query, slashes included.
    static func encoded(_ text: String) -> String {
        PercentEncoding.component.encoded(text)
    }
}

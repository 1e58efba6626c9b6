import FoundationEssentials
import Serving
import Supabase

/// One condition of a PostgREST query, in the forms that our client writes.
struct RowFilter {
    let column: String
    let condition: String

    /// The conditions of a query, which are all items but PostgREST's own parameters.
    static func filters(of request: Request) -> [RowFilter] {
        let words: Set<String> = ["select", "order", "limit", "offset", "on_conflict", "columns"]
        // Item by item, because a column may have several conditions.
        return (request.query ?? "").split(separator: "&").compactMap { item in
            let column = item.prefix { $0 != "=" }
            let single = Request(method: "GET", target: "/?\(item)")
            guard !words.contains(String(column)), let text = single.queryItem(String(column)) else { return nil }
            return RowFilter(column: String(column), condition: text)
        }
    }

    func holds(for row: RowServer.Row) -> Bool {
        let value = row[column] ?? .null
        if condition == "is.null" { return value == .null }
        let parts = condition.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, value != .null else { return false }
        let operand = String(parts[1])
        switch parts[0] {
        case "eq": return Self.text(value) == operand
        case "gt": return Self.compare(value, operand) == .orderedDescending
        case "lt": return Self.compare(value, operand) == .orderedAscending
        case "lte": return Self.compare(value, operand) != .orderedDescending
        case "in": return Self.members(operand).contains(Self.text(value))
        default: return false
        }
    }

    /// A value as it is written in a query.
    static func text(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: ""
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .array, .object: "?"
        }
    }

    /// Compares numbers as numbers, and everything else as text.
    private static func compare(_ value: JSONValue, _ operand: String) -> ComparisonResult {
        if let left = Double(text(value)), let right = Double(operand) {
            return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
        }
        let left = text(value)
        return left < operand ? .orderedAscending : left > operand ? .orderedDescending : .orderedSame
    }

    /// The members of `("a","b")`.
    private static func members(_ list: String) -> [String] {
        list.matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.output.1).replacing(/\\(.)/) { $0.output.1 } }
    }
}

/// Rows as JSON.
enum RowJSON {
    static func encode(_ value: some Encodable) throws -> [UInt8] { Array(try JSONEncoder().encode(value)) }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}

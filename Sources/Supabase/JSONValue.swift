/// Any JSON value, as user metadata and database rows may hold it.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The text of a string; `nil` for everything else.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

extension JSONValue: Codable {
    /// Reads a number as `integer` where it is whole and fits into 64 bits, else as `number`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the bare value, without naming the case.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Lets a string literal stand for `string`.
    package init(stringLiteral value: String) { self = .string(value) }
    /// Lets an integer literal stand for `integer`.
    package init(integerLiteral value: Int64) { self = .integer(value) }
    /// Lets `true` and `false` stand for `bool`.
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Lets a floating-point literal stand for `number`.
    package init(floatLiteral value: Double) { self = .number(value) }
    /// Lets `nil` stand for JSON's `null`.
    package init(nilLiteral: ()) { self = .null }
    /// Lets an array literal stand for `array`.
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Lets a dictionary literal stand for `object`; of equal keys the last counts.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

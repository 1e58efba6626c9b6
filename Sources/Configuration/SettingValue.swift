import Cleansing
import Formats
import FoundationEssentials

/// A JSON5 value before it is checked against a setting's format.
package enum SettingValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    case decimal(Double)
    case text(String)
    case list([SettingValue])
    case table([String: SettingValue])
}

extension SettingValue: Codable {
    /// Reads any JSON5 value; whole numbers become `integer`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The decoder has no way to ask for the type, so each is tried; the last attempt throws the error.
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let decimal = try? container.decode(Double.self) {
            self = .decimal(decimal)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([SettingValue].self) {
            self = .list(list)
        } else {
            self = .table(try container.decode([String: SettingValue].self))
        }
    }

    /// Writes the value as JSON.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .decimal(let decimal): try container.encode(decimal)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .table(let table): try container.encode(table)
        }
    }
}

extension SettingValue {
    /// Parses JSON5 with comments, trailing commas, unquoted keys and single quotes.
    package static func parsing(_ bytes: [UInt8]) throws -> SettingValue {
        try JSON5.decode(SettingValue.self, from: bytes)
    }

    /// The value on one line, as JSON with sorted keys.
    package var line: String {
        switch self {
        case .null: "null"
        case .flag(let flag): String(flag)
        case .integer(let integer): String(integer)
        case .decimal(let decimal): Int(exactly: decimal).map { String($0) } ?? String(decimal)
        case .text(let text): JSONText.quoted(text)
        case .list(let list): "[" + list.map(\.line).joined(separator: ", ") + "]"
        case .table(let table):
            "{"
                + table.sorted { $0.key < $1.key }.map { "\(JSONText.quoted($0.key)): \($0.value.line)" }
                .joined(separator: ", ") + "}"
        }
    }
}

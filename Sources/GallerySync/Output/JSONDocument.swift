import FoundationEssentials
import Supabase
import Text

/// How every JSON document of the program is written.
enum JSONDocument {
    /// Keys sorted, slashes as they are, moments in ISO 8601, a newline at the end.
    static func bytes(_ document: some Encodable) throws -> [UInt8] {
        try bytes(document, [.prettyPrinted])
    }

    /// The same on one line.
    static func line(_ document: some Encodable) throws -> [UInt8] { try bytes(document, []) }

    /// The document as a part of another one.
    static func value(_ document: some Encodable) throws -> JSONValue { try value(of: line(document)) }

    /// A document that was written already, as a part of another one.
    static func value(of json: [UInt8]) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json))
    }

    private static func bytes(_ document: some Encodable, _ style: JSONEncoder.OutputFormatting) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = style.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601.text(date))
        }
        return [UInt8](try encoder.encode(document)) + [UInt8(ascii: "\n")]
    }
}

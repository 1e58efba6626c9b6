import FoundationEssentials
import Text

/// How every JSON document of the program is written.
enum JSONDocument {
    /// Keys sorted, slashes as they are, moments in ISO 8601, a newline at the end.
    static func bytes(_ document: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601.text(date))
        }
        return [UInt8](try encoder.encode(document)) + [UInt8(ascii: "\n")]
    }
}

import FoundationEssentials

/// How every JSON document of the program is written.
package enum JSONDocument {
    /// The document with keys sorted, slashes as they are, moments in ISO 8601, and a newline at the end.
    package static func bytes(_ document: some Encodable) throws -> [UInt8] {
        try bytes(document, [.prettyPrinted])
    }

    /// The same document on one line.
    package static func line(_ document: some Encodable) throws -> [UInt8] { try bytes(document, []) }

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

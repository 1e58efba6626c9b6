package import FoundationEssentials
import Platform
import Text

/// How the agent's own JSON is read and written: times in RFC 3339, slashes as they are.
package enum QueueCoding {
    package static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = odd
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601.text(date))
        }
        return encoder
    }()

    /// Figures of others may be no numbers, and must not keep what stands beside them from being written.
    private static let odd = JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")

    package static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        decoder.dateDecodingStrategy = .custom { decoder in
            try FileTime(from: decoder).date
        }
        return decoder
    }()
}

package import FoundationEssentials
import Platform
import Text

/// The coding of the agent's own JSON: times in RFC 3339, slashes not escaped.
package enum QueueCoding {
    /// Writes sorted keys, and dates with milliseconds.
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

    /// Numbers from outside may be infinite or NaN, which must not make a document unwritable.
    private static let odd = JSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")

    /// Reads what `encoder` writes; dates may have any number of digits.
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

package import FoundationEssentials

/// A name for one item: 26 characters that sort by the time they were made (a ULID).
package struct ItemIdentifier: Hashable, Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }

    /// 48 bits of milliseconds since 1970, then 80 random bits, in Crockford's base 32.
    package init(at now: Date, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(max(0, now.timeIntervalSince1970 * 1_000))
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        let time = (0..<10).map { alphabet[Int(milliseconds >> (45 - 5 * UInt64($0)) & 31)] }
        let random = (0..<16).map { _ in alphabet[Int(generator.next() & 31)] }
        text = String(decoding: time + random, as: UTF8.self)
    }

    package init(at now: Date) {
        var generator = SystemRandomNumberGenerator()
        self.init(at: now, using: &generator)
    }
}

extension ItemIdentifier: Codable {
    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

package import FoundationEssentials
package import Platform
import Text

/// A name for one item: 26 characters that sort by the time they were made (a ULID).
package struct ItemIdentifier: Hashable, Sendable {
    /// The 26 characters.
    package let text: String

    /// A name read back from state, taken as it is.
    package init(text: String) {
        self.text = text
    }

    /// A new identifier: 48 bits of milliseconds since 1970, then 80 random bits, in Crockford's base 32.
    package init(at now: Date, using generator: inout some RandomNumberGenerator) {
        var text = Self.digits(of: FileTime(now))
        text.reserveCapacity(26)
        Self.append(generator.next(), digits: 8, to: &text)
        Self.append(generator.next(), digits: 8, to: &text)
        self.text = String(decoding: text, as: UTF8.self)
    }

    /// The same random bits with the milliseconds of `now`, for what is to count as made at that time.
    package func redated(at now: Date) -> ItemIdentifier {
        let time = String(decoding: Self.digits(of: FileTime(now)), as: UTF8.self)
        return ItemIdentifier(text: time + text.dropFirst(Self.timeDigits))
    }

    /// Whether both are of the same item, whatever times they count as made at.
    package func isSame(as other: ItemIdentifier) -> Bool {
        text.utf8.dropFirst(Self.timeDigits).elementsEqual(other.text.utf8.dropFirst(Self.timeDigits))
    }

    /// Whether it counts as made at `time` or later, to the millisecond.
    package func isMade(since time: FileTime) -> Bool {
        let earliest = Self.digits(of: time)
        return !text.utf8.prefix(earliest.count).lexicographicallyPrecedes(earliest)
    }

    private static func digits(of time: FileTime) -> [UInt8] {
        var text: [UInt8] = []
        append(UInt64(max(0, time.nanoseconds / 1_000_000)), digits: UInt64(timeDigits), to: &text)
        return text
    }

    private static let timeDigits = 10

    /// The lowest `digits` times five bits of `number`, the highest of them first.
    private static func append(_ number: UInt64, digits: UInt64, to text: inout [UInt8]) {
        for digit in (0..<digits).reversed() { text.append(alphabet[Int(number >> (5 * digit) & 31)]) }
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The same, with the system's random numbers.
    package init(at now: Date) {
        var generator = SystemRandomNumberGenerator()
        self.init(at: now, using: &generator)
    }
}

extension ItemIdentifier: Codable {
    /// Reads the identifier as it is; its form is not checked.
    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the identifier as one string.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

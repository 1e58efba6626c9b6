import Platform

/// Names one intent, so that a provider that hears of it twice acts once; a UUID.
package struct IdempotencyKey: RawRepresentable, Hashable, Codable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A key that nobody has used: a random UUID (RFC 9562, version 4).
    package static func fresh() -> IdempotencyKey {
        var bytes = Randomness.bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array("0123456789abcdef")
        let text = bytes.enumerated().map { place, byte in
            let dash = [4, 6, 8, 10].contains(place) ? "-" : ""
            return "\(dash)\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
        return IdempotencyKey(rawValue: text.joined())
    }
}

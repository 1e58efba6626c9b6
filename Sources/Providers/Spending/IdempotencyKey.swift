import Platform

/// Names one intent, so that a provider that receives it twice acts once; a UUID.
package struct IdempotencyKey: RawRepresentable, Hashable, Codable, Sendable {
    /// The UUID as it is sent and stored, in lower case where `fresh` made it.
    package let rawValue: String

    /// A key that was stored or received; its form is not checked.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A new key that no earlier intent has: a random UUID (RFC 9562, version 4).
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

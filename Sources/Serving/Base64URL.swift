import FoundationEssentials

/// Base64 with `-` and `_` and without padding (RFC 4648, section 5).
package enum Base64URL {
    /// `bytes` as text, without padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString()
        return String(
            decoding: text.utf8.compactMap { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }, as: UTF8.self)
    }

    /// The bytes of `text`; `nil` if it is not base64 of this kind.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        // Checked first, because Foundation reads equals signs anywhere as zeros.
        guard text.utf8.allSatisfy(isDigit) else { return nil }
        var plain = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        plain += Array(repeating: UInt8(ascii: "="), count: (4 - plain.count % 4) % 4)
        return Data(base64Encoded: String(decoding: plain, as: UTF8.self)).map(Array.init)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

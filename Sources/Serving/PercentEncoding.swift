/// Percent escapes of URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
    /// The bytes that `text` stands for, or `nil` where a `%` is not followed by two hex digits.
    package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        decode(Array(text.utf8)) { nil }
    }

    /// As `decoded`, but a `%` that starts no escape stands for itself.
    package static func decodedLeniently(_ bytes: [UInt8]) -> [UInt8] {
        decode(bytes) { UInt8(ascii: "%") } ?? bytes
    }

    private static func decode(_ bytes: [UInt8], brokenEscape: () -> UInt8?) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "%") {
                result.append(bytes[index])
            } else if index + 2 < bytes.count, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) {
                result.append(high << 4 | low)
                index += 2
            } else {
                guard let replacement = brokenEscape() else { return nil }
                result.append(replacement)
            }
            index += 1
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

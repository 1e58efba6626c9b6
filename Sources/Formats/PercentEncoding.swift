/// Percent escapes of URLs (RFC 3986, section 2.1): which bytes stay as they are, and how escapes are undone.
package enum PercentEncoding {
    /// Escapes as ECMAScript's `encodeURIComponent` does: only letters, digits and `-_.!~*'()` stay.
    case component
    /// Escapes each segment as `component` does: slashes stay, too.
    case path
    /// Escapes as `encodeURI` does, and also `?` and `#`, because the sign route compares its path half decoded
    /// (contract, section 1.5).
    case signing
    /// Escapes a path as GLib does for `file:` URIs, because desktops name thumbnails after those.
    case file

    /// `text` in UTF-8, with `%XX` for every byte that may not stay.
    package func encoded(_ text: String) -> String { encoded(text.utf8) }

    /// The bytes as text, with `%XX` for every byte that may not stay.
    package func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var encoded: [UInt8] = []
        for byte in bytes {
            if isLiteral(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "/"): self != .component
        default:
            Self.marks.contains(byte) || self == .signing && Self.signingMarks.contains(byte)
                || self == .file && Self.fileMarks.contains(byte)
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let marks = Set("-_.!~*'()".utf8)
    private static let signingMarks = Set(";,:@&=+$".utf8)
    private static let fileMarks = Set(",:@&=+$".utf8)
}

extension PercentEncoding {
    /// The bytes that `text` stands for, or `nil` if a `%` is not followed by two hex digits.
    package static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        decode(Array(text.utf8)) { nil }
    }

    /// Decodes as `decoded` does, but keeps a `%` that begins no valid escape.
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

    /// What ECMAScript's `decodeURI` returns for `text`; `nil` if it would throw.
    ///
    /// Escapes of characters that separate parts of a URL are kept.
    package static func decodedURI(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            kept.append(byte)
            guard byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2]), ";/?:@&=+$,#".utf8.contains(high << 4 | low)
            else { continue }
            // Escaping the percent sign of an escape makes it survive the decoding.
            kept += "25".utf8
        }
        return decoded(String(decoding: kept, as: UTF8.self)).flatMap { String(validating: $0, as: UTF8.self) }
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

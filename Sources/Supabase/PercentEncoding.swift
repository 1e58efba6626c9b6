/// How text becomes part of a URL's path, which differs by route (contract section 3).
package enum PercentEncoding {
    /// As `encodeURIComponent`, segment by segment: slashes stay, of the rest only unreserved bytes.
    case component
    /// As `encodeURI`, but for `?` and `#`: the sign route compares its path half decoded (contract 1.5).
    case signing

    /// `text` as path bytes; every other byte of its UTF-8 becomes `%XX`.
    package func path(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
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
        default:
            Self.marks.contains(byte) || self == .signing && Self.signingMarks.contains(byte)
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let marks = Set("/-_.!~*'()".utf8)
    private static let signingMarks = Set(";,:@&=+$".utf8)
}

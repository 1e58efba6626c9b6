/// A word of JSON5 without quotation marks, and what is wrong with it where it stands.
struct JSON5Word {
    let text: String

    init(_ text: String) { self.text = text }

    /// Why it is no value, as a clause; `nil` for a number and the words that are values.
    var faultAsValue: String? {
        if Self.constants.contains(text) { return nil }
        let unsigned = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
        if ["NaN", "Infinity"].contains(unsigned) { return nil }
        if let first = unsigned.unicodeScalars.first, !"+-.0123456789".unicodeScalars.contains(first) {
            let meant = Self.constants.first { $0 == text.lowercased() }
            return "\(text) is no value; " + (meant.map { "did you mean \($0)?" } ?? Self.advice)
        }
        guard !Self.isNumber(unsigned) else { return nil }
        // Other letters are those of a unit, unless they stand among the digits of a hexadecimal number.
        let isMeant = Self.isHexadecimal(unsigned) || unsigned.allSatisfy { "+-._".contains($0) || $0.isHexDigit }
        return "\(text) is no number" + (isMeant ? "" : "; " + Self.advice)
    }

    /// Why it can be no name, as a clause (JSON5 1.0.0, 3: a name is an IdentifierName); `nil` if it may be one.
    var faultAsName: String? {
        let isStart = text.unicodeScalars.first.map { !("0"..."9").contains($0) } ?? false
        let isName = isStart && text.unicodeScalars.allSatisfy { !$0.isASCII || Self.mayBeInName($0) }
        return isName ? nil : "the name \(text) needs quotation marks"
    }

    private static let constants = ["true", "false", "null"]
    private static let advice = "text needs quotation marks"

    /// Whether a number without its sign is one (JSON5 1.0.0, 6).
    private static func isNumber(_ text: Substring) -> Bool {
        if isHexadecimal(text) {
            return text.count > 2 && text.dropFirst(2).allSatisfy(\.isHexDigit)
        }
        let isOctal = text.hasPrefix("0") && text.dropFirst().first.map { $0.isNumber } == true
        return !isOctal && !text.hasPrefix("+") && !text.hasPrefix("-") && Double(text) != nil
    }

    private static func isHexadecimal(_ text: Substring) -> Bool { text.hasPrefix("0x") || text.hasPrefix("0X") }

    private static func mayBeInName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // A backslash begins an escape.
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "\\": true
        default: false
        }
    }
}

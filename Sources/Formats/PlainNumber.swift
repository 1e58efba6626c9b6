/// Numbers in text from outside, read more strictly than by `Int("+6")`, because no protocol or form writes a plus.
extension FixedWidthInteger {
    /// The number that `text` writes in decimal digits alone; `nil` for a sign, for no digits, and if it does not fit.
    package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy(isDigit) else { return nil }
        self.init(text)
    }
}

extension Double {
    /// The number that `text` writes in decimal digits with at most one point; `nil` for signs, powers and words.
    package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        self.init(text)
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

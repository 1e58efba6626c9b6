/// A pattern of paths in which `*` stands for any bytes, none included.
package struct Wildcard: Hashable, Sendable {
    package let pattern: String

    package init(_ pattern: String) {
        self.pattern = pattern
    }

    /// Whether the whole of `text` fits.
    package func matches(_ text: some StringProtocol) -> Bool {
        Self.matches(Array(text.utf8)[...], Array(pattern.utf8)[...])
    }

    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        guard let star = pattern.firstIndex(of: UInt8(ascii: "*")) else { return text == pattern }
        let (head, tail) = (pattern[..<star], pattern[(star + 1)...])
        guard text.starts(with: head) else { return false }
        var rest = text.dropFirst(head.count)
        while true {
            if matches(rest, tail) { return true }
            if rest.isEmpty { return false }
            rest = rest.dropFirst()
        }
    }
}

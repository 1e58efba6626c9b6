/// A pattern for paths in which `*` stands for any number of bytes, also for none.
package struct Wildcard: Hashable, Sendable {
    /// The text of the pattern; all bytes but `*` stand for themselves.
    let pattern: String

    /// Every text is a valid pattern; an asterisk cannot be escaped.
    package init(_ pattern: String) {
        self.pattern = pattern
    }

    /// Whether the pattern matches the whole of `text`.
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

/// Colours for a terminal, or none.
package struct Paint: Hashable, Sendable {
    /// Whether escape sequences are written at all.
    package let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    /// Text as it is.
    package static let none = Paint(isOn: false)

    package func bold(_ text: String) -> String { painted(text, "1") }
    package func dim(_ text: String) -> String { painted(text, "2") }
    package func good(_ text: String) -> String { painted(text, "32") }
    package func bad(_ text: String) -> String { painted(text, "31") }
    package func waiting(_ text: String) -> String { painted(text, "33") }

    private func painted(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

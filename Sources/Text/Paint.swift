/// Colours for a terminal, or none.
package struct Paint: Hashable, Sendable {
    /// Whether escape sequences are written at all.
    package let isOn: Bool

    /// Colours where `isOn`.
    package init(isOn: Bool) { self.isOn = isOn }

    /// Text as it is.
    package static let none = Paint(isOn: false)

    /// What stands out without a judgement.
    package func bold(_ text: String) -> String { painted(text, "1") }
    /// What is there for completeness.
    package func dim(_ text: String) -> String { painted(text, "2") }
    /// What is done, in green.
    package func good(_ text: String) -> String { painted(text, "32") }
    /// What went wrong, in red.
    package func bad(_ text: String) -> String { painted(text, "31") }
    /// What is not done yet, in yellow.
    package func waiting(_ text: String) -> String { painted(text, "33") }

    private func painted(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Colours for a terminal, or none.
package struct Paint: Hashable, Sendable {
    /// Whether escape sequences are written at all.
    let isOn: Bool

    /// Paint that writes colours if `isOn`.
    package init(isOn: Bool) { self.isOn = isOn }

    /// Paint that leaves text as it is.
    package static let none = Paint(isOn: false)

    /// Bold, for what stands out without being good or bad.
    package func bold(_ text: String) -> String { painted(text, "1") }
    /// Dim, for secondary details.
    package func dim(_ text: String) -> String { painted(text, "2") }
    /// Green, for what is done.
    package func good(_ text: String) -> String { painted(text, "32") }
    /// Red, for what went wrong.
    package func bad(_ text: String) -> String { painted(text, "31") }
    /// Yellow, for what is not done yet.
    package func waiting(_ text: String) -> String { painted(text, "33") }

    private func painted(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// Text escaped for troff, for the macros of man(7).
enum Roff {
    /// `text` so that it prints literally: escapes are neutral, and minus signs can be copied.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            result += special[character] ?? String(character)
        }
        return result
    }

    /// A line of text, which never begins a request.
    static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// An argument of a macro.
    static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    private static let special: [Character: String] = [
        "\\": "\\e", "-": "\\-", "\"": "\\(dq", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        "…": "\\&.\\|.\\|.\\&",
    ]
}

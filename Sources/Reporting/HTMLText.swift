import Text

/// Text escaped for HTML.
enum HTMLText {
    /// `text` for element content and quoted attributes; control characters become `·`.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in DisplayText.safe(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

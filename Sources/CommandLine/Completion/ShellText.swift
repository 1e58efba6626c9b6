/// Text quoted for shells.
enum ShellText {
    /// `text` in single quotes, so that no shell expands anything in it.
    static func quoted(_ text: String, quote: String = "'\\''") -> String {
        "'" + text.replacing("'", with: quote) + "'"
    }
}

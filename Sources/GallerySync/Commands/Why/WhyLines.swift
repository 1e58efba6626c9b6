import Text

/// The decisions about a file as text.
enum WhyLines {
    /// The file, whole in one line, then its decisions in lines of at most `columns`.
    static func text(_ path: String, _ decisions: [String], columns: Int) -> [String] {
        [DisplayText.safe(path)]
            + decisions.flatMap { decision in
                DisplayText.wrapped(DisplayText.safe(decision), columns: columns - 4, keepsWords: true).enumerated().map
                {
                    ($0 == 0 ? "  " : "    ") + $1
                }
            }
    }
}

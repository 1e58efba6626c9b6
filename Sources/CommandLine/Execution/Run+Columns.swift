import Platform

extension Run {
    /// Columns for sentences among the results: those of the terminal, at most 80; 80 without one.
    package var columns: Int { Self.columns(of: 1) }

    /// Columns for lines on the terminal that is open as `descriptor`; 80 without one.
    ///
    /// - Parameter most: What a wider terminal counts as: sentences get 80, tables more.
    package static func columns(of descriptor: Int32, atMost most: Int = 80) -> Int {
        min(Terminal.columns(descriptor) ?? 80, most)
    }
}

import Platform

extension Run {
    /// Columns for sentences among the results: those of the terminal, at most 80; 80 without one.
    package var columns: Int { Self.columns(of: 1) }

    /// Columns for sentences on the terminal that is open as `descriptor`, at most 80; 80 without one.
    package static func columns(of descriptor: Int32) -> Int { min(Terminal.columns(descriptor) ?? 80, 80) }
}

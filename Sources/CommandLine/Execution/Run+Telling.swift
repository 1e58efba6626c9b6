import Output

/// What a command tells about its own work; `-q` leaves only what went wrong, and what the command was asked for.
extension Run {
    /// Writes on standard output what was done, unless `-q` was given.
    package func confirm(_ lines: [String]) throws {
        if !invocation.isQuiet { try console.result(prose: lines) }
    }

    /// Writes on standard error what is worth knowing and not wrong, unless `-q` was given.
    package func remark(_ lines: String...) {
        if !invocation.isQuiet { console.note(lines) }
    }
}

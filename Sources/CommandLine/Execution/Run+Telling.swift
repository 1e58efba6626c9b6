import Output

/// What a command tells about its own work; `-q` leaves only what went wrong, and what the command was asked for.
///
/// Asked for is what is known from the output alone: a list, a plan, a document, a link, the name of a file that the program
/// chose. Steps, counts of what was done, and files that were made where the user said are not.
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

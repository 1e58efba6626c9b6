import Platform

/// `help`: explains commands, on the terminal or as manual pages.
enum HelpRequest: Command {
    case overview
    /// One command, by its name.
    case command(String)
    /// Writes the manual pages into a directory.
    case manual(FilePath)

    func perform(in run: Run) throws -> ExitCode { try run.help(self) }
}

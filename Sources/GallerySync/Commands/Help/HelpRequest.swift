import CommandLine
import Output
import Platform

/// `help`: explains commands, on the terminal or as manual pages.
enum HelpRequest: Command {
    case overview
    /// One command, by its name.
    case command(String)
    /// The JSON documents that commands write.
    case documents
    /// The JSON Schema of one document, by its name.
    case document(String)
    /// Writes all JSON Schemas into a directory.
    case schemas(FilePath)
    /// Writes the manual pages into a directory.
    case manual(FilePath)

    var hasJSON: Bool { if case .document = self { true } else { false } }

    func perform(in run: Run) throws -> ExitCode { try run.help(self) }
}

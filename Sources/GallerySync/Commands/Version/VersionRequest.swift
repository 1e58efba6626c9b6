import CommandLine
import Output

/// `version`: which version of the program this is.
struct VersionRequest: Command {
    func perform(in run: Run) throws -> ExitCode { try run.version() }
}

import CommandLine
import Output

/// `completion`: prints the script by which a shell completes our commands.
struct CompletionRequest: Command {
    var shell: Shell

    var hasJSON: Bool { false }

    func perform(in run: Run) throws -> ExitCode { try run.completion(self) }
}

/// The shells for which there is a completion script.
enum Shell: String, Hashable, Sendable, CaseIterable {
    case bash, zsh, fish
}

import CommandLine
import Output

/// `completion`: prints what makes a shell complete our commands.
struct CompletionRequest: Command {
    var shell: Shell

    var hasJSON: Bool { false }

    func perform(in run: Run) throws -> ExitCode { try run.completion(self) }
}

/// The shells that know how to complete our commands.
enum Shell: String, Hashable, Sendable, CaseIterable {
    case bash, zsh, fish
}

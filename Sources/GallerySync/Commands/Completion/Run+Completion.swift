import CommandLine
import Output

extension Run {
    /// `completion`: prints the script by which `request`'s shell completes our commands.
    func completion(_ request: CompletionRequest) throws -> ExitCode {
        switch request.shell {
        case .bash: try console.result(BashCompletion(.all).lines)
        case .zsh: try console.result(ZshCompletion(.all).lines)
        case .fish: try console.result(FishCompletion(.all).lines)
        }
        return .success
    }
}

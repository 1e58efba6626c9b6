import CommandLine
import Output

extension Run {
    /// `completion`: what makes `request`'s shell complete our commands.
    func completion(_ request: CompletionRequest) throws -> ExitCode {
        switch request.shell {
        case .bash: try console.result(BashCompletion(.all).lines)
        case .zsh: try console.result(ZshCompletion(.all).lines)
        case .fish: try console.result(FishCompletion(.all).lines)
        }
        return .success
    }
}

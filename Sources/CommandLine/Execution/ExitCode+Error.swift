import Configuration
import Control
import Gallery
package import Output
import Platform
import Records

extension ExitCode {
    /// The exit code for an error that ends the program.
    package init(_ error: any Error) {
        switch error {
        case is UsageError, is OutputTaken, is OutputNowhere: self = .usage
        case let error as SettingsError: self = error.isTyped ? .usage : .configuration
        case let refusal as Refusal: self = ExitCode(refusal.ending)
        case is LockHeld: self = .locked
        case is AgentSilent, is AgentEnding: self = .temporary
        case let failure as ControlFailure: self = ExitCode(failure.kind)
        case let error as SystemError where error.isReaderGone: self = .readerGone
        default: self = ExitCode(Ending.Kind(error))
        }
    }
}

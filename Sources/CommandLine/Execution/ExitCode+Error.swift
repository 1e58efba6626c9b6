import Catalog
import Configuration
import Gallery
package import Output
import Platform

extension ExitCode {
    /// The exit code for an error that ends the program.
    package init(_ error: any Error) {
        switch error {
        case is UsageError, is OutputTaken: self = .usage
        case is SettingsError: self = .configuration
        case let refusal as Refusal: self = ExitCode(refusal.ending)
        case is LockHeld: self = .locked
        case let error as SystemError where error.isReaderGone: self = .readerGone
        default: self = ExitCode(Ending.Kind(error))
        }
    }
}

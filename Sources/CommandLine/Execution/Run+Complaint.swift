import Cleansing
package import Output
import Platform
import Records

extension ErrorDocument {
    /// The document of an error that ends the program.
    package init(_ error: any Error) {
        let code = ExitCode(error)
        if let usage = error as? UsageError {
            self.init(code, usage.message, next: usage.next)
        } else if let refusal = error as? Refusal, case .refused(let reason) = refusal.ending {
            self.init(code, reason, next: "Change what the message names, then run it again.")
        } else {
            self.init(code, "\(error)", next: (error as? SystemError)?.advice)
        }
    }

    /// The text for people about an error that ends the program: what went wrong, and what to do, if that is known.
    package static func words(of error: any Error) -> String {
        guard let advice = (error as? SystemError)?.advice else { return "\(error)" }
        return "\(error). \(advice)"
    }
}

extension Run {
    /// Reports on standard error why the command ends with `code`.
    package func complain(_ message: String, next: String? = nil, _ code: ExitCode) {
        let document = ErrorDocument(code, message, next: next)
        let text = next.map { "\(message) \($0)" } ?? message
        console.complain(text, document, isJSON: invocation.isJSON, by: surroundings.cleanser)
    }
}

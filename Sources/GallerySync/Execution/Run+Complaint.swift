import Cleansing
import Output

extension ErrorDocument {
    init(_ error: any Error) {
        let code = ExitCode(error)
        if let usage = error as? UsageError {
            self.init(code, usage.message, next: usage.next)
        } else {
            self.init(code, "\(error)")
        }
    }
}

extension Run {
    /// Says on standard error why the command ends with `code`.
    func complain(_ message: String, next: String? = nil, _ code: ExitCode) {
        let document = ErrorDocument(code, message, next: next)
        let text = next.map { "\(message) \($0)" } ?? message
        console.complain(text, document, isJSON: invocation.isJSON, by: surroundings.cleanser)
    }
}

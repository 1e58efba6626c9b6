package import Cleansing
import Text

/// An error for programs: one line of JSON on standard error.
package struct ErrorDocument: Encodable {
    let schema = "gallery-sync/error/1"
    /// The exit code that the program ends with.
    let exit: Int32
    /// What and where, one sentence.
    var message: String
    /// What to do now.
    let next: String

    /// - Parameter next: The next step that goes with the exit code unless given.
    package init(_ code: ExitCode, _ message: String, next: String? = nil) {
        exit = code.rawValue
        self.message = message
        self.next = next ?? code.next
    }

    /// One line without its newline, and without secrets.
    func line(by cleanser: Cleanser) -> String {
        var document = self
        document.message = message.linesOfText.map { cleanser.text($0) }.joined(separator: " ")
        // Two texts and a number can always be encoded, so the fallback is never used.
        return (try? JSONDocument.line(document)).map { String(decoding: $0.dropLast(), as: UTF8.self) } ?? "{}"
    }
}

extension Console {
    /// Reports an error on standard error: `text` for people, or the document for programs.
    package func complain(_ text: String, _ document: ErrorDocument, isJSON: Bool, by cleanser: Cleanser) {
        note(
            isJSON ? [document.line(by: cleanser)] : "gallery-sync: \(text)".linesOfText.map { cleanser.text($0) })
    }
}

extension String {
    fileprivate var linesOfText: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension ExitCode {
    /// What to do after a program that ended with this code, if its message says nothing better.
    var next: String {
        switch self {
        case .success: "Nothing."
        case .internalError: "Run it again with -v; if it stays, report it with what that prints."
        case .usage: "Run \"gallery-sync help\" to see what can be written."
        case .someFailed: "See \"gallery-sync status\"."
        case .temporary: "Run it again later."
        case .denied, .configuration: "Mend what the message names; \"gallery-sync doctor\" looks at all of it."
        case .full: "Make room at the destination, then run it again."
        case .locked: "Wait until the other one ends, or stop it."
        case .disk: "Look at the disk and make room, then run it again."
        case .interrupted, .terminated, .readerGone: "Run it again: it goes on where it was stopped."
        }
    }
}

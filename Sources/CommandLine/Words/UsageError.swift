package import Platform

/// A command line that cannot be parsed; exit code 2.
package struct UsageError: Error, Hashable {
    /// One sentence.
    let message: String
    /// The command whose help to point to; `nil` for the list of commands.
    var command: String?
    /// What to do now, where that is no matter of words.
    private var advice: String?

    /// An error about the words of `command`, or without one about all.
    package init(message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }
}

extension UsageError {
    /// An error about a path that `subject` names and that cannot be read.
    package init(_ subject: String, _ error: SystemError) {
        self.init(message: "\(subject): \(error.reason).")
        if error.isMissing { advice = "Look how it is spelled, and whether its disk is mounted." }
    }

    /// An error about an option whose value must be text, but is not UTF-8.
    init(notText option: String) { self.init(message: "The value of --\(option) is not UTF-8 text.") }
}

extension UsageError: CustomStringConvertible {
    /// The sentence, and what to do now in a line of its own.
    package var description: String { "\(message)\n\(next)" }

    /// What to do now.
    var next: String {
        if let advice { return advice }
        // Of "help" itself the list of commands is the help.
        let topic = command.map { $0 == "help" ? "" : " " + $0 } ?? ""
        return "Run \"gallery-sync help\(topic)\" to see what can be written."
    }
}

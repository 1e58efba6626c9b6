/// A command line that cannot be parsed; exit code 2.
struct UsageError: Error, Hashable {
    /// One sentence.
    let message: String
    /// The command whose help to point to; `nil` for the list of commands.
    var command: String?
}

extension UsageError: CustomStringConvertible {
    var description: String { "\(message)\n\(next)" }

    /// What to do now.
    var next: String {
        let topic = command.map { " " + $0 } ?? ""
        return "Run \"gallery-sync help\(topic)\" to see what can be written."
    }
}

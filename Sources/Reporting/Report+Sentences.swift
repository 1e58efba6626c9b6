import Text

extension Report.Failure {
    /// Which files, what happened, and what to do next.
    package var sentence: String {
        let others = count > 2 ? "\(Quantity.text(count: count - 1)) others" : "1 other"
        let files = path.isEmpty ? Quantity.text(count, noun) : count > 1 ? "\(path) and \(others)" : path
        return Sentence.mended("\(files): \(message)", next: next)
    }
}

extension Report.Blocked {
    /// The message of one of them, or else the reason in words.
    package var cause: String { message.isEmpty ? title : message }

    /// Such as `5 files, 5 pictures wait`.
    var waits: String { "\(quantity) \(count == 1 ? "waits" : "wait")" }

    /// How many files and pictures wait for what, and what to do next.
    package var sentence: String { Sentence.mended("\(waits): \(cause)", next: next) }

    /// Such as `No connection: 5 files wait: connection refused`, without a full stop.
    var clause: String { "\(title): \(waits)" + (message.isEmpty ? "" : ": " + message) }
}

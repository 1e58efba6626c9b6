package import Reporting
import Text

extension Report.Failure {
    /// Which files, what happened, and what to do next.
    package var sentence: String {
        let others = count > 2 ? "\(Quantity.text(count: count - 1)) others" : "1 other"
        let files = path.isEmpty ? Quantity.text(count, "file") : count > 1 ? "\(path) and \(others)" : path
        return Sentence.text("\(files): \(message)", next: next)
    }
}

extension Report.Blocked {
    /// How many items wait for what, and what to do next.
    package var sentence: String { Sentence.text(clause, next: next) }
}

/// What happened and what to do next, each with its full stop.
enum Sentence {
    static func text(_ what: String, next: String) -> String {
        let isWhole = what.last.map { ".!?".contains($0) } ?? true
        return what + (isWhole ? " " : ". ") + next
    }
}

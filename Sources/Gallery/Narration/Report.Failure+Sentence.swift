package import Reporting
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
    /// How many files and pictures wait for what, and what to do next.
    package var sentence: String {
        let cause = message.isEmpty ? title : message
        return Sentence.mended("\(quantity) \(count == 1 ? "waits" : "wait"): \(cause)", next: next)
    }
}

/// What happened and what to do next, each with its full stop.
enum Sentence {
    /// Leaves `next` out where `what` has said it already.
    static func mended(_ what: String, next: String) -> String {
        NextStep.remaining(next, after: what).map { text(what, next: $0) } ?? text(what, next: "")
    }

    static func text(_ what: String, next: String) -> String {
        let isWhole = what.last.map { ".!?".contains($0) } ?? true
        return what + (isWhole ? "" : ".") + (next.isEmpty ? "" : " " + next)
    }
}

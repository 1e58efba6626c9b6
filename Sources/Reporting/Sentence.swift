/// Puts together what happened and what to do next, each with its full stop.
package enum Sentence {
    /// Both sentences; leaves `next` out if `what` has said it already.
    package static func mended(_ what: String, next: String) -> String {
        NextStep.remaining(next, after: what).map { text(what, next: $0) } ?? text(what, next: "")
    }

    /// The text without its full stop, so that the sentence can go on.
    static func open(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

    /// Both sentences; `next` may be empty.
    package static func text(_ what: String, next: String) -> String {
        let isWhole = what.last.map { ".!?".contains($0) } ?? true
        return what + (isWhole ? "" : ".") + (next.isEmpty ? "" : " " + next)
    }
}

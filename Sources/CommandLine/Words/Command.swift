package import Output

/// What the command line asks for: one command, its words understood.
package protocol Command: Hashable, Sendable {
    /// Carries the command out, and says how it ended.
    func perform(in run: Run) async throws -> ExitCode
    /// Its word in the events that it writes under `--json`; `nil` if it answers with one document.
    var teller: String? { get }
    /// Whether it has anything to write as JSON.
    var hasJSON: Bool { get }
}

extension Command {
    /// No events: one document is the answer.
    package var teller: String? { nil }
    /// True, because nearly all commands write a document or events.
    package var hasJSON: Bool { true }
}

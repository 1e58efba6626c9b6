package import Output

/// What the command line asks for: one command, its words understood.
package protocol Command: Hashable, Sendable {
    /// Carries the command out, and says how it ended.
    func perform(in run: Run) async throws -> ExitCode
    /// Its word where it tells events under `--json`; `nil` where one document is its answer.
    var teller: String? { get }
    /// Whether it has anything to write as JSON.
    var hasJSON: Bool { get }
}

extension Command {
    /// No events: one document is the answer.
    package var teller: String? { nil }
    /// A document or events, as nearly all have.
    package var hasJSON: Bool { true }
}

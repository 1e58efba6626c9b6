import CommandLine
import Output
import Platform

/// `rescue`: what to bring from providers.
struct RescueRequest: Command {
    enum Source: Hashable, Sendable {
        /// Whatever is followed already.
        case known
        /// Links, or files that hold some.
        case links([FilePath])
        case provider(String)
        /// A table of the destination's database; `thumbnail` may be `-` for none.
        case table(String, column: String, thumbnail: String)
    }

    var source: Source
    var since: Since?
    /// When links expire that do not tell themselves; an age is one from now on.
    var expires: Since?
    var isDryRun = false

    var teller: String? { isDryRun ? nil : "rescue" }

    func perform(in run: Run) async throws -> ExitCode { try await run.rescue(self) }
}

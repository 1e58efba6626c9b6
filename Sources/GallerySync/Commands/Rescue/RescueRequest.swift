import CommandLine
import Output
import Platform

/// `rescue`: brings files from providers.
struct RescueRequest: Command {
    enum Source: Hashable, Sendable {
        /// The jobs that are followed already.
        case known
        /// Links, or files with lists of links.
        case links([FilePath])
        case provider(String)
        /// A table of the destination's database; `thumbnail` may be `-` for none.
        case table(String, column: String, thumbnail: String)
    }

    var source: Source
    var since: Since?
    /// When links expire that do not say so themselves; an age counts from now into the future.
    var expires: Since?
    var isDryRun = false

    var teller: String? { isDryRun ? nil : "rescue" }

    func perform(in run: Run) async throws -> ExitCode { try await run.rescue(self) }
}

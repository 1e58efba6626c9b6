import FoundationEssentials
import Gallery
import Platform
package import Supabase
import Sync
import Synchronization
import Text

/// Writes the events of one command to standard output, a line each; the last one is `finished`.
package final class EventStream: Sendable {
    private let console: Console
    /// What the last line says besides the exit code.
    private let conclusion = Mutex<[String: JSONValue]>([:])

    /// A stream that has told nothing yet.
    package init(_ console: Console) {
        self.console = console
    }

    /// Writes `event`.
    package func tell(_ event: Event) {
        // Where the reader is gone, the last line reports the failure.
        try? write(event)
    }

    /// Adds to what the last line says.
    package func conclude(with fields: [String: JSONValue]) {
        conclusion.withLock { $0.merge(fields) { _, new in new } }
    }

    /// Runs `body` between the first line and the last one, which says how it ended.
    ///
    /// - Parameter telling: What is said of an error, and the exit code for it.
    package func framing(
        _ command: String, telling: (any Error) -> (String, ExitCode), _ body: () async throws -> ExitCode
    ) async throws -> ExitCode {
        tell(Event(name: .started, fields: ["command": .string(command)]))
        do {
            let code = try await body()
            try finish(code)
            return code
        } catch {
            let (words, code) = telling(error)
            conclude(with: ["error": .string(words)])
            try finish(code)
            throw error
        }
    }

    private func finish(_ code: ExitCode) throws {
        conclude(with: ["exit": .integer(Int64(code.rawValue))])
        try write(Event(name: .finished, fields: conclusion.withLock { $0 }))
    }

    private func write(_ event: Event) throws {
        try console.result(json: JSONDocument.line(event.value(at: Date())))
    }
}

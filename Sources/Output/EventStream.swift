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
    /// The fields of the last line besides the exit code.
    private let conclusion = Mutex<[String: JSONValue]>([:])

    /// A stream that has written nothing yet.
    package init(_ console: Console) {
        self.console = console
    }

    /// Writes `event`.
    package func tell(_ event: Event) {
        // If the reader is gone, writing the last line reports the failure.
        try? write(event)
    }

    /// Adds fields to the last line.
    package func conclude(with fields: [String: JSONValue]) {
        conclusion.withLock { $0.merge(fields) { _, new in new } }
    }

    /// Writes the first line, runs `body`, and writes the last line, which says how it ended.
    ///
    /// - Parameter telling: The message for an error, and its exit code.
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

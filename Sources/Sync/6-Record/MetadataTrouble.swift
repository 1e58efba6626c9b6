package import Queue
package import Supabase

/// Why rows cannot be written, and when to try again.
package struct MetadataTrouble: Hashable, Sendable {
    /// What is wrong and what to do, for `status`.
    package let sentence: String
    let wait: Duration

    /// Judges an error of the request that writes rows.
    ///
    /// - Parameters:
    ///   - failures: How often in a row, this one included.
    ///   - random: In 0..<1; spreads the waits.
    package init(_ error: RestError, table: String, failures: Int, ladder: RetryLadder, random: Double) {
        sentence = "Rows for table \"\(table)\" wait: " + Self.reason(error, table)
        let asked = error.refusal?.retryAfter
        // Rows are never given up: the last rung is the longest wait.
        let rung = ladder.delay(after: min(failures, ladder.attempts - 1), asked: asked, random: random)
        wait = error.isRetryable ? min(rung ?? Self.probe, Self.probe) : Self.probe
    }

    /// The wait before another try if only the user can make it succeed, and the longest wait otherwise.
    static let probe = Duration.seconds(3600)

    private static func reason(_ error: RestError, _ table: String) -> String {
        let remedy = "Run config/supabase/metadata.sql in the project's SQL editor."
        switch error.refusal?.code {
        case "PGRST205", "42P01": return "the project has no such table. \(remedy)"
        case "42501": return "this sign-in may not write it. \(remedy)"
        case "PGRST204", "42P10", "23502", "42703":
            return "its columns are not those it needs (\(error)). \(remedy)"
        default: return "\(error)"
        }
    }
}

import Database
package import FoundationEssentials
import Platform
import Tables
import Text

extension Library {
    /// Dates the attempts, moves and deletions that were noted before the clock was set back `now`, with the next commit.
    ///
    /// By their own times they would be expected until the clock shows those once more. What was proven under their keys
    /// by the same clock is dated before them, so that they count as made after it, and the server is asked.
    package func redateLateRequests(destination: String, at now: Date) throws {
        let latest = FileTime(now + DatedWait.correction).nanoseconds
        let values: [Value] = [.text(destination), .integer(latest), .integer(FileTime(now).nanoseconds)]
        let isAhead = "destination = ?1 AND noted > ?2"
        let ahead = """
            SELECT key FROM attempts WHERE \(isAhead) UNION SELECT key FROM deletions WHERE \(isAhead)
            UNION SELECT key FROM moves WHERE \(isAhead) UNION SELECT source FROM moves WHERE \(isAhead)
            """
        guard try database.exists(ahead, binding: Array(values.dropLast())) else { return }
        // By a millisecond, as precise as it is stored.
        try write(
            "UPDATE receipts SET verified = ?3 - 1000000 WHERE destination = ?1 AND verified >= ?3 AND key IN (\(ahead))",
            binding: values)
        try writeAttempts("UPDATE attempts SET noted = ?3 WHERE \(isAhead)", binding: values)
        try write("UPDATE moves SET noted = ?3, earlier = min(earlier, ?3) WHERE \(isAhead)", binding: values)
        try write(
            "UPDATE deletions SET noted = ?3, earlier = min(earlier, ?3) WHERE \(isAhead)", binding: values)
    }
}

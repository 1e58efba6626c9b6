import Database
import Queue
import Tables

extension Library {
    /// The content types of what was read, and how many different contents have each.
    package func contentTypes() throws -> [String: Int] {
        let rows = try database.rows("SELECT type, count(*) FROM contents GROUP BY type") {
            ($0.text(0), $0.integer(1))
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.0, Int($0.1)) })
    }

    /// Bytes of the largest file that is stored or to be stored; 0 without any.
    package func largestSize() throws -> Int64 {
        let states = "\(assets: [.seen, .identifying, .queued, .stored, .failed])"
        return try database.first("SELECT coalesce(max(size), 0) FROM assets WHERE state IN \(states)") {
            $0.integer(0)
        } ?? 0
    }
}

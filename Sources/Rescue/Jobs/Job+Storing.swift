import FoundationEssentials
package import Queue

/// The jobs on disk: `jobs.json`, its journals, and quarantined lines.
package typealias JobStore = RecordStore<Job>

extension Job: Storable {
    /// The files are `jobs.json` and `jobs.journal.N.jsonl`.
    package static let storeName = "jobs"
    /// The key of the list in `jobs.json`.
    package static let listName = "jobs"
    /// The counts and files for a report, so that `JobSnapshot` need not read every job.
    package static func summary(of entries: [Job]) -> String? { JobSnapshot(entries).json }

    /// The job with its links as they are; no other place keeps the queries of links that are still of use.
    package func line() -> [UInt8] {
        // Text, numbers and dates always encode, so the fallback is never used.
        (try? QueueCoding.encoder.encode(self)).map { Array($0) } ?? []
    }
}

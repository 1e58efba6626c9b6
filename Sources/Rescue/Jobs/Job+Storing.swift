import FoundationEssentials
package import Queue

/// Jobs on disk: `jobs.json`, its journals, and what was unreadable in them.
package typealias JobStore = RecordStore<Job>

extension Job: Storable {
    package static let storeName = "jobs"
    package static let listName = "jobs"
    package static func summary(of entries: [Job]) -> String? { JobSnapshot(entries).json }

    package func line() -> [UInt8] {
        // Text, numbers and dates always encode.
        (try? QueueCoding.encoder.encode(self)).map { Array($0) } ?? []
    }
}

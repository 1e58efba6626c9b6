package import FoundationEssentials
package import Platform
import Queue

/// The figures of all jobs, read from their files by somebody who does not hold the lock.
package struct JobSnapshot: Codable, Hashable, Sendable {
    /// With as many files as a report names of those that have time, and as many lost ones.
    private let rescue: RescueSummary?

    private enum CodingKeys: String, CodingKey { case rescue }

    /// Reads the jobs in a state directory.
    ///
    /// The head of `jobs.json` sums up the rest; only when a journal has gone on since are jobs read.
    package init(state: FilePath) throws {
        let store = try JobStore(state: state)
        self = try store.summary() ?? JobSnapshot(try store.load().entries)
    }

    init(_ jobs: [Job]) {
        var rescue = RescueSummary(of: jobs)
        var room = [false: RescueSummary.fileLimit, true: RescueSummary.fileLimit]
        rescue?.files.removeAll { file in
            room[file.danger == .lost, default: 0] -= 1
            return room[file.danger == .lost, default: 0] < 0
        }
        self.rescue = rescue
    }

    /// What a report says of them; `nil` without any.
    package func report(at now: Date) -> RescueSummary? { rescue?.judged(at: now) }

    /// As it stands in the head of `jobs.json`, without a line break.
    var json: String {
        // Counts, names and dates always encode.
        (try? QueueCoding.encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

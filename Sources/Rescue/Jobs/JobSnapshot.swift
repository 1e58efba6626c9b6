package import FoundationEssentials
package import Platform
import Queue

/// The counts of all jobs, read from their files by a process that does not hold the lock.
package struct JobSnapshot: Codable, Hashable, Sendable {
    /// At most `RescueSummary.fileLimit` files that are not lost, and as many lost ones.
    private let rescue: RescueSummary?

    private enum CodingKeys: String, CodingKey { case rescue }

    /// Reads the jobs in a state directory.
    ///
    /// The head of `jobs.json` holds this summary; the jobs are read only if the journal has grown since.
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

    /// What a report says about the jobs; `nil` where there are none.
    package func report(at now: Date) -> RescueSummary? { rescue?.judged(at: now) }

    /// As it stands in the head of `jobs.json`, without a line break.
    var json: String {
        // Counts, names and dates always encode, so the fallback is never used.
        (try? QueueCoding.encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

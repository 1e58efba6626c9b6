package import FoundationEssentials

/// What a rescue would bring, or has brought: one line a file.
package struct RescueListing: Hashable, Codable, Sendable {
    package var rows: [Row]
    /// What could not be listed, a sentence each.
    package var notes: [String]

    private enum CodingKeys: String, CodingKey { case rows, notes }

    package init(rows: [Row] = [], notes: [String] = []) {
        self.rows = rows
        self.notes = notes
    }

    /// The jobs in it, each once.
    package var jobs: [JobIdentifier] {
        var seen: Set<String> = []
        return rows.map(\.job).filter { seen.insert($0).inserted }.map(JobIdentifier.init(rawValue:))
    }

    /// One file; of a job that has none yet, the job.
    package struct Row: Hashable, Codable, Sendable {
        /// The job's identifier.
        package var job: String
        /// Its path below the root of rescued files, else the name in the link; `nil` before the job has ended.
        package var file: String?
        /// Without its query.
        package var link: String?
        /// Bytes.
        package var size: Int64?
        package var expires: Date?
        /// Whether that is worked out from the provider's usual lifetime.
        package var isAssumed: Bool
        /// Whether it fits what is left of the storage's budget; `nil` where nobody can tell.
        package var fits: Bool?
        /// The file's stage, or the job's state while it has no files; `new` for what is not in the book yet.
        package var state: String
        /// Why it failed or waits.
        package var note: String?

        private enum CodingKeys: String, CodingKey {
            case job, file, link, size, expires, isAssumed, fits, state, note
        }

        package init(job: String, state: String) {
            self.job = job
            self.state = state
            isAssumed = false
        }
    }
}

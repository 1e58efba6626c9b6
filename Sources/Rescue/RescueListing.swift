package import FoundationEssentials

/// What a rescue would bring, or has brought: one row for each file.
package struct RescueListing: Hashable, Codable, Sendable {
    /// In the order of their deadlines, those without one last.
    package var rows: [Row]
    /// What could not be listed, a sentence each.
    package var notes: [String]

    private enum CodingKeys: String, CodingKey { case rows, notes }

    /// A listing of rows that the caller has sorted.
    package init(rows: [Row] = [], notes: [String] = []) {
        self.rows = rows
        self.notes = notes
    }

    /// The jobs in the listing, each once.
    package var jobs: [JobIdentifier] {
        var seen: Set<String> = []
        return rows.map(\.job).filter { seen.insert($0).inserted }.map(JobIdentifier.init(rawValue:))
    }

    /// One file, or a job that has none yet.
    package struct Row: Hashable, Codable, Sendable {
        /// The job's identifier.
        package var job: String
        /// Its path below the root of rescued files, else the name in the link; `nil` before the job has ended.
        package var file: String?
        /// The link without its query.
        package var link: String?
        /// Bytes.
        package var size: Int64?
        /// When the provider deletes it; `nil` where that is unknown, or it is on this disk.
        package var expires: Date?
        /// Whether `expires` is derived from the provider's usual lifetime.
        package var isAssumed: Bool
        /// Whether it fits into what is left of the storage budget; `nil` where its size is unknown.
        package var fits: Bool?
        /// The file's stage, or the state of a job without files; also `new`, `cancelled` and `refused`.
        package var state: String
        /// Why it failed or waits.
        package var note: String?

        private enum CodingKeys: String, CodingKey {
            case job, file, link, size, expires, isAssumed, fits, state, note
        }

        /// A row with nothing but its state; the caller fills in the rest.
        package init(job: String, state: String) {
            self.job = job
            self.state = state
            isAssumed = false
        }
    }
}

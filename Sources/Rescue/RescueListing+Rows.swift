import Cleansing
import FoundationEssentials
import Platform
package import Providers
import Queue
import Text

extension RescueListing {
    /// One row for each file of `job`, or one for a job that has none yet.
    ///
    /// - Parameters:
    ///   - isNew: Whether the job was not in the registry before.
    ///   - rules: New files whose links these forbid are listed as `refused`, before anything is requested.
    package static func rows(of job: Job, isNew: Bool, rules: LinkRules = LinkRules()) -> [Row] {
        guard !job.files.isEmpty else {
            var row = Row(job: job.id.rawValue, state: isNew ? "new" : job.isCancelled ? "cancelled" : job.state.word)
            if job.error != nil, !job.isCancelled { row.state = "failed" }
            row.note = job.loss ?? job.unanswered ?? job.delay
            return [row]
        }
        return job.files.map { file in
            var row = Row(job: job.id.rawValue, state: isNew ? "new" : file.stage.rawValue)
            if job.isCancelled, !file.isSettled { row.state = "cancelled" }
            row.file = file.path?.display ?? Self.name(of: file)
            row.link = Cleanser.link(file.link)
            row.size = file.knownSize
            row.expires = file.hasArrived ? nil : file.deadline?.date
            row.isAssumed = file.deadline?.isAssumed ?? false
            row.note = file.failure?.message ?? Self.note(file.row) ?? file.thumbnailNote
            if isNew, let refusal = rules.refusal(of: file.link) {
                row.state = "refused"
                row.note = "\(refusal)"
            }
            return row
        }
    }

    /// The name by the provider, else the last segment of the link's path.
    private static func name(of file: JobFile) -> String? {
        file.fileName ?? WebAddress(file.link)?.path.split(separator: "/").last.map(String.init)
    }

    private static func note(_ row: RowOutcome?) -> String? {
        switch row {
        case .left(let reason)?: "The row is left as it is: \(reason)"
        case .waiting(let reason)?: "The row could not be told yet: \(reason)"
        case .written?, nil: nil
        }
    }

    /// The listing with `fits` set: whether each file fits into `room` bytes together with those before it.
    package func fitted(into room: Int64?, isLimited: Bool) -> RescueListing {
        var listing = self
        var used: Int64 = 0
        for index in rows.indices where !["stored", "failed", "refused"].contains(rows[index].state) {
            guard isLimited, let room else {
                listing.rows[index].fits = true
                continue
            }
            guard let size = rows[index].size else { continue }
            used = used.adding(size: size)
            listing.rows[index].fits = used <= room
        }
        return listing
    }
}

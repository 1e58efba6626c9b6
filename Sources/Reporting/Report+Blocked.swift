import Catalog
import Configuration
package import Queue
import Records
import Supabase

extension QueueSnapshot {
    /// The causes that keep pending items waiting, by reason.
    package var blocked: [Report.Blocked] { Report.Blocked.counted(causes) }
}

extension Report.Blocked {
    /// Why pending items wait, by cause, with their numbers.
    package static func counted(_ items: [Item]) -> [Report.Blocked] {
        counted(QueueSnapshot(items).causes)
    }

    fileprivate static func counted(_ causes: [BlockedCause: BlockedCount]) -> [Report.Blocked] {
        causes.sorted { $0.key.text < $1.key.text }.map { Report.Blocked($0.key, $0.value) }
    }

    /// Why the items of the queue and those in the library wait, by cause.
    static func merged(_ queue: [Report.Blocked], _ elsewhere: [BlockedSum]) -> [Report.Blocked] {
        var merged = queue
        for sum in elsewhere {
            guard let reason = sum.reason else { continue }
            let count = BlockedCount(items: sum.count, files: sum.files, smallest: sum.smallest)
            let cause = BlockedCause(reason, code: sum.code)
            if let index = merged.firstIndex(where: { $0.isDue(to: cause) }) {
                merged[index].add(Report.Blocked(cause, count))
            } else {
                merged.append(Report.Blocked(cause, count))
            }
        }
        return merged.sorted { ($0.reason, $0.next) < ($1.reason, $1.next) }
    }

    /// Whether this line counts `cause`: causes with the same remedy share a line.
    func isDue(to cause: BlockedCause) -> Bool {
        reason == cause.reason.rawValue && next == NextStep.after(blocked: reason, code: cause.code)
    }

    private mutating func add(_ other: Report.Blocked) {
        count += other.count
        files += other.files
        pictures += other.pictures
        if message.isEmpty { (message, path) = (other.message, other.path) }
    }
}

extension Destination {
    /// The destination as the report shows it, under the address that the user wrote.
    package func described(as url: String?) -> Report.Destination {
        Report.Destination(url: isLocal ? nil : url ?? endpoint.base, bucket: bucket, prefix: prefix, local: isLocal)
    }
}

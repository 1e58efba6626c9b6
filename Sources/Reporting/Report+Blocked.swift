import Catalog
import Configuration
package import Queue
import Supabase

extension QueueSnapshot {
    /// What is in the way of pending items, by reason.
    package var blocked: [Report.Blocked] { Report.Blocked.counted(causes) }
}

extension Report.Blocked {
    /// Why pending items wait, by reason, with their numbers.
    package static func counted(_ items: [Item]) -> [Report.Blocked] {
        counted(Dictionary(items.compactMap(\.blockedCause).map { ($0, 1) }, uniquingKeysWith: +))
    }

    fileprivate static func counted(_ causes: [BlockedCause: Int]) -> [Report.Blocked] {
        causes.sorted { $0.key.text < $1.key.text }.map { Report.Blocked($0.key, count: $0.value) }
    }

    /// Why the items of the queue and those in the library wait, by reason.
    static func merged(_ queue: [Report.Blocked], _ elsewhere: [BlockedSum]) -> [Report.Blocked] {
        var merged = queue
        for sum in elsewhere {
            guard let reason = sum.reason else { continue }
            let added = Report.Blocked(BlockedCause(reason, code: sum.code), count: sum.count)
            if let index = merged.firstIndex(where: { $0.reason == added.reason && $0.next == added.next }) {
                merged[index].count += added.count
            } else {
                merged.append(added)
            }
        }
        return merged.sorted { ($0.reason, $0.next) < ($1.reason, $1.next) }
    }
}

extension Destination {
    /// The destination as the report shows it.
    package var described: Report.Destination {
        Report.Destination(url: isLocal ? nil : endpoint.base, bucket: bucket, prefix: prefix, local: isLocal)
    }
}

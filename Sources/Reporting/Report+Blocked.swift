import Catalog
import Configuration
package import Queue
import Supabase

extension QueueSnapshot {
    /// What is in the way of pending items, by reason.
    package var blocked: [Report.Blocked] {
        blocks.sorted { $0.key < $1.key }.map { Report.Blocked(cause: $0.key, count: $0.value) }
    }
}

extension Report.Blocked {
    /// What is in the way of pending items, by reason.
    package static func counted(_ items: [Item]) -> [Report.Blocked] {
        let causes = Dictionary(grouping: items.compactMap(\.blockedCause)) { $0 }
        return causes.sorted { $0.key < $1.key }.map { Report.Blocked(cause: $0.key, count: $0.value.count) }
    }

    /// What is in the way of the queue's items and of those in the library, by reason.
    static func merged(_ queue: [Report.Blocked], _ elsewhere: [BlockedSum]) -> [Report.Blocked] {
        var merged = queue
        for sum in elsewhere {
            guard let cause = sum.reason?.cause(code: sum.code) else { continue }
            let added = Report.Blocked(cause: cause, count: sum.count)
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
    /// As the report shows it.
    package var described: Report.Destination {
        Report.Destination(url: isLocal ? nil : endpoint.base, bucket: bucket, prefix: prefix, local: isLocal)
    }
}

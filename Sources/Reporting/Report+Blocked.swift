import Catalog
import Configuration
package import Queue
import Supabase

extension QueueSnapshot {
    /// Why pending items wait, by reason, with their numbers.
    package var blocked: [Report.Blocked] {
        blocks.sorted { $0.key < $1.key }.map { Report.Blocked(cause: $0.key, count: $0.value) }
    }
}

extension Report.Blocked {
    /// Why pending items wait, by reason, with their numbers.
    package static func counted(_ items: [Item]) -> [Report.Blocked] {
        let causes = Dictionary(grouping: items.compactMap(\.blockedCause)) { $0 }
        return causes.sorted { $0.key < $1.key }.map { Report.Blocked(cause: $0.key, count: $0.value.count) }
    }

    /// Why the items of the queue and those in the library wait, by reason.
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
    /// The destination as the report shows it.
    package var described: Report.Destination {
        Report.Destination(url: isLocal ? nil : endpoint.base, bucket: bucket, prefix: prefix, local: isLocal)
    }
}

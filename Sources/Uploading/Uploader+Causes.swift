import Catalog
import FoundationEssentials
package import Queue
import Records

// Causes outside the files, which may be gone by now: one item is tried, and its success frees the others.
extension Uploader {
    /// Makes the smallest item of each cause due again, unless one of that cause is on its way already.
    ///
    /// - Parameter isMeant: Which of the items that wait for a cause to be removed may be tried.
    package func probeCauses(of isMeant: @Sendable (Item) -> Bool = { _ in true }) async throws {
        let waiting = try await waiting()
        let onTheirWay = Set(waiting.queued.filter { $0.isOpen && $0.blocked == nil }.compactMap(\.cause))
        var first: [Cause: Item] = [:]
        for item in waiting.queued where item.awaitsMending && isMeant(item) {
            guard let cause = item.cause, !onTheirWay.contains(cause) else { continue }
            if item.size < first[cause]?.size ?? .max { first[cause] = item }
        }
        var elsewhere: [Cause: BlockedSum] = [:]
        for sum in waiting.elsewhere {
            guard sum.reason != nil, sum.smallest.awaitsMending, isMeant(sum.smallest), let cause = sum.smallest.cause,
                !onTheirWay.contains(cause), sum.smallest.size < first[cause]?.size ?? .max
            else { continue }
            first[cause] = nil
            elsewhere[cause] = sum
        }
        guard !first.isEmpty || !elsewhere.isEmpty else { return }
        let sizes = first.map { ($0, $1.size) } + elsewhere.map { ($0, $1.smallest.size) }
        if let smallest = sizes.filter({ $0.0.isSize }).map(\.1).min() { sender.limits.doubt(upTo: smallest) }
        let chosen = Set(first.values.map(\.id))
        try await queue.update(now: clock()) { chosen.contains($0.id) ? $0.probing : nil }
        for sum in elsewhere.values {
            guard let reason = sum.reason else { continue }
            try await library.unblockSmallest(reason, code: sum.code)
        }
        wake.notify()
    }

    /// Makes all items that failed for `cause` due again, because one of them is stored now.
    package func mended(_ cause: Cause) async throws {
        let counts = await queue.count()
        guard counts.blocked > 0 || counts.failed > 0 || library.hasBlocked else { return }
        let freed = try await queue.update(now: clock()) { item in
            item.awaitsMending && item.cause == cause ? item.requested : nil
        }
        for sum in try await waiting().elsewhere where sum.smallest.cause == cause {
            if let reason = sum.reason { try await library.unblock(reason, code: cause.code) }
        }
        // The queue keeps only the newest failed items; the library has the others read again.
        if counts.failed >= QueueWindow.kept, freed > 0 { try await library.readAgain(failedFor: cause.code) }
        wake.notify()
    }
}

extension Cause {
    fileprivate var isSize: Bool { code.isOfLimit }
}

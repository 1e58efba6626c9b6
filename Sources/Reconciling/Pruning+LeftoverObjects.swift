import Audit
import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Supabase
import Text
import Uploading

extension Pruning {
    /// Lists leftovers, which have no receipts, or deletes those that are still what we sent.
    ///
    /// With `root`, only those of that root, whether their files are there or not.
    func pruneLeftovers(of root: String? = nil, _ result: inout PruneResult) async throws {
        var last = ""
        while true {
            let page = try await context.library.attempts(
                destination: context.destination.name, after: last, count: Self.batch)
            guard let end = page.last else { break }
            let keys = Dictionary(grouping: page, by: \.key.text).sorted { $0.key < $1.key }
            for (_, attempts) in keys {
                guard let leftover = try await leftover(among: attempts) else { continue }
                if let root, try await leftovers.location(of: leftover)?.root != root { continue }
                try await prune(leftover, isNamed: root != nil, &result)
            }
            last = end.key.text
        }
        try await context.library.commit()
        try await context.uploader.unblockWhatFits()
    }

    /// The object under a key without a receipt, if it is ours and no open item is for that key.
    private func leftover(among attempts: [Attempt]) async throws -> Attempt? {
        guard let key = attempts.first?.key, await !context.isUnderWay(key),
            try await context.receipt(at: key) == nil
        else { return nil }
        let info = try await context.info(key)
        for attempt in attempts {
            guard try await context.uploader.sender.look(at: attempt, info) != nil else { continue }
            return try await context.library.attempts(at: key, destination: attempt.destination).first {
                $0.sha256 == attempt.sha256
            }
        }
        return nil
    }

    private func prune(
        _ leftover: Attempt, isNamed: Bool, _ result: inout PruneResult
    ) async throws {
        let name = try await leftovers.name(of: leftover)
        let key = leftover.key.text
        if !isNamed, let location = try await leftovers.location(of: leftover) {
            guard try await context.presence.isGone(location.path, root: location.root) else {
                return result.kept.append(
                    PruneResult.Kept(path: name, key: key, reason: "its file may be there: the next sync settles it"))
            }
        }
        if deleting, try await !leftovers.delete(leftover) {
            return result.kept.append(
                PruneResult.Kept(path: name, key: key, reason: "the server did not delete it: is that permitted?"))
        }
        result.objects.append(
            PruneResult.Object(
                path: name, key: key, role: leftover.role.rawValue, size: leftover.size, isLeftover: true,
                isSetAside: leftover.key.isBeside(leftover.sha256)))
    }
}

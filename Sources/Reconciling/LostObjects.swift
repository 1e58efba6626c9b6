import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Records
import Roots
import Supabase
import Text
import Uploading

/// Notices that objects are gone from the bucket, and has their files sent again.
///
/// This program is not told: another computer deletes or moves its own objects, a person deletes some by hand, and a
/// library that comes back from a backup lacks what was deleted since.
package struct LostObjects: Sendable {
    let context: ReconcilingContext

    /// Looks at what `context` has stored.
    package init(_ context: ReconcilingContext) { self.context = context }

    /// Seconds between two looks at the whole bucket: if this computer alone stores into it, and if others do, too.
    private static let (interval, sharedInterval) = (7 * 86_400.0, 86_400.0)

    /// Compares the bucket with the receipts if that is due, and has files sent again whose objects are gone.
    ///
    /// A changed object counts as gone if it is another computer's, or if the receipts may be older than it. If more
    /// are gone than the brake lets pass, they are only reported, as after `verify`, and so are our other changed
    /// objects. A storage that does not answer is asked again later.
    ///
    /// - Parameter hasScanned: Whether this run has looked at all roots before.
    package func sendAgain(hasScanned: Bool = true) async throws {
        let now = context.clock()
        if hasScanned { try await noteLookAtRoots() }
        guard !isBucketMissing, try await isLookDue(at: now) else { return }
        let isOutdated = try await context.library.mayLackReceipts()
        var inspection = Inspection(sample: nil, notesUnknown: false)
        do {
            try await BucketComparison(context).run(&inspection)
        } catch let error as StorageError {
            return context.log.debug("Whether all objects are there was not asked: \(error)")
        }
        try await context.complete(look: &inspection, at: now)
        let stored = try await context.library.counts().stored
        guard !inspection.lost.isEmpty, !Brake.holds(changed: inspection.lost.count, of: stored) else { return }
        var result = VerifyResult()
        let repair = ObjectRepair(context)
        for (receipt, held) in inspection.lost {
            let went = held.map { context.uploader.sender.otherComputer(of: $0) != nil } ?? true
            guard went || isOutdated, let asset = try await repair.sendableAsset(of: receipt) else { continue }
            try await repair.mend(receipt, held, by: asset, &result)
        }
        guard result.queued > 0 else { return }
        context.log.info("\(Quantity.text(result.queued, "object")) went from the bucket: stored again")
        try await context.library.commit()
        context.wake.notify()
    }

    /// Whether nothing can be sent because the bucket is not there: it would list as empty, and may come back as it was.
    private var isBucketMissing: Bool {
        context.uploader.obstacle.map { $0.reason == .bucketMissing && !$0.isDoubtful } ?? false
    }

    /// Notes that all files were looked at, unless some may be on a disk that is away.
    private func noteLookAtRoots() async throws {
        let library = context.library
        guard try await library.awaitsLookAtRoots(), try await library.absentRoots().isEmpty else { return }
        let dropped = Set(context.roots.dropped.map(\.name))
        for root in context.roots.all where !root.takesSound && !dropped.contains(root.name) {
            // A root that never showed a file may be the place of a disk that was not mounted yet.
            let isEmptied = try await library.fact(RootAbsence.emptiedFact(root.known)) != nil
            guard try await isEmptied ? true : library.knowsFiles(below: root.known.id) else { return }
        }
        try await library.noteLookAtRoots()
    }

    /// Whether the last look is long ago; if there was none, the time is counted from now.
    private func isLookDue(at now: Date) async throws -> Bool {
        guard let last = try await context.library.bucketLook() else {
            // New files are compared one by one, once the check of the bucket has found out whether that is needed.
            if context.uploader.isSureOfBucket { try await context.library.noteBucketLook(at: now) }
            return false
        }
        let interval = try await context.library.isShared() ? Self.sharedInterval : Self.interval
        return DatedWait(from: last, seconds: interval).isOver(at: now)
    }
}

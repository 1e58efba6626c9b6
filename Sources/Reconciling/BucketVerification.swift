import Catalog
import Configuration
import Queue
import Records
import Supabase
import Sync

/// Compares the whole bucket with the receipts, and a sample of the objects byte by byte.
package struct BucketVerification: Sendable {
    let context: ReconcilingContext
    let leftovers: LeftoverObjects

    /// A verification of what the context of `leftovers` has stored.
    package init(_ leftovers: LeftoverObjects) { (context, self.leftovers) = (leftovers.context, leftovers) }

    /// What a deep verification would download; computed from receipts, without a request.
    package func volume(_ order: VerifyOrder) async throws -> VerifyVolume {
        var volume = VerifyVolume()
        guard let percent = order.percent else { return volume }
        let sample = Sample(percent: percent, seed: order.seed)
        var last = ""
        while true {
            let page = try await context.library.receipts(
                destination: context.destination.name, after: last, count: VerificationPlan.pageSize)
            guard let end = page.last else { return volume }
            volume.total += page.count
            for receipt in page where sample.contains(receipt.key.text) {
                volume.objects += 1
                volume.bytes += receipt.size
            }
            last = end.key.text
        }
    }

    /// Compares the bucket with the receipts; an error of the storage ends it early, as `Inspection.failure` says then.
    package func inspect(_ order: VerifyOrder) async throws -> Inspection {
        var inspection = Inspection(sample: order.percent.map { Sample(percent: $0, seed: order.seed) })
        inspection.adopts = order.isRepairing
        let start = context.clock()
        do {
            try await leftovers.settleAttempts()
            try await BucketComparison(context).run(&inspection)
            for receipt in inspection.sampled { try await look(deeplyAt: receipt, &inspection) }
        } catch let error as StorageError {
            inspection.failure = error
            try await context.remember(inspection)
            return inspection
        }
        try await context.complete(&inspection, at: start)
        return inspection
    }
}

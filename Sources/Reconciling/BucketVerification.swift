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
        guard let sample = order.sample else { return volume }
        try await eachPage { page in
            let chosen = page.filter { sample.contains($0.key.text) }
            volume.total += page.count
            volume.objects += chosen.count
            volume.bytes += chosen.reduce(0) { $0 + $1.size }
        }
        return volume
    }

    /// Calls `body` with all receipts in the order of their keys, one page at a time.
    private func eachPage(_ body: ([Receipt]) async throws -> Void) async throws {
        var last = ""
        while true {
            let page = try await context.library.receipts(
                destination: context.destination.name, after: last, count: VerificationPlan.pageSize)
            guard let end = page.last else { return }
            try await body(page)
            last = end.key.text
        }
    }

    /// Compares the bucket with the receipts; an error of the storage ends it early, as `Inspection.failure` says then.
    package func inspect(_ order: VerifyOrder) async throws -> Inspection {
        var inspection = Inspection(sample: order.sample)
        // Until the files here are known, any of them would count as gone.
        inspection.adopts = order.isRepairing ? try await context.knowsFiles : false
        inspection.doubted = try await context.library.foundByDownload(destination: context.destination.name)
        let start = context.clock()
        var volume = try await volume(order)
        volume.total = try await context.library.counts().proofs.values.reduce(0, +)
        do {
            try await context.tally.following(volume) {
                try await leftovers.settleAttempts()
                try await BucketComparison(context).run(&inspection)
                try await lookDeeply(&inspection)
            }
        } catch let error as StorageError {
            inspection.failure = error
            try await context.remember(inspection)
            return inspection
        }
        try await context.complete(verification: &inspection, at: start)
        return inspection
    }

    /// Downloads the objects of the sample and those that were found wrong so before, except those known to be lost.
    private func lookDeeply(_ inspection: inout Inspection) async throws {
        let lost = Set(inspection.lost.map(\.receipt.key))
        guard inspection.sample != nil else {
            var doubted: [Receipt] = []
            for key in inspection.doubted.sorted().map(ObjectKey.init(text:)) where !lost.contains(key) {
                if let receipt = try await context.receipt(at: key) { doubted.append(receipt) }
            }
            return try await look(deeplyAt: doubted, &inspection)
        }
        try await eachPage { page in
            let chosen = page.filter { inspection.isDownloaded($0.key.text) && !lost.contains($0.key) }
            try await look(deeplyAt: chosen, &inspection)
        }
    }

    /// Downloads as many at once as files are sent at once, so that a distant server is not waited for each time.
    private func look(deeplyAt receipts: [Receipt], _ inspection: inout Inspection) async throws {
        try await receipts.forEach(atOnce: context.settings.upload.concurrency) {
            try await look(deeplyAt: $0)
        } then: {
            inspection.add($0)
        }
    }
}

extension VerifyOrder {
    /// Selects what is downloaded; `nil` for nothing.
    fileprivate var sample: Sample? { percent.map { Sample(percent: $0, seed: seed) } }
}

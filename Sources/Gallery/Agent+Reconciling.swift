import Catalog
import Configuration
import Platform
import Queue
package import Reconciling
package import Records
import Roots
import Supabase
import Uploading

extension Agent {
    /// What a deep verification would download; computed from receipts, without a request.
    package func verifyVolume(_ order: VerifyOrder) async throws -> VerifyVolume {
        try await BucketVerification(leftovers).volume(order)
    }

    /// Compares the bucket with the receipts, and repairs what differs where that is asked for.
    ///
    /// A storage error ends it early; then the result is not `isComplete`. A repair returns once the files are stored,
    /// or nothing falls due within `sync.patience`.
    package func verify(_ order: VerifyOrder) async throws -> (result: VerifyResult, ending: Ending) {
        do {
            try await refuseOtherDestination()
        } catch let refusal as Refusal {
            return (VerifyResult(), refusal.ending)
        }
        let inspection = try await BucketVerification(leftovers).inspect(order)
        if let failure = inspection.failure { return (inspection.result, Ending(looking: failure, at: setup.clock())) }
        let ended = order.isRepairing ? try await repair(inspection) : (inspection.result, inspection.ending)
        try await leftovers.forgetUnseen(inspection)
        return ended
    }

    private func repair(_ inspection: Inspection) async throws -> (result: VerifyResult, ending: Ending) {
        let repair = ObjectRepair(reconciling)
        var result = try await repair.begin(inspection)
        guard result.queued + inspection.unproven.count > 0 else { return (result, result.endingOfRepair) }
        wake.notify()
        try await pictureLeftovers()
        let ending = try await waitUntilSettled()
        try await repair.conclude(inspection, &result)
        return (result, ending == .done ? result.endingOfRepair : ending)
    }

    /// Lists our objects whose files are gone, leftovers included, and deletes them with `deleting`.
    ///
    /// With `files`, only their objects; with `root`, all objects of that root, which is forgotten with the last one.
    /// Only objects that are still ours are deleted. Idempotent: what a crash left half done is found and completed.
    package func prune(
        deleting: Bool, of files: [RootedPath]? = nil, root: String? = nil
    ) async throws -> (result: PruneResult, ending: Ending) {
        var result = PruneResult()
        result.isDeleted = deleting
        do {
            try await refuseOtherDestination()
            try await leftovers.settleAttempts()
            let pruning = Pruning(leftovers, deleting: deleting)
            if let root {
                try await pruning.run(root: root, &result) { try await letGo(of: $0) }
            } else if let files {
                try await pruning.run(files, &result)
            } else {
                try await pruning.run(&result)
            }
        } catch let error as StorageError {
            return (result, Ending(looking: error, at: setup.clock()))
        } catch let refusal as Refusal {
            return (result, refusal.ending)
        }
        return (result, deleting && result.refusals > 0 ? .someFailed(result.refusals) : .done)
    }

    /// The hourly upkeep of a watch: settles attempts and leftovers, and makes missing thumbnails.
    func tidy() async throws {
        let former = FormerObjects(leftovers)
        let strays = try await former.strayPictures()
        try await leftovers.settleAttempts()
        try await LostObjects(reconciling).sendAgain()
        _ = try await leftovers.settle()
        try await pictureLeftovers()
        _ = try await former.tidy(strays: strays)
    }
}

import Catalog
import Configuration
package import Platform
package import Queue
package import Records
package import Roots
package import Supabase
import Uploading

/// Finds what a re-upload is to store: files by state and by path, and objects that are missing.
package struct ReuploadSelector: Sendable {
    let context: ReconcilingContext

    /// Selects from what `context` knows.
    package init(_ context: ReconcilingContext) { self.context = context }

    /// What an order selects.
    package struct Choice: Sendable {
        /// Files that are to be stored, or stored again.
        package var assets: [Asset] = []
        /// Receipts whose objects are missing or hold something else, with what they hold.
        package var lost: [(receipt: Receipt, held: ObjectInfo?)] = []
        /// What is reported to the user.
        package var result = SelectionResult()
    }

    /// The files that `selection` names; for missing objects the bucket is listed.
    ///
    /// Throws `Refusal` where a path lies in no known root, or the listing fails.
    package func choose(_ selection: Selection) async throws -> Choice {
        var choice = Choice()
        var lost: [(place: Asset.Place, receipt: Receipt, held: ObjectInfo?)] = []
        if selection.which == .missing {
            for (receipt, held) in try await lostReceipts() {
                if let place = try await place(of: receipt) { lost.append((place, receipt, held)) }
            }
        }
        let below = try await targets(of: selection).map { (root: $0.root.known.id, path: $0.below) }
        let isOfAll = selection.paths.isEmpty && context.roots.dropped.isEmpty
        choice.assets = try await context.library.select(
            selection, below: isOfAll ? [] : below, missing: Set(lost.map(\.place)))
        let chosen = Set(choice.assets.map(\.place))
        choice.lost = lost.filter { isOfAll || chosen.contains($0.place) }.map { ($0.receipt, $0.held) }
        choice.result.files = choice.assets.count
        choice.result.bytes = choice.assets.reduce(0) { $0 + $1.size }
        choice.result.examples = choice.assets.prefix(5).map { "\($0.root)/\($0.path.display)" }
        choice.result.missingObjects = choice.lost.count
        return choice
    }

    /// The directories and files that `selection` names, each below its root; all of the gallery where it names none.
    ///
    /// Throws `Refusal` where one lies in no known root.
    package func targets(of selection: Selection) async throws -> [(root: Root, below: FilePath)] {
        guard !selection.paths.isEmpty else {
            let dropped = Set(context.roots.dropped.map(\.name))
            return context.roots.all.filter { !dropped.contains($0.name) }.map { ($0, FilePath(bytes: [])) }
        }
        return try selection.paths.map { path in
            guard let found = context.roots.root(holding: path) else {
                throw Refusal(.usage("\(path.display) lies in no known root: run \"gallery-sync sync\" on it first"))
            }
            return found
        }
    }

    /// Receipts whose objects are missing or hold something else; the server was asked about each by itself, too.
    ///
    /// Throws `Refusal` when the bucket cannot be listed.
    private func lostReceipts() async throws -> [(receipt: Receipt, held: ObjectInfo?)] {
        do {
            return try await BucketComparison(context).lostReceipts()
        } catch let error as StorageError {
            throw Refusal(Ending(looking: error, at: context.clock()))
        }
    }

    /// Has the files of those objects sent again; returns their places.
    package func mend(_ lost: [(receipt: Receipt, held: ObjectInfo?)]) async throws -> Set<Asset.Place> {
        guard !lost.isEmpty else { return [] }
        var mended: Set<Asset.Place> = []
        let repair = ObjectRepair(context)
        var result = VerifyResult()
        for (receipt, held) in lost {
            if receipt.role == .original, let place = try await place(of: receipt) { mended.insert(place) }
            try await repair.mend(receipt, held, by: repair.sendableAsset(of: receipt), &result)
        }
        try await context.uploader.unblockWhatFits()
        return mended
    }

    private func place(of receipt: Receipt) async throws -> Asset.Place? {
        try await context.library.place(of: receipt)
    }
}

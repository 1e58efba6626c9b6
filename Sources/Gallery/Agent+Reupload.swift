import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
import Reconciling
package import Records
import Roots
import Supabase
import Sync
import Uploading

extension Agent {
    /// What `reupload` would do; nothing is changed.
    ///
    /// For missing objects the bucket is listed. Throws `Refusal` where a path lies in no known root, or that fails.
    package func plan(_ selection: Selection) async throws -> SelectionResult {
        try await choose(selection).result
    }

    /// Moves the selected assets to the front, and waits until they are settled.
    package func reupload(_ selection: Selection) async throws -> (result: SelectionResult, ending: Ending) {
        do {
            return (try await beginReupload(selection), try await waitUntilSettled())
        } catch let refusal as Refusal {
            return (SelectionResult(), refusal.ending)
        }
    }

    /// Moves the selected assets to the front; throws `Refusal` where the destination or a path cannot be used.
    package func beginReupload(_ selection: Selection) async throws -> SelectionResult {
        let start = setup.clock()
        try await checkDestination()
        if selection.which != .missing {
            for (root, below) in try await targets(of: selection) { try await look(at: below, root, now: start) }
        }
        let chosen = try await choose(selection)
        let mended = try await mend(chosen.lost, at: start)
        if selection.which == .changed { try await library.approve(chosen.assets) }
        let others = selection.isForced ? chosen.assets : chosen.assets.filter { !mended.contains($0.place) }
        try await library.request(others, forcedAt: selection.isForced ? start : nil)
        try await uploader.forgetSizeLimits()
        try await retry(chosen.assets)
        wake.notify()
        return chosen.result
    }

    /// Takes in what is at `path`, a file or a directory.
    func look(at path: FilePath, _ root: Root, now: Date) async throws {
        // Walked as a directory, a file would have its whole root count as one that cannot be read.
        if case .success(let seen?) = await root.look(at: path) {
            try await merge(seen, at: path, root, origin: .backlog, now: now)
        } else {
            _ = try await scan(root, below: path, origin: .backlog)
        }
    }

    /// Has the files of those objects sent again; which files those are.
    private func mend(
        _ lost: [(receipt: Receipt, held: ObjectInfo?)], at start: Date
    ) async throws -> Set<Asset.Place> {
        guard !lost.isEmpty else { return [] }
        var mended: Set<Asset.Place> = []
        let repair = ObjectRepair(reconciling)
        var result = VerifyResult()
        for (receipt, held) in lost {
            if receipt.role == .original, let place = try await place(of: receipt) { mended.insert(place) }
            try await repair.mend(receipt, held, by: repair.sendableAsset(of: receipt), at: start, &result)
        }
        try await uploader.unblockWhatFits()
        return mended
    }

    private func place(of receipt: Receipt) async throws -> Asset.Place? {
        try await library.place(ofReceipt: receipt.key, destination: receipt.destination)
    }

    private struct Choice {
        var assets: [Asset] = []
        /// Receipts whose objects are missing or hold something else, with what they hold.
        var lost: [(receipt: Receipt, held: ObjectInfo?)] = []
        var result = SelectionResult()
    }

    private func choose(_ selection: Selection) async throws -> Choice {
        var choice = Choice()
        var lost: [(place: Asset.Place, receipt: Receipt, held: ObjectInfo?)] = []
        if selection.which == .missing {
            for (receipt, held) in try await lostReceipts() {
                if let place = try await place(of: receipt) { lost.append((place, receipt, held)) }
            }
        }
        let below = try await targets(of: selection).map { (root: $0.root.known.id, path: $0.below) }
        let isOfAll = selection.paths.isEmpty && roots.dropped.isEmpty
        choice.assets = try await library.select(
            selection, below: isOfAll ? [] : below, missing: Set(lost.map(\.place)))
        let chosen = Set(choice.assets.map(\.place))
        choice.lost = lost.filter { isOfAll || chosen.contains($0.place) }.map { ($0.receipt, $0.held) }
        choice.result.files = choice.assets.count
        choice.result.bytes = choice.assets.reduce(0) { $0 + $1.size }
        choice.result.examples = choice.assets.prefix(5).map { "\($0.root)/\($0.path.display)" }
        choice.result.missingObjects = choice.lost.count
        return choice
    }

    private func targets(of selection: Selection) async throws -> [(root: Root, below: FilePath)] {
        guard !selection.paths.isEmpty else {
            let dropped = Set(roots.dropped.map(\.name))
            return roots.all.filter { !dropped.contains($0.name) }.map { ($0, FilePath(bytes: [])) }
        }
        return try selection.paths.map { path in
            guard let found = roots.root(holding: path) else {
                throw Refusal(.usage("\(path.display) lies in no known root: run \"gallery-sync sync\" on it first"))
            }
            return found
        }
    }

    /// Receipts whose objects are missing or hold something else, as the server says once more of each.
    ///
    /// Throws `Refusal` when the bucket cannot be listed.
    private func lostReceipts() async throws -> [(receipt: Receipt, held: ObjectInfo?)] {
        do {
            return try await BucketComparison(reconciling).lostReceipts()
        } catch let error as StorageError {
            throw Refusal(Ending(looking: error, at: setup.clock()))
        }
    }

    /// Makes items of these assets that are backing off due now.
    private func retry(_ assets: [Asset]) async throws {
        let wanted = Set(assets.map { RootedPath(root: $0.root, path: $0.path) })
        try await queue.update(now: setup.clock()) { item in
            wanted.contains(item.file) ? item.requested : nil
        }
    }
}

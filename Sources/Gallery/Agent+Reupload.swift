package import Catalog
import Configuration
import FoundationEssentials
import Platform
import Queue
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
            for (root, below) in try await targets(of: selection) {
                // Walked as a directory, a file would have its whole root count as one that cannot be read.
                if case .success(let seen?) = await root.look(at: below) {
                    try await merge(seen, at: below, root, origin: .backlog, now: start)
                } else {
                    _ = try await scan(root, below: below, origin: .backlog)
                }
            }
        }
        let chosen = try await choose(selection)
        for receipt in chosen.lost { try await forget(receipt) }
        if !chosen.lost.isEmpty { try await uploader.unblockWhatFits() }
        if selection.which == .changed { try await library.approve(chosen.assets) }
        try await library.request(chosen.assets, forcedAt: selection.isForced ? start : nil)
        try await uploader.forgetSizeLimits()
        try await retry(chosen.assets)
        wake.notify()
        return chosen.result
    }

    private struct Choice {
        var assets: [Asset] = []
        /// Receipts whose objects the bucket does not hold.
        var lost: [Receipt] = []
        var result = SelectionResult()
    }

    private func choose(_ selection: Selection) async throws -> Choice {
        var choice = Choice()
        var places: Set<Asset.Place> = []
        if selection.which == .missing {
            choice.lost = try await lostReceipts()
            for receipt in choice.lost {
                if let place = try await library.place(ofReceipt: receipt.key, destination: receipt.destination) {
                    places.insert(place)
                }
            }
        }
        let below = try await targets(of: selection).map { (root: $0.root.known.id, path: $0.below) }
        choice.assets = try await library.select(
            selection, below: selection.paths.isEmpty ? [] : below, missing: places)
        choice.result.files = choice.assets.count
        choice.result.bytes = choice.assets.reduce(0) { $0 + $1.size }
        choice.result.examples = choice.assets.prefix(5).map { "\($0.root)/\($0.path.display)" }
        choice.result.missingObjects = choice.lost.count
        return choice
    }

    private func targets(of selection: Selection) async throws -> [(root: Root, below: FilePath)] {
        guard !selection.paths.isEmpty else { return roots.all.map { ($0, FilePath(bytes: [])) } }
        return try selection.paths.map { path in
            guard let found = roots.root(holding: path) else {
                throw Refusal(.usage("\(path.display) lies in no known root: run \"gallery-sync sync\" on it first"))
            }
            return found
        }
    }

    /// Receipts whose objects the bucket does not hold any more.
    private func lostReceipts() async throws -> [Receipt] {
        let held = try await heldKeys()
        var lost: [Receipt] = []
        var last = ""
        while true {
            let page = try await library.receipts(destination: setup.destination.name, after: last, count: 1_000)
            guard let end = page.last else { return lost }
            lost += page.filter { held[$0.key.text] != $0.size }
            last = end.key.text
        }
    }

    /// Every key below the prefix with its object's size, page by page.
    ///
    /// Throws `Refusal` when the bucket cannot be listed.
    private func heldKeys() async throws -> [String: Int64] {
        var held: [String: Int64] = [:]
        var progress = ListingProgress()
        var cursor: String?
        do {
            repeat {
                let page = try await storage.list(
                    bucket: setup.destination.bucket, prefix: setup.listed, limit: VerificationPlan.pageSize,
                    cursor: cursor)
                for object in page.objects { held[object.key] = object.size ?? -1 }
                cursor = try progress.next(after: page)
            } while cursor != nil
        } catch {
            throw Refusal(Ending(looking: error, at: setup.clock()))
        }
        return held
    }

    /// Makes items of these assets that are backing off due now.
    private func retry(_ assets: [Asset]) async throws {
        let wanted = Set(assets.map { RootedPath(root: $0.root, path: $0.path) })
        try await queue.update(now: setup.clock()) { item in
            wanted.contains(RootedPath(root: item.root, path: item.filePath)) ? item.requested : nil
        }
    }
}

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
    /// For missing objects the bucket is listed. Throws `Refusal` if a path lies in no known root, or listing fails.
    package func plan(_ selection: Selection) async throws -> SelectionResult {
        try await ReuploadSelector(reconciling).choose(selection).result
    }

    /// Moves the selected assets to the front, and waits until they are settled, or only wait for an absent disk.
    package func reupload(_ selection: Selection) async throws -> (result: SelectionResult, ending: Ending) {
        do {
            let (result, chosen) = try await begin(selection)
            return (result, try await waitUntilSettled().unless(absences(of: chosen)))
        } catch let refusal as Refusal {
            return (SelectionResult(), refusal.ending)
        }
    }

    /// Moves the selected assets to the front; throws `Refusal` where the destination or a path cannot be used.
    package func beginReupload(_ selection: Selection) async throws -> SelectionResult {
        try await begin(selection).result
    }

    /// The same, with the roots that hold the selected assets.
    private func begin(_ selection: Selection) async throws -> (result: SelectionResult, chosen: [Root]) {
        let start = setup.clock()
        let selector = ReuploadSelector(reconciling)
        try await checkDestination()
        if selection.which != .missing {
            for (root, below) in try await selector.targets(of: selection) {
                try await look(at: below, root, now: start)
            }
        }
        let chosen = try await selector.choose(selection)
        let mended = try await selector.mend(chosen.lost)
        if selection.which == .changed { try await library.approve(chosen.assets) }
        let others = selection.isForced ? chosen.assets : chosen.assets.filter { !mended.contains($0.place) }
        if selection.isForced {
            // The clock may have been set since the start.
            try await library.request(others, forcedAt: setup.clock())
        } else {
            try await library.request(others)
        }
        try await uploader.forgetSizeLimits()
        try await retry(chosen.assets)
        wake.notify()
        let holding = Set(chosen.assets.map(\.root))
        return (chosen.result, roots.all.filter { holding.contains($0.name) })
    }

    /// Takes in the file or directory at `path`, or that nothing is there.
    func look(at path: FilePath, _ root: Root, now: Date) async throws {
        // If a file were walked like a directory, its whole root would seem unreadable.
        if case .success(let seen?) = await root.look(at: path) {
            try await intake.merge(seen, at: path, root, origin: .backlog, now: now)
        } else {
            _ = try await scan(root, below: path, origin: .backlog)
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

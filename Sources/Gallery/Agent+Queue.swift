import Catalog
import Configuration
package import FoundationEssentials
package import Platform
import Queue
import Records
import Roots
import Sync
import Uploading

extension Agent {
    /// Pauses uploads until resumed, even across restarts; running requests are completed.
    ///
    /// - Parameter end: When uploads resume by themselves; `nil` for never.
    package func pause(until end: Date? = nil) async throws {
        try await library.pause(until: end, at: setup.clock())
        uploader.setPaused(true)
        upkeep.notify()
    }

    /// Resumes if the pause is over; returns when a pause that still holds will end.
    func endPause(at now: Date) async throws -> Date? {
        try await library.redatePause(at: now)
        guard let end = try await library.pauseEnd() else { return nil }
        guard end <= now else { return end }
        try await resume()
        return nil
    }

    /// Resumes uploads, and tries everything that waited for the user.
    ///
    /// - Parameter now: Whether to send even over a metered network or on a low battery, until the network changes.
    package func resume(now: Bool = false) async throws {
        try await library.setFact(Library.pausedFact, to: nil)
        uploader.setPaused(false)
        if now { try await override() }
        try await goOn()
    }

    /// Withdraws files below `paths` that are not stored, and excludes them; returns how many.
    ///
    /// Only `reupload` sends an excluded file again. Files that no scan has seen yet are looked for; those on a disk
    /// that is away are known by name. Paths outside the configured and known roots are ignored.
    package func cancel(_ paths: [FilePath]) async throws -> Int {
        for root in setup.settings.roots.map(\.path) where roots.root(holding: root) == nil {
            if paths.contains(where: { $0 == root || $0.relative(to: root) != nil }) { _ = try await adopt(root) }
        }
        let places = paths.flatMap { roots.roots(holding: $0) }
        guard !places.isEmpty else { return 0 }
        // Otherwise files that are only found now would be sent before all of them are left out.
        return try await uploader.holding {
            try await rootChanges.holding { try await leaveOut(paths, places) }
        }
    }

    /// Looks at `paths`, and leaves out all files at these places that are not stored; returns how many.
    private func leaveOut(_ paths: [FilePath], _ places: [(root: Root, below: FilePath)]) async throws -> Int {
        for (root, path) in paths.compactMap({ roots.root(holding: $0) }) {
            try await look(at: path, root, now: setup.clock())
        }
        let below = places.map { (root: $0.root.known.id, path: $0.below) }
        var selection = Selection()
        (selection.which, selection.paths) = (.all, paths)
        var assets = try await library.select(selection, below: below).filter {
            ![.stored, .excluded].contains($0.state)
        }
        // Files that the brake holds are waiting, too.
        selection.which = .changed
        assets += try await library.select(selection, below: below)
        let wanted = Set(assets.map { RootedPath(root: $0.root, path: $0.path) })
        try await library.exclude(assets)
        _ = try await uploader.withdraw(wanted)
        wake.notify()
        return assets.count
    }
}

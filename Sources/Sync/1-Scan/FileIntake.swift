package import Catalog
package import FoundationEssentials
package import Platform
package import Queue
package import Records
package import Roots
package import Text

/// Takes single files into the library, once no program is writing them any more.
package struct FileIntake: Sendable {
    let library: Library
    let wake: WakeEvent
    let time: DateClock
    /// How long a file must have been left alone.
    let settle: Duration
    /// How long a pass waits for files that are still being written.
    let patience: Duration

    /// Takes files into `library`, and notifies `wake` when something is new.
    package init(library: Library, wake: WakeEvent, time: DateClock, settle: Duration, patience: Duration) {
        (self.library, self.wake, self.time) = (library, wake, time)
        (self.settle, self.patience) = (settle, patience)
    }

    /// Waits for recently written files, and takes each once it was left alone for `scan.settle`.
    ///
    /// Returns those that are still being written after `sync.patience`.
    package func settle(_ fresh: [FreshFiles.File]) async throws -> [FreshFiles.File] {
        let unfinished = try await waitUntilWhole(fresh)
        await library.forgetFreshChanges()
        if !fresh.isEmpty { wake.notify() }
        return unfinished
    }

    private func waitUntilWhole(_ fresh: [FreshFiles.File]) async throws -> [FreshFiles.File] {
        let end = time.now() + patience.seconds
        var waiting = fresh
        while true {
            var unsettled: [FreshFiles.File] = []
            var next = Date.distantFuture
            for file in waiting {
                guard case .fresh(let date) = try await look(at: file) else { continue }
                unsettled.append(file)
                next = min(next, date)
            }
            waiting = unsettled
            guard !waiting.isEmpty, next <= end else { return waiting }
            // One millisecond more, so that the file is old enough by then.
            try await time.sleep(next + 0.001)
        }
    }

    private func look(at file: FreshFiles.File) async throws -> Freshness {
        switch try await take(file.path, in: file.root, origin: .backlog) {
        case .success(let freshness): return freshness
        case .failure(let error):
            // If a disk went away, that is reported when the pass ends; any other error is found by the next scan.
            if error.isDiskAway { try await library.noteAbsence(of: file.root, error) }
            return .settled
        }
    }

    /// Records in the library what a file is now, or that it is gone, unless it may still be written.
    ///
    /// - Returns: A failure where the file cannot be examined.
    package func take(
        _ path: FilePath, in root: Root, origin: Asset.Rank.Origin
    ) async throws -> Result<Freshness, SystemError> {
        let observation: Observation?
        switch await root.look(at: path) {
        case .success(let seen): observation = seen
        case .failure(let error): return .failure(error)
        }
        let now = time.now()
        if let observation {
            // The file's own time must also show that no process is writing it any more.
            let freshness = Freshness(modifiedAt: observation.modifiedAt, settle: settle, now: now)
            guard freshness == .settled else { return .success(freshness) }
        }
        try await merge(observation, at: path, root, origin: origin, now: now)
        return .success(.settled)
    }

    /// Records in the library what was seen at `path`; `nil` means that nothing is there.
    package func merge(
        _ observation: Observation?, at path: FilePath, _ root: Root, origin: Asset.Rank.Origin, now: Date
    ) async throws {
        let changes = try await library.merge(observation, at: path, root: root.known.id, origin: origin, now: now)
        if changes.seen > 0 || changes.missing > 0 { wake.notify() }
    }
}

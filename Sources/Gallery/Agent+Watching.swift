import Catalog
import Configuration
import FoundationEssentials
package import Platform
import Queue
import Reconciling
import Records
import Rescue
import Roots
import Sync
import Text
import Uploading

extension Agent {
    /// Watches every root: a first scan, then events, then a scan at intervals; until stopped.
    func watch() async throws {
        watching.begin()
        let failure = ChildFailure(waking: wake)
        try await withThrowingDiscardingTaskGroup { group in
            var started: Set<String> = []
            while !watching.isStopping {
                let wakeups = wake.wakeups(heardBy: .watching)
                try failure.check()
                let dropped = Set(roots.dropped.map(\.name))
                for root in roots.all where !dropped.contains(root.name) && started.insert(root.name).inserted {
                    group.addTask { await failure.heed { try await self.watch(root) } }
                }
                try Task.checkCancellation()
                await wake.wait(after: wakeups)
            }
            group.cancelAll()
        }
    }

    /// Watches one root for as long as the agent does, through its absences.
    private func watch(_ root: Root) async throws {
        do {
            var hasLooked = false
            // A root that is given up meanwhile is no longer in `roots`.
            while roots[root.name] != nil { hasLooked = try await watchOnce(root, hasLooked: hasLooked) }
        } catch is CancellationError {
            return
        }
    }

    /// Watches until the root goes away, or waits a while for one that is away; a root that could not be watched is tried
    /// again with the next scan.
    ///
    /// - Parameter hasLooked: Whether it was scanned just before, and did not go away since.
    /// - Returns: The same for the next time.
    private func watchOnce(_ root: Root, hasLooked: Bool) async throws -> Bool {
        let tree = await tree(of: root)
        defer { tree?.stop() }
        let watch = RootWatch(
            settle: setup.settings.scan.settle, clock: setup.time, hasLooked: hasLooked
        ) { [watching] count in
            watching.noteSettling(count, of: root.name)
        }
        defer { watching.noteSettling(0, of: root.name) }
        guard try await look(at: root, watch) else {
            try await waitForReturn(of: root)
            return false
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            if let tree {
                group.addTask {
                    try await self.follow(tree, root, watch)
                    return false
                }
            }
            group.addTask {
                try await self.settle(root, watch)
                return false
            }
            group.addTask { try await self.rescan(root, tree, watch) }
            // The first child to end means that the root must be scanned again.
            let isThere = try await group.next() ?? false
            group.cancelAll()
            return isThere
        }
    }

    /// Waits until a root that is away is back, or away for another reason.
    ///
    /// It is only looked for, because each scan would wake all loops, and a disk may stay away for weeks.
    private func waitForReturn(of root: Root) async throws {
        let reason = root.sight.absence?.reason
        repeat {
            try await Task.sleep(for: Self.absencePatience)
            if roots[root.name] == nil { return }
        } while try await scanner.absence(of: root).map({ $0.reason == reason }) ?? false
    }

    /// The watch on a root; `nil` on a network disk, because changes by other computers cause no events there.
    ///
    /// A root that is away has no watch, either; the scan reports why it is away.
    private func tree(of root: Root) async -> TreeWatch? {
        if (try? root.open().fileSystem().isNetwork) == true {
            let text = "\(root.name) lies on a network disk: it is scanned, not watched"
            if watching.note(text, about: root.name) { setup.log.info(text) }
            return nil
        }
        let own = Set(scanner.own.below(root.known.path))
        do {
            let tree = try await Blocking.run {
                try TreeWatch(root: root.known.path) { !own.contains($0) && !root.rules.leavesOutAnything(at: $0) }
            }
            noteWatched(root)
            return tree
        } catch {
            // The scan reports a root that is away.
            if let error = error as? SystemError, error.isOfWatchLimit { note("no directory", error, about: root) }
            return nil
        }
    }

    /// How often a root that is away is looked for.
    static let absencePatience = Duration.seconds(10)

    /// Scans the root, or a directory below it; returns whether the root was there.
    @discardableResult
    private func look(at root: Root, below: FilePath = FilePath(bytes: []), _ watch: RootWatch) async throws -> Bool {
        let outcome = try await scan(
            root, below: below, origin: watch.origin, settle: setup.settings.scan.settle
        ) { watch.touch($0, at: self.setup.clock()) }
        if case .vanished = outcome { return false }
        if below.bytes.isEmpty { try await giveBackMemory() }
        watch.hasLooked()
        wake.notify()
        return true
    }

    /// Gives back memory that a burst of work needed; called when the burst has ended.
    func giveBackMemory() async throws {
        try await library.shrink()
        ProcessMemory.giveBack()
    }

    /// Handles the events of a watch as they arrive, until the root goes away.
    private func follow(_ tree: TreeWatch, _ root: Root, _ watch: RootWatch) async throws {
        for await event in tree.events {
            try Task.checkCancellation()
            switch event {
            case .written(let path): touch(path, root, watch)
            case .modified(let path): touch(path, isOpen: true, root, watch)
            case .removed(let path): if takes(path, root) { watch.touch(removed: path, at: setup.clock()) }
            case .directoryAppeared(let path):
                guard root.rules.reasonForDirectory(at: path) == nil else { break }
                try await look(at: root, below: path, watch)
            case .directoryVanished(let path):
                try await mergeVanished(path, root, watch)
            case .overflow:
                setup.log.warning("Too many changes at once in \(root.name): scanning it again")
                try await look(at: root, watch)
            case .unwatched(_, let error):
                note("not every directory", error, about: root)
            case .rootVanished:
                root.sight.absence = RootAbsence("\(root.known.path.display) went away")
                return
            }
        }
        try Task.checkCancellation()
    }

    /// Notes that a file was written to, so that it is left alone for now, if it is one that the agent takes at all.
    private func touch(_ path: FilePath, isOpen: Bool = false, _ root: Root, _ watch: RootWatch) {
        if takes(path, root) { watch.touch(path, isOpen: isOpen, at: setup.clock()) }
    }

    private func takes(_ path: FilePath, _ root: Root) -> Bool {
        root.rules.reason(for: path) == nil && !scanner.own.holds(path, below: root.known.path)
    }

    private func noteWatched(_ root: Root) {
        if watching.note(nil, about: root.name) { setup.log.info("\(root.name) is watched now") }
    }

    private func note(_ which: String, _ error: SystemError, about root: Root) {
        let limit = error.watchLimit.map { "raise \($0)" } ?? error.reason
        let interval = Quantity.text(setup.settings.scan.interval)
        let text = "\(root.name): \(which) can be watched (\(limit)); it is scanned every \(interval) as well"
        if watching.note(text, about: root.name) { setup.log.warning(text) }
    }

    /// Merges files into the library once they have settled, until the root or a disk below it is away.
    private func settle(_ root: Root, _ watch: RootWatch) async throws {
        while true {
            let wakeups = watch.wake.wakeups
            for file in watch.settled(by: setup.clock()) {
                guard try await mergeSettled(file, root, watch) else { return }
            }
            watch.merged()
            try Task.checkCancellation()
            await watch.wake.wait(after: wakeups, until: watch.next)
        }
    }

    /// Takes a settled file; one that was touched again meanwhile stays with the watch.
    ///
    /// Returns whether its disk is there. A file that cannot be examined is found by the next scan.
    private func mergeSettled(_ file: Settling.Settled, _ root: Root, _ watch: RootWatch) async throws -> Bool {
        // On a disk that ignores case, a renamed file is found by its former name, too.
        if file.wasRemoved, try await isGone(file.path, root) {
            try await intake.merge(nil, at: file.path, root, origin: .arrival, now: setup.clock())
            return true
        }
        switch try await intake.take(file.path, in: root, origin: .arrival) {
        case .success(let freshness):
            if case .fresh = freshness { watch.touch(file.path, at: setup.clock()) }
            return true
        case .failure(let error): return !error.isDiskAway
        }
    }

    /// Records what was in a removed directory as gone, but not what was on disks mounted there.
    private func mergeVanished(_ path: FilePath, _ root: Root, _ watch: RootWatch) async throws {
        let holdsMounts = root.sight.mounts.keys.contains { $0 == path || $0.relative(to: path) != nil }
        guard !holdsMounts, try await isGone(path, root) else {
            try await look(at: root, watch)
            return
        }
        _ = try await library.missDirectories(of: root.known.id, below: path, notIn: [])
    }

    private func isGone(_ path: FilePath, _ root: Root) async throws -> Bool {
        do {
            return try await Blocking.run { () throws(SystemError) in try root.listedFacts(of: path) == nil }
        } catch {
            return false
        }
    }

    /// Scans at intervals until the root goes away; more often while one of its disks is away.
    ///
    /// - Returns: Whether the root is still there: one without a watch ends before its first scan, to be watched again.
    private func rescan(_ root: Root, _ tree: TreeWatch?, _ watch: RootWatch) async throws -> Bool {
        while true {
            try await pause(before: root)
            guard let tree else { return true }
            if await Blocking.run({ tree.watchMissing() }) { noteWatched(root) }
            guard try await look(at: root, watch) else { return false }
        }
    }
}

extension Agent {
    /// Waits for the next scan: `scan.interval`, or a minute while a disk of the root is away.
    private func pause(before root: Root) async throws {
        let interval = setup.settings.scan.interval
        var waited = Duration.zero
        let asked = rescans.wakeups
        while waited < interval, waited == .zero || root.sight.absence == nil, rescans.wakeups == asked {
            let next = min(interval - waited, .seconds(60))
            await rescans.wait(after: asked, for: next)
            try Task.checkCancellation()
            waited += next
        }
    }
}

extension Agent {
    /// The body of a watch: adopts `paths`, else the default roots, and runs until it is cancelled.
    ///
    /// Throws `Refusal` where the destination or a root cannot be used.
    package func keepSafe(_ paths: [FilePath]) async throws {
        _ = try await remembering(.watch, of: paths) {
            try await watchOver(paths)
            return .done
        }
    }

    /// Checks the destination; if nothing can be stored, fetches what providers' links lead to before the watch ends.
    ///
    /// The links expire whatever the state of the destination.
    private func checkBeforeWatching() async throws {
        do {
            try await checkDestination(isPatient: true)
        } catch let refusal as Refusal {
            let open = await rescuer.registry.open().map(\.id)
            if !open.isEmpty { _ = try await rescue(RescueOrder(.jobs(open))) }
            throw refusal
        }
    }

    private func watchOver(_ paths: [FilePath]) async throws {
        try await checkBeforeWatching()
        var targets: [Root] = []
        for path in paths { targets.append(try await adopt(path).root) }
        if targets.isEmpty { targets = try await watchedRoots() }
        for root in targets { setup.log.info("Watching \(root.known.path.display) as \(root.name)") }
        wake.notify()
        try await pictureLeftovers()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await self.awaitRoots() }
            group.addTask {
                // Done at once, because objects may have gone while no agent ran, or the state may come from a backup.
                try await LostObjects(self.reconciling).sendAgain(hasScanned: false)
                while true {
                    try await Task.sleep(for: .seconds(3_600))
                    try await self.tidy()
                }
            }
        }
    }
}

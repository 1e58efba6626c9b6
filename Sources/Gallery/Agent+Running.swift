import Catalog
import Configuration
import Desktop
import FoundationEssentials
import Platform
import Queue
import Records
import Rescue
import Roots
import Supabase
import Sync
import Text
import Uploading

extension Agent {
    /// How long running requests may take to finish after the agent was told to stop.
    package static let grace = Duration.seconds(5)

    /// Runs the stages while `body` runs, then stops cleanly and returns the value of `body`.
    ///
    /// `body` is a child task like every loop: when a loop throws, all others and `body` are cancelled, and that error
    /// is thrown here.
    ///
    /// - Parameter namesNoRoot: Whether `body` names no file or directory: then nothing is sent of roots that were taken
    ///   out of the configuration.
    package func run<Value: Sendable>(
        _ mode: Mode = .pass, namesNoRoot: Bool = false, _ body: @escaping @Sendable (Agent) async throws -> Value
    ) async throws -> Value {
        try await open()
        // Otherwise what waits would be sent, and what is found would be queued, before `body` refuses that destination.
        let isElsewhere = try await otherDestination != nil
        if namesNoRoot, mode != .steering, !isElsewhere { try await letGoOfRoots() }
        setup.hooks.supervisor?.tell(.ready)
        let loops = isElsewhere ? rescuing(mode) : loops(mode)
        let value: Value
        do {
            value = try await withThrowingTaskGroup(of: Step<Value>.self) { group in
                for loop in loops {
                    group.addTask {
                        try await loop()
                        return .loopEnded
                    }
                }
                group.addTask { .bodyEnded(try await body(self)) }
                return try await self.finish(&group, loops: loops.count)
            }
        } catch {
            await rememberFailure(error)
            // If the state's directory is gone, that is the cause to report, whatever failed first.
            try lock.check()
            throw error
        }
        try await close()
        return value
    }

    /// Whether it was told to stop; work that waits for its loops is not done any more.
    package var isEnding: Bool { watching.isStopping }

    /// Which loops an agent runs besides the body.
    package enum Mode: Sendable {
        /// None: the body only changes stored state.
        case steering
        /// The stages, until the body returns.
        case pass
        /// The stages, and a watch on every root.
        case watch
    }

    private enum Step<Value: Sendable>: Sendable {
        case bodyEnded(Value)
        case loopEnded
        case graceEnded
    }

    private typealias Loop = @Sendable () async throws -> Void

    /// What runs where nothing may be stored: the links of providers expire all the same.
    private func rescuing(_ mode: Mode) -> [Loop] {
        mode == .steering ? [] : [{ try await self.rescuer.run { try await self.settleRescued($0) } }]
    }

    private func loops(_ mode: Mode) -> [Loop] {
        guard mode != .steering else { return [] }
        let stages: [Loop] = [
            { try await self.read() }, { try await self.uploader.run() },
            {
                try await self.records.run {
                    try await self.uploader.heard($0)
                } mended: {
                    try await self.uploader.mended($0)
                }
            },
            { try await self.tendLimits() },
        ]
        var loops = stages + rescuing(mode)
        if let metadata { loops.append { try await metadata.run() } }
        if let workers = setup.workers { loops.append { await self.tend(workers) } }
        if mode == .watch {
            loops.append { try await self.watch() }
            loops.append { try await self.guardState() }
            loops.append { try await self.watchProviders() }
            loops.append { try await self.tendRowLinks() }
            if let inbox = setup.rescue.inbox { loops.append { try await self.tend(inbox) } }
            loops.append { try await self.narrate() }
            loops.append { try await self.tendProofs() }
            loops.append { try await self.beat() }
            if setup.hooks.host != nil { loops.append { try await self.heedHost() } }
        }
        return loops
    }

    /// Waits for the body, then for the loops; loops still running after `grace` are cancelled.
    private func finish<Value>(
        _ group: inout ThrowingTaskGroup<Step<Value>, any Error>, loops: Int
    ) async throws -> Value {
        var running = loops
        var result: Value?
        do {
            while let step = try await group.next() {
                switch step {
                case .bodyEnded(let value):
                    result = value
                    stop()
                    group.addTask {
                        try? await Task.sleep(for: Self.grace)
                        return .graceEnded
                    }
                case .loopEnded: running -= 1
                case .graceEnded: group.cancelAll()
                }
                if running == 0, result != nil { group.cancelAll() }
            }
        } catch is CancellationError {
            // Loops were cancelled after the grace period, or this task was cancelled before the body ended.
            guard result != nil else { throw CancellationError() }
        }
        while (try? await group.next()) != nil {}
        guard let result else { throw CancellationError() }
        return result
    }

    /// Tends the workers until the agent stops.
    private func tend(_ workers: any MediaExamining) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await workers.tend() }
            while !watching.isStopping {
                let wakeups = wake.wakeups
                if Task.isCancelled || watching.isStopping { break }
                await wake.wait(after: wakeups)
            }
            group.cancelAll()
        }
    }

    /// Ends the run when the state directory goes away: another process can take the lock of a new one.
    private func guardState() async throws {
        // Without inotify, the next write finds it out.
        guard let place = try? PathWatch(setup.locations.lock) else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [lock] in
                for await _ in place.changes { try lock.check() }
            }
            group.addTask {
                while !self.watching.isStopping {
                    let wakeups = self.ending.wakeups
                    if Task.isCancelled || self.watching.isStopping { break }
                    await self.ending.wait(after: wakeups)
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Tells every loop to begin nothing new and to finish what is running.
    private func stop() {
        setup.hooks.supervisor?.tell(.stopping)
        reading.stop()
        watching.stop()
        uploader.stop()
        rescuer.stop()
        records.stop()
        metadata?.stop()
        wake.notify()
        upkeep.notify()
        ending.notify()
        setup.hooks.host?.end()
    }

    /// Loads the roots, and reconciles queue and library after a crash.
    private func open() async throws {
        try await library.expectBackup()
        try await tellOfCopy()
        try await library.respellRoots()
        try await RenamedRoots(library: library, configured: setup.settings.roots, log: setup.log).follow()
        for known in try await library.roots() { try await add(known) }
        try await uploader.rememberInterrupted()
        try await blocked.reconcile()
        let items = await queue.unfinished().filter { $0.role == .original }
        let open = Set(items.filter(\.isOpen).map(\.file))
        try await library.requeue(.queued) { !open.contains(RootedPath(root: $0, path: $1)) }
        if try await library.mayLackItems() {
            // Otherwise what the damaged parts, or deleted files, held is never tried again, and its pictures are
            // missing for good.
            let known = Set(items.map(\.file))
            try await library.requeue(.failed) { !known.contains(RootedPath(root: $0, path: $1)) }
            try await library.doubtPictures()
            try await library.setMayLackItems(false)
        }
        try await library.expectPictures(
            roles: setup.settings.thumbnails.roles, destination: setup.destination.name)
        if setup.isBucketDoubtful { try await library.doubtBucketLook() }
        // The first scan shows which disks are back.
        try await uploader.unblock(.away)
        // This run may have another network, or allow metered ones.
        try await uploader.unblock(.metered)
        try await library.redatePause(at: setup.clock())
        uploader.setPaused(try await library.isPaused(at: setup.clock()))
        try await openLimits()
    }

    /// Warns once that the state is a copy from another computer; "doctor" goes on saying it.
    private func tellOfCopy() async throws {
        guard setup.settings.upload.computer == nil, let former = try await library.formerIdentity(),
            try await library.fact(Self.copyFact) != former
        else { return }
        setup.log.warning("This profile came from another computer, named \(former): \"doctor\" says what follows")
        try await library.setFact(Self.copyFact, to: former)
    }

    private static let copyFact = "computer.former.told"

    private func close() async throws {
        try await trimCache()
        try await queue.close()
        try await rescuer.registry.close()
        try await library.close()
    }
}

extension Agent {
    /// Trims the thumbnail cache to its limit, unless open items still need files from it.
    private func trimCache() async throws {
        let cache = ThumbnailCache(folder: setup.locations.thumbnails)
        let limit = Int64(setup.settings.thumbnails.cacheBytes)
        // While thumbnails wait to be sent, the cache is left for a later run.
        guard await !queue.unfinished().contains(where: { $0.isOpen && $0.role != .original }),
            try await !library.holdsBlocked()
        else { return }
        do {
            _ = try await Blocking.run { () throws(SystemError) in try cache.evict(beyond: limit) }
        } catch {
            // A run that has stored everything must not fail because of a cache, which the next run trims.
            setup.log.debug("Not trimmed: \(error)")
        }
    }
}

import Catalog
import Configuration
import FoundationEssentials
import Narration
package import Platform
import Queue
import Reconciling
package import Records
import Reporting
import Roots
import Supabase
import Sync
import Text
import Uploading

extension Agent {
    /// One pass over `paths`, else the default roots; files saved before the call end stored or explained.
    ///
    /// Beside a running `watch`, it ends when all that was there at the call is settled. Idempotent.
    package func sync(_ paths: [FilePath]) async throws -> Ending {
        // Beside a watch, only the watch is remembered as the last run.
        if watching.isOn { return try await pass(paths) }
        do {
            return try await remembering(.sync, of: paths) { try await pass(paths) }
        } catch let refusal as Refusal {
            return refusal.ending
        }
    }

    /// Whether `targets` are all roots that are known or configured, each of them whole.
    private func areAllRoots(_ targets: [(root: Root, below: FilePath)]) async throws -> Bool {
        let whole = Set(targets.filter(\.below.isEmpty).map(\.root.known.path))
        return try await whole.isSuperset(of: library.roots().map(\.path) + setup.settings.roots.map(\.path))
    }

    private func pass(_ paths: [FilePath]) async throws -> Ending {
        do {
            // A path that cannot be a root is refused before a bucket is made for it.
            for path in paths where roots.spelling(of: path, setup.settings) == nil {
                _ = try roots.admit(path, own: own)
            }
            try await checkDestination()
            var targets: [(root: Root, below: FilePath)] = []
            for path in paths { targets.append(try await adopt(path)) }
            if targets.isEmpty { targets = try await defaultRoots() }
            let former = FormerObjects(leftovers)
            let strays = try await former.strayPictures()
            let fresh = FreshFiles()
            for (root, below) in targets {
                _ = try await scan(root, below: below, origin: .backlog, settle: setup.settings.scan.settle) {
                    fresh.add($0, in: root)
                }
            }
            let isWhole = paths.isEmpty ? true : try await areAllRoots(targets)
            try await LostObjects(reconciling).sendAgain(hasScanned: isWhole)
            let unfinished = try await intake.settle(fresh.all)
            try await pictureLeftovers()
            var ending = try await waitUntilProven()
            if ending == .done, try await !library.takeUnpictured(1, after: nil).isEmpty {
                // A thumbnail was lost on its way, so missing ones are made once more.
                try await pictureLeftovers()
                ending = try await waitUntilProven()
            }
            // Files that wait, such as for a disk that is away, do not keep leftovers from being settled.
            if ending.isOver || uploader.obstacle == nil, try await leftovers.settle() {
                try await pictureLeftovers()
                ending = try await waitUntilProven()
            }
            if try await former.tidy(strays: strays) {
                try await pictureLeftovers()
                ending = try await waitUntilProven()
            }
            let elsewhere = paths.isEmpty ? try await absencesElsewhere() : []
            return try await ending.unless(unfinished: unfinished)
                .unless(absences(of: targets.map(\.root)) + elsewhere)
                .unless(unlisted: library.unlistedDirectories().count)
                .unless(library.discrepancies())
        } catch let refusal as Refusal {
            return refusal.ending
        }
    }

    /// Waits until everything is stored, and read back if that is due; wrong objects are sent again.
    private func waitUntilProven() async throws -> Ending {
        while true {
            let ending = try await waitUntilSettled()
            switch ending {
            case _ where ending.isOver: break
            case .temporary, .absent:
                // Waiting items may wait long, so whatever is stored is proven now.
                if readBack.isPartOfSync, !watching.isOn { _ = try await readBackOnce() }
                return ending
            default: return ending
            }
            guard readBack.isPartOfSync, !watching.isOn, try await readBackOnce() > 0 else { return ending }
            try await pictureLeftovers()
        }
    }

    /// Scans a root as a counted activity, and records for the report why the root is away, if it is.
    func scan(
        _ root: Root, below: FilePath = FilePath(bytes: []), origin: Asset.Rank.Origin, settle: Duration = .zero,
        unsettled: @escaping @Sendable (FilePath) -> Void = { _ in }
    ) async throws -> ScanOutcome {
        let outcome = try await activity.counting(.scan) {
            try await scanner.scan(root, below: below, origin: origin, settle: settle, unsettled: unsettled)
        }
        let wasAway = root.sight.absence != nil
        switch outcome {
        case .complete: root.sight.absence = nil
        case .partial(_, let absence), .vanished(let absence): root.sight.absence = absence
        }
        let fact = RootAbsence.fact(root.known)
        if try await library.fact(fact) != root.sight.absence?.reason {
            try await library.setFact(fact, to: root.sight.absence?.reason)
        }
        if case .vanished = outcome { return outcome }
        if case .complete = outcome { try await rememberScan(of: root, below: below) }
        if wasAway { try await uploader.unblock(.away) }
        return outcome
    }

    /// Remembers a complete scan, but not those of single directories that appear while watching.
    private func rememberScan(of root: Root, below: FilePath) async throws {
        let path = below.isEmpty ? root.known.path : root.known.path.appending(below)
        guard below.isEmpty || setup.settings.roots.contains(where: { $0.path == path }) else { return }
        try await library.rememberScan(of: path, at: setup.clock())
    }

    /// Why roots are absent, with the most precise reasons available now.
    func absences(of roots: [Root]) async throws -> [RootAbsence] {
        var absences: [RootAbsence] = []
        for root in roots {
            guard let absence = root.sight.absence else { continue }
            absences.append(try await scanner.absence(of: root, isRemembering: false) ?? absence)
        }
        return absences
    }

    /// Why folders are away that a pass over all roots has no part in: new ones, and disks that others have replaced.
    private func absencesElsewhere() async throws -> [RootAbsence] {
        var absences = watching.awaited.sorted { $0.key < $1.key }.map(\.value)
        for root in replaced {
            let count = try await library.waiting(in: root.known.id, below: "").files
            guard count > 0 else { continue }
            absences.append(RootAbsence(Report.replaced(root.name, waiting: count), advice: Report.ofReplaced))
        }
        return absences
    }

    /// Makes thumbnails that are missing after a crash, or after a run that made none; not those of roots that were taken
    /// out of the configuration.
    func pictureLeftovers() async throws {
        guard setup.workers != nil else { return }
        let dropped = roots.dropped
        try await library.findOwedPictures(
            roles: setup.settings.thumbnails.roles, destination: setup.destination.name,
            besides: dropped.map(\.known))
        let quiet = Set(dropped.map(\.name))
        var last: Asset.Place?
        while true {
            let batch = try await library.takeUnpictured(8, after: last)
            guard let end = batch.last else { return }
            try await withThrowingDiscardingTaskGroup { group in
                for asset in batch {
                    if quiet.contains(asset.root) { continue }
                    group.addTask { try await self.pipeline.picture(asset) }
                }
            }
            last = end.place
        }
    }

    /// Waits until nothing is left to do, or nothing falls due within `sync.patience`.
    ///
    /// Beside a watch only files that were found before the call count.
    func waitUntilSettled() async throws -> Ending {
        try await uploader.suspectWhatWas(mayProbe: true)
        let start = setup.clock()
        let patience = setup.settings.sync.patience.seconds
        while true {
            try Task.checkCancellation()
            let wakeups = wake.wakeups
            if try await isSettled(since: start) { return try await verdict() }
            let now = setup.clock()
            if let obstacle = uploader.obstacle, !obstacle.isDoubtful, Standstill.isFinal(obstacle.reason), !isSending {
                return try await standstill()
            }
            guard isResting else {
                await wake.wait(after: wakeups, for: .seconds(1), gathering: .milliseconds(10))
                continue
            }
            let obstacle = uploader.obstacle
            if let obstacle, obstacle.reason == .offline {
                if DatedWait(from: obstacle.since, seconds: patience).isOver(at: now) { return try await standstill() }
                await wake.wait(after: wakeups, for: .seconds(1))
                continue
            }
            let rest = await queue.rest(at: now)
            let probeAt = obstacle.flatMap { $0.isDoubtful ? nil : $0.probeAt }
            let due = [rest.nextAttempt, probeAt].compactMap(\.self).min()
            if try await isStuck(rest), (due ?? .distantFuture) > now + patience {
                // The state may have changed since the first look, or between two of its parts.
                if try await isSettled(since: start) { return try await verdict() }
                let ending = try await standstill()
                if isResting, wake.wakeups == wakeups { return ending }
                continue
            }
            await wake.wait(after: wakeups, for: .seconds(1))
        }
    }

    /// While watching, only what was found by `start` counts; in one pass, everything.
    func isSettled(since start: Date) async throws -> Bool {
        if watching.isOn { return try await library.unsettled(foundBefore: start, now: setup.clock()) == 0 }
        // In one transaction, because an item that moves between queue and library must be seen in one of them.
        return try await library.unwritten {
            guard isResting, await queue.count().open == 0, try await !library.holdsBlocked() else { return false }
            return try await library.isBacklogEmpty()
        }
    }

    /// Whether no stage has anything in hand.
    private var isResting: Bool { activity.snapshot.isQuiet && reading.isIdle }

    /// Whether requests or proofs are under way.
    private var isSending: Bool {
        let now = activity.snapshot
        return !now.current.isEmpty || now.recording > 0
    }

    /// Whether all stages are idle although something waits.
    private func isStuck(_ rest: UploadQueue.Rest) async throws -> Bool {
        let items = rest.counts
        guard isResting, items.uploading == 0 else { return false }
        if uploader.isPaused || uploader.restraint != nil { return true }
        if let obstacle = uploader.obstacle {
            guard obstacle.isDoubtful else { return true }
            // The waiting items are about to be released, and one of them to be sent.
            if try await uploader.holdsWaiting(for: obstacle.reason) { return false }
        }
        // An item that waits neither for a time nor for a cause is about to be claimed.
        guard !rest.hasDue, items.pending == items.blocked + items.retrying else { return false }
        // Nothing more is read while the window is full of items that back off.
        if items.unblocked >= blocked.window { return true }
        return try await library.isBacklogEmpty()
    }

    private func verdict() async throws -> Ending {
        let counts = try await library.counts()
        let troubled = counts.failed + counts.unreadable
        if troubled > 0 { return .someFailed(troubled) }
        return counts[.held] > 0 ? .held(counts[.held]) : .done
    }

    private func standstill() async throws -> Ending {
        if budget.isLimited { try await tellRoom() }
        let (items, elsewhere, counts) = try await library.unwritten {
            let items = await queue.all()
            return (items, try await library.blockedSums(besides: items), try await library.counts())
        }
        var still = Standstill()
        let obstacle = uploader.obstacle
        still.obstacle = obstacle?.reason
        still.holds = Standstill.holds(items, elsewhere)
        if let item = still.holds[.budget]?.smallest, let failure = try await uploader.failure(fitting: item) {
            // The budget may have changed since the item was tried.
            still.holds[.budget]?.message = failure.message
        }
        let last = items.last { $0.isOpen && $0.lastError != nil }?.lastError
        still.words = (obstacle?.failure ?? last)?.message ?? ""
        still.isPaused = uploader.isPaused
        still.restraint = uploader.restraint
        still.isUnfinished =
            items.contains { $0.isOpen && $0.blocked == nil } || elsewhere.contains { $0.reason == nil }
        still.troubled = counts.failed + counts.unreadable + counts[.held]
        still.waiting = Standstill.waiting(
            files: counts.waiting, of: counts.total,
            pictures: items.count { $0.isOpen && $0.role != .original }
                + elsewhere.reduce(0) { $0 + $1.count - $1.files })
        still.destination = setup.destination.endpoint.address
        still.patience = Int(setup.settings.sync.patience.seconds)
        return still.ending
    }
}

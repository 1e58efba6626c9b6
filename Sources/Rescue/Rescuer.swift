package import Configuration
import FoundationEssentials
import Platform
import Providers
package import Queue
package import Restoring
package import Sync
import Synchronization
package import Text
package import Transfer
import Uploading

/// The rescue loop: asks providers, fetches files in the order of their deadlines, places them.
///
/// Neither the timetable nor the user's pause holds it up, because a file that is not fetched in time is lost.
package final class Rescuer: Sendable {
    private struct State {
        var busy: Set<RescueAct> = []
        var isStopping = false
        /// Bytes of each file that this run has downloaded.
        var arrived: [JobPlace: Int64] = [:]
        var line = DownloadRate()
        /// Clients made since the start with replaced keys.
        var renewed: [ProviderName: any Provider] = [:]
        /// The date of the last plan, which shows whether the clock was set back since.
        var plannedAt = Date.distantPast
        /// Until when refused keys are not read again.
        var keyLook: DatedWait?
        /// Bytes that may still be downloaded, and only of files with a deadline; `nil` for no limit.
        var allowance: Int64?
    }

    /// Everything that a rescuer is made from.
    package struct Setup: Sendable {
        /// The settings, of which those of thumbnails, retries and rows are read.
        let settings: Settings
        /// The clock for deadlines, backoff and waiting.
        let time: DateClock
        /// Where it warns of parts that cannot be removed.
        let log: Log
        /// Where files come from, and where they go.
        let sources: RescueSources
        /// The transport that files are downloaded with.
        let downloads: any Transport
        /// The media workers that examine files; `nil` with thumbnails off.
        let workers: (any MediaExamining)?
        /// Makes the links that the rows of `sources` get.
        let links: RowLinker

        /// The parts as the agent chose them; `transport` downloads where `sources` names none that does.
        package init(
            settings: Settings, time: DateClock, log: Log, sources: RescueSources, transport: any Transport,
            workers: (any MediaExamining)?, links: RowLinker
        ) {
            self.settings = settings
            self.time = time
            self.log = log
            self.sources = sources
            downloads = sources.downloads ?? transport
            self.workers = workers
            self.links = links
        }

        /// The date by `time`.
        var clock: @Sendable () -> Date { time.now }
    }

    /// The registry of jobs, shared with the generator.
    package let registry: JobRegistry
    let setup: Setup
    let ladder: RetryLadder
    /// Opens the root of rescued files, made where it is missing.
    let openFolder: @Sendable () throws -> any RestoreFolder
    /// Notified when there may be something to do for a job.
    package let wake: WakeEvent
    /// The agent's own event, notified when something was stored.
    private let receipts: WakeEvent
    private let state = Mutex(State())
    let listenerSlots = ListenerSlots(4)

    /// Downloads that may run at once.
    static let slots = 2
    /// Seconds between two looks for receipts while nothing is notified; each pause is twice the one before.
    private static let (shortestPause, longestPause) = (1.0, 60.0)

    /// A rescuer that works once `run` is called.
    ///
    /// - Parameters:
    ///   - receipts: Notified when an upload got its receipt.
    ///   - openFolder: Replaces the root of rescued files in tests.
    package init(
        _ setup: Setup, registry: JobRegistry, receipts: WakeEvent,
        openFolder: (@Sendable () throws -> any RestoreFolder)? = nil
    ) {
        self.setup = setup
        self.registry = registry
        self.receipts = receipts
        wake = WakeEvent(clock: setup.time)
        ladder = RetryLadder(setup.settings.retry)
        let path = setup.sources.folder
        self.openFolder = openFolder ?? { try Self.folder(at: path) }
    }

    private static func folder(at path: FilePath) throws -> any RestoreFolder {
        try Directory.create(at: path)
        // The process that holds the state's lock is the only writer here.
        return LocalRestoreFolder(try Directory(path), locksParts: false)
    }
}

// MARK: - The loop

extension Rescuer {
    /// Bytes per second of all downloads; `nil` while none is under way, or not measured yet.
    package var rate: Double? {
        state.withLock { state in
            let isFetching = state.busy.contains { if case .fetch = $0 { true } else { false } }
            return isFetching ? state.line.rate : nil
        }
    }

    /// The progress of the agent with the files on their way here, how much has come, and what waits.
    package func adding(to progress: Progress) async -> Progress {
        let jobs = await registry.all()
        let (heard, arrived) = state.withLock { ($0.line.heard, Set($0.arrived.keys)) }
        return RescueProgress(jobs: jobs, heard: heard, arrived: arrived).added(to: progress)
    }

    func renewedClient(of name: ProviderName) -> (any Provider)? { state.withLock { $0.renewed[name] } }

    /// Replaces the client of a provider by one with its new key.
    func take(_ provider: any Provider) { state.withLock { $0.renewed[provider.name] = provider } }

    /// When to look at keys next; `nil` while none is refused.
    private var keyLookAt: Date? { state.withLock { $0.keyLook?.end } }

    /// Whether to look at keys now; the next look is `seconds` later.
    func claimKeyLook(isNeeded: Bool, every seconds: Double) -> Bool {
        let now = setup.clock()
        return state.withLock { state in
            guard isNeeded else {
                state.keyLook = nil
                return false
            }
            guard state.keyLook?.isOver(at: now) ?? true else { return false }
            state.keyLook = DatedWait(from: now, seconds: seconds)
            return true
        }
    }

    func isFetching(_ place: JobPlace) -> Bool { state.withLock { $0.busy.contains(.fetch(place)) } }

    /// Notes that a request for a file begins.
    func begin(_ place: JobPlace) {
        let now = setup.clock()
        state.withLock { $0.line.begin(place, at: now) }
    }

    /// Notes that the request has brought `bytes` by now.
    func hear(_ bytes: Int64, of place: JobPlace) {
        let now = setup.clock()
        state.withLock { $0.line.hear(bytes, of: place, at: now) }
    }

    /// Notes that the request has ended, and that `bytes` of what it brought are kept.
    func end(_ place: JobPlace, keeping bytes: Int64 = 0) {
        let now = setup.clock()
        state.withLock { state in
            state.line.hear(bytes, of: place, at: now)
            state.line.end(place)
            state.arrived[place, default: 0] += max(0, bytes)
            state.allowance = state.allowance.map { $0 - max(0, bytes) }
        }
    }

    /// Bytes that may still be downloaded, and only of files with a deadline; `nil` for no limit.
    var allowance: Int64? {
        get { state.withLock { $0.allowance } }
        set { state.withLock { $0.allowance = newValue } }
    }

    /// Bytes to request next: an eighth of a chunk at first, then as many as this run has downloaded of the file.
    ///
    /// So a run that is interrupted again and again repeats little.
    func chunk(of place: JobPlace) -> Int64 {
        let arrived = state.withLock { $0.arrived[place] ?? 0 }
        return min(setup.sources.chunk, max(setup.sources.chunk / 8, arrived))
    }

    /// Runs until stopped; downloads under way are interrupted then and resumed by the next run.
    ///
    /// - Parameter settle: Looks for the receipt of a file that is safe; returns whether anything about it changed.
    package func run(settle: @Sendable (JobPlace) async throws -> Bool) async throws {
        // Cancellations that a stop interrupted are completed first.
        for job in await registry.all() where job.isCancelled {
            let isLeft = job.files.contains { $0.stage == .downloading || $0.stage == .probed }
            if isLeft { try await discard(job.id) }
        }
        // A key may have been replaced while no process ran, and settings that permit links may have changed.
        try await tryKeysAgain(of: nil)
        try await tryRefusedLinksAgain()
        let failure = ChildFailure(waking: wake)
        var pause = Self.shortestPause
        try await withThrowingDiscardingTaskGroup { group in
            while !isStopping {
                let (wakeups, stored) = (wake.wakeups(heardBy: .rescue), receipts.wakeups)
                try failure.check()
                try await lookAtKeys()
                try await heedClock()
                let plan = await plan()
                var isChanged = false
                for place in plan.safe where try await settle(place) { isChanged = true }
                for act in plan.acts {
                    begin(act)
                    group.addTask { await failure.heed { try await self.carryOut(act) } }
                }
                if isChanged { continue }
                try Task.checkCancellation()
                let next = [plan.next, keyLookAt].compactMap(\.self).min()
                if plan.safe.isEmpty {
                    await wake.wait(after: wakeups, until: next)
                    pause = Self.shortestPause
                } else {
                    let soon = min(next ?? .distantFuture, setup.clock() + pause)
                    await receipts.wait(after: stored, until: soon, gathering: .milliseconds(20))
                    pause = receipts.wakeups > stored ? Self.shortestPause : min(2 * pause, Self.longestPause)
                }
            }
            group.cancelAll()
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Wakes the loop, since there may be something to do.
    package func notify() {
        wake.notify()
        receipts.notify()
    }

    /// Begins nothing more, and interrupts what is under way.
    package func stop() {
        state.withLock { $0.isStopping = true }
        notify()
    }

    /// Whether the clock was set back since the last plan, which is made at `now`.
    func isSetBack(at now: Date) -> Bool {
        state.withLock { state in
            defer { state.plannedAt = now }
            return now + DatedWait.correction < state.plannedAt
        }
    }

    private func plan() async -> RescuePlan {
        let (busy, rate, renewed) = state.withLock { ($0.busy, $0.line.rate, $0.renewed) }
        var plan = RescuePlan(
            await registry.open(), busy: busy, slots: Self.slots,
            speed: rate.map { LineSpeed(rate: $0, chunk: setup.sources.chunk) },
            providers: Set(setup.sources.providers.keys).union(renewed.keys), hasRows: setup.sources.rows != nil,
            farthest: longestWait, at: setup.clock())
        plan.acts = await permitted(plan.acts)
        return plan
    }

    private func begin(_ act: RescueAct) {
        state.withLock { _ = $0.busy.insert(act) }
    }

    private func carryOut(_ act: RescueAct) async throws {
        defer { notify() }
        try await perform(act)
        if case .fetch(let place) = act { try await discard(place.job) }
    }

    private func perform(_ act: RescueAct) async throws {
        defer { state.withLock { _ = $0.busy.remove(act) } }
        do {
            switch act {
            case .ask(let id): try await ask(id)
            case .fetch(let place): try await fetch(place)
            case .tell(let place): try await tell(place)
            }
        } catch is CancellationError {
            // The download continues at the next start.
            guard isStopping || Task.isCancelled else { throw CancellationError() }
        }
    }
}

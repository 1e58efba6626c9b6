import Audit
import Catalog
import Configuration
import FoundationEssentials
import Narration
import Platform
import Queue
import Reconciling
import Roots
import Supabase
import Sync
import Uploading

/// What several loops of one agent share: its opened state, and the client of its destination.
struct SharedParts: Sendable {
    let storage: StorageClient
    let library: Library
    let queue: UploadQueue
    let roots = RootRegistry()
    let activity: Activity
    let wake: WakeEvent
    let budget: BudgetReservations
    let limits: LearnedLimits
    let audit: AuditLog
    let cache: ThumbnailCache

    /// Throws where a file of the state is of a newer version or cannot be opened.
    init(_ setup: Agent.Setup, now: Date) async throws {
        let (locations, destination) = (setup.locations, setup.destination)
        storage = setup.storage
        wake = WakeEvent(clock: setup.time)
        activity = Activity(
            wake: wake,
            events: EventCounter(log: setup.log, clock: setup.clock) { [hear = setup.hooks.hear] in hear(.file($0)) })
        library = try Library(path: locations.library)
        let store = try QueueStore(state: locations.state, disk: setup.disk)
        let loaded = try store.load()
        // Before the queue is written anew: after that, nothing shows that something was lost.
        if loaded.isIncomplete { try await library.setMayLackItems(true) }
        queue = try UploadQueue(store: store, after: loaded, ladder: RetryLadder(setup.settings.retry), now: now)
        budget = BudgetReservations(
            StorageBudget(
                limit: StorageBudget.limit(
                    setup.settings.destination.storageBudget, url: destination.endpoint.base)))
        limits = LearnedLimits(library: library, bucket: destination.bucket)
        audit = AuditLog(state: locations.state)
        cache = ThumbnailCache(folder: locations.thumbnails)
    }
}

// MARK: - The stages

extension Agent.Setup {
    /// How many files may be open at once, divided among those that read and those that send.
    var openFiles: OpenFileBudget {
        OpenFileBudget(
            limit: OpenFileLimit.current, inUse: OpenFileLimit.inUse,
            reading: Agent.readingSlots(hasWorkers: workers != nil), sending: settings.upload.maxConcurrency)
    }

    /// The stages from Identify to Enqueue.
    func pipeline(_ shared: SharedParts) -> Pipeline {
        Pipeline(
            roots: shared.roots, library: shared.library, queue: shared.queue, identifier: identifier,
            thumbnailer: workers.map {
                Thumbnailer(
                    workers: $0, library: shared.library, cache: shared.cache, settings: settings.thumbnails,
                    shared: settings.thumbnails.shared ? SharedThumbnails(folder: locations.sharedThumbnails) : nil)
            },
            enqueuer: Enqueuer(
                library: shared.library, queue: shared.queue, destination: destination, keyPrefix: keyPrefix,
                clock: clock),
            activity: shared.activity, settings: settings, clock: clock)
    }

    /// The stage that sends; what the server accepts goes to `records`.
    ///
    /// - Parameter requests: How many requests it makes at once.
    func uploader(_ shared: SharedParts, _ records: RecordLoop, atMost requests: Int) -> Uploader {
        let check = BucketCheck(self, storage: shared.storage, library: shared.library, limits: shared.limits)
        return Uploader(
            sender: Sender(
                storage: shared.storage, library: shared.library, queue: shared.queue, destination: destination,
                roots: shared.roots, cache: shared.cache, settings: settings.upload, limits: shared.limits,
                budget: shared.budget, pictures: settings.thumbnails.roles, clock: clock),
            queue: shared.queue, library: shared.library, activity: shared.activity, wake: shared.wake,
            limit: SendingLimit(settings.upload, atMost: requests), budget: shared.budget,
            circuit: Circuit(unit: settings.retry.base), clock: clock, checkBucket: { try await check.run() },
            accepted: { records.add($0) })
    }

    /// The stage that asks the server what it holds, and writes receipts.
    func records(_ shared: SharedParts) -> RecordLoop {
        RecordLoop(
            recorder: Recorder(
                storage: shared.storage, library: shared.library, queue: shared.queue, destination: destination,
                budget: shared.budget, clock: clock),
            queue: shared.queue, library: shared.library, audit: shared.audit, activity: shared.activity,
            wake: shared.wake, clock: clock)
    }

    /// What objects at the destination are compared, repaired and deleted with.
    func reconciling(_ shared: SharedParts, _ uploader: Uploader) -> ReconcilingContext {
        ReconcilingContext(
            settings: settings, destination: destination, keyPrefix: keyPrefix,
            library: shared.library, queue: shared.queue, roots: shared.roots, storage: shared.storage,
            uploader: uploader, audit: shared.audit, wake: shared.wake, log: log, clock: clock)
    }
}

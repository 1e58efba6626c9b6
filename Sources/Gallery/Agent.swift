import Audit
package import Catalog
import Configuration
import FoundationEssentials
import Generating
import Narration
import Platform
package import Queue
import Reconciling
package import Records
package import Rescue
package import Roots
package import Supabase
import Sync
import Text
package import Uploading

/// The agent of one profile: owns its state, runs the stages, carries out requests.
///
/// One process at a time: the caller that makes an agent holds the state's lock.
package final class Agent: Sendable {
    /// What it was made from.
    package let setup: Setup
    let lock: StateLock
    /// The catalogue of assets and receipts; other commands read it through the agent.
    package let library: Library
    /// The upload queue; the agent is the single writer of its files.
    package let queue: UploadQueue
    let blocked: BlockedItems
    /// The client of the destination, with the credentials of the setup.
    package let storage: StorageClient
    /// The roots of this run; empty before `run` has loaded them.
    package let roots: RootRegistry
    /// What the stages are doing at this moment.
    package let activity: Activity
    let wake: WakeEvent
    let scanner: Scanner
    let intake: FileIntake
    let pipeline: Pipeline
    let uploader: Uploader
    let records: RecordLoop
    let metadata: MetadataLoop?
    let readBack: ReadBack
    /// Settles objects that no receipt covers.
    let leftovers: LeftoverObjects
    let budget: BudgetReservations
    let limits: LearnedLimits
    let audit: AuditLog
    let watching = Watching()
    /// Held while files are left out, or those of a root are let go.
    let rootChanges = AsyncLock()
    /// Wakes the loops that wait for a time and not for files: limits and provider histories.
    let upkeep: WakeEvent
    /// Notified when every root is to be scanned at once.
    let rescans: WakeEvent
    /// What the computer says about network and power, as far as it matters.
    let host: HostWatch
    /// Notified when the agent is told to stop.
    let ending: WakeEvent
    let reading = ReadingSlots()
    /// Assets that the stages from Identify to Enqueue hold at once.
    let readingSlots: Int
    /// The program's own directories, which no scan takes.
    let own: OwnPlaces
    /// Downloads rescued files; runs with the stages.
    package let rescuer: Rescuer
    /// Submits orders for videos; shares the registry of jobs with `rescuer`.
    let generator: Generator
    let startedAt: Date
    /// What a user can order about the registry of jobs.
    package var jobOrders: JobOrders { JobOrders(rescuer, giveUp: generator.cancel) }
    /// What objects at the destination are compared, repaired and deleted with.
    var reconciling: ReconcilingContext { leftovers.context }

    /// Opens the state of a profile, whose lock the caller has taken.
    ///
    /// Warnings of the state files go to the log. Throws where a file is of a newer version or cannot be opened.
    package init(_ setup: Setup, lock: StateLock) async throws {
        self.setup = setup
        self.lock = lock
        let clock = setup.clock
        startedAt = clock()
        upkeep = WakeEvent(clock: setup.time)
        ending = WakeEvent(clock: setup.time)
        rescans = WakeEvent(clock: setup.time)
        host = HostWatch(HostPolicy(settings: setup.settings.watch, isDistant: !setup.destination.isLocal))
        let shared = try await SharedParts(setup, now: startedAt)
        (storage, library, queue, roots) = (shared.storage, shared.library, shared.queue, shared.roots)
        (activity, wake, budget, limits) = (shared.activity, shared.wake, shared.budget, shared.limits)
        let audit = shared.audit
        self.audit = audit
        blocked = BlockedItems(
            queue: queue, library: library, destination: setup.destination.name, window: setup.queueWindow)
        own = OwnPlaces(setup.locations, generated: setup.rescue.folder)
        scanner = Scanner(library: library, wake: wake, own: own, clock: clock)
        intake = FileIntake(
            library: library, wake: wake, time: setup.time, settle: setup.settings.scan.settle,
            patience: setup.settings.sync.patience)
        let openFiles = setup.openFiles
        readingSlots = openFiles.reading
        pipeline = setup.pipeline(shared)
        records = setup.records(shared)
        readBack = ReadBack(
            storage: storage, library: library, destination: setup.destination,
            policy: setup.settings.verify.readBack)
        metadata = MetadataLoop(setup, storage: storage, library: library, activity: activity, wake: wake)
        uploader = setup.uploader(shared, records, atMost: openFiles.sending)
        leftovers = LeftoverObjects(setup.reconciling(shared, uploader), readBack: readBack)
        rescuer = Rescuer(
            setup.rescuer,
            registry: try JobRegistry(store: try JobStore(state: setup.locations.state, disk: setup.disk)),
            receipts: wake)
        generator = Generator(
            registry: rescuer.registry, providers: setup.rescue.providers, clock: clock,
            note: { line, provider in try await audit.note(line, at: provider) })
        for warning in queue.warnings + rescuer.registry.warnings { setup.log.warning(warning) }
    }
}

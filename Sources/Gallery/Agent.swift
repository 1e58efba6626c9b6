import Audit
package import Catalog
package import Configuration
package import Dashboard
package import Desktop
package import FoundationEssentials
import MediaModel
package import Narration
package import Platform
package import Providers
package import Queue
import Reconciling
package import Records
package import Rescue
package import Roots
package import Supabase
package import Sync
package import Text
package import Transfer
package import Uploading

/// The agent of one profile: owns its state, runs the stages, carries out requests.
///
/// One process at a time: the caller that makes an agent holds the state's lock.
package final class Agent: Sendable {
    /// Everything that an agent is made from; the caller may change it before `Agent.init`.
    package struct Setup: Sendable {
        /// The settings of the profile, defaults filled in.
        package var settings: Settings
        /// Where the profile keeps its state, cache, runtime files and rescued files.
        package var locations: Locations
        /// The bucket to store into, and the prefix below it.
        package var destination: Destination
        /// Called for the credentials of each request.
        package var credentials: CredentialsSource
        /// Sends the requests to the destination; downloads, too, where `downloads` is `nil`.
        package var transport: any Transport
        /// The media workers that probe files and make thumbnails; `nil` with thumbnails off.
        package var workers: (any MediaExamining)?
        /// The profile's name, as reports show it.
        package var profile = "default"
        /// What precedes the root's name in every key: the user id when signed in as a user, and the prefix.
        var keyPrefix: String
        /// The settings that options of this call gave, by their dotted keys.
        package var callSettings: Set<String> = []
        /// Where events of the run are logged; results are returned instead.
        package var log = Log.silent
        /// The last lines of the log; `nil` where nothing shows them.
        package var tail: LogTail?
        /// Called with each event of the run, on any thread; the log has them, too.
        package var hear: @Sendable (AgentEvent) -> Void = { _ in }
        /// Hears how a watch is; `nil` where nothing supervises this process.
        package var supervisor: Supervisor?
        /// Opens a directory that keeps the queue or the jobs.
        package var disk: @Sendable (FilePath) throws(SystemError) -> any Disk = { path throws(SystemError) in
            try LocalDisk(directory: path)
        }
        /// The desktop, which tells of network, power and sleep; `nil` where it is not heeded.
        package var host: (any HostLink)?
        /// Ends running requests to the destination, which then are made again over new connections.
        package var dropConnections: @Sendable () -> Void = {}
        /// Replaces the file of metrics by this text; `nil` where the settings name none.
        package var keepMetrics: (@Sendable (String) throws -> Void)?
        /// The clock for all dates, and for waiting until one.
        package var time = DateClock.wall
        /// The current date by `time`; setting it makes `time` wait by the computer's clock.
        package var clock: @Sendable () -> Date {
            get { time.now }
            set { time = DateClock(now: newValue) }
        }
        /// Limits the bytes per second of the transport; `nil` lifts the limit.
        package var setRate: @Sendable (Int?) -> Void = { _ in }
        /// The providers whose finished videos are rescued.
        package var providers: [ProviderName: any Provider] = [:]
        /// Reads a provider's key again and makes a client with it; `nil` where it has none.
        package var rereadProvider: @Sendable (ProviderName) -> (any Provider)? = { _ in nil }
        /// Which hosts and sizes a rescue may fetch.
        package var linkRules = LinkRules()
        /// When and how long providers are asked about a job.
        package var polling = PollingPolicy()
        /// The transport that rescued files are downloaded with; `nil` for `transport`.
        package var downloads: (any Transport)?
        /// Bytes that one request for a rescued file asks for at most; made durable after each.
        package var downloadChunk: Int64 = 8 << 20
        /// The directory that is the root of rescued files.
        package var generated: FilePath
        /// The database whose rows hold links; `nil` without one.
        package var rows: (any RowKeeping)?
        /// The inbox that webhooks write to; `nil` where the settings want none, or the storage has no database.
        package var inbox: (any InboxKeeping)?
        /// Makes links to the page that this process serves; `nil` where it serves none.
        package var gate: Gate?
        /// Determines kind and SHA-256 of a file.
        package var identifier = Identifier()
        /// Items, free to run or backing off, that the queue holds at most.
        package var queueWindow = UploadQueue.window

        /// A setup whose requests all carry the same, fixed credentials.
        package init(
            settings: Settings, locations: Locations, destination: Destination, credentials: StorageCredentials,
            transport: any Transport, workers: (any MediaExamining)?
        ) {
            self.init(
                settings: settings, locations: locations, destination: destination, transport: transport,
                workers: workers
            ) { _ throws(StorageError) in credentials }
        }

        /// A setup whose requests carry what `credentials` returns, such as a renewed sign-in.
        package init(
            settings: Settings, locations: Locations, destination: Destination, transport: any Transport,
            workers: (any MediaExamining)?, credentials: @escaping CredentialsSource
        ) {
            self.settings = settings
            self.locations = locations
            self.destination = destination
            self.credentials = credentials
            self.transport = transport
            self.workers = workers
            keyPrefix = destination.prefix
            generated = locations.generated
        }

        /// The part of this setup that the rescue is made from.
        var rescue: Rescuer.Setup {
            Rescuer.Setup(
                settings: settings, time: time, log: log, providers: providers, linkRules: linkRules, polling: polling,
                downloads: downloads ?? transport, workers: workers, downloadChunk: downloadChunk, generated: generated,
                rows: rows,
                links: RowLinker(
                    storage: storage, bucket: destination.bucket, table: settings.rescue.table, clock: clock),
                reread: rereadProvider)
        }

        /// Whether options of this call gave one of these settings.
        func isOfCall(_ keys: Set<String>) -> Bool { !callSettings.isDisjoint(with: keys) }

        /// The client of the destination.
        var storage: StorageClient {
            var storage = StorageClient(
                endpoint: destination.endpoint, transport: transport, credentials: credentials)
            storage.timeouts = Timeouts(connect: settings.upload.connectTimeout, idle: settings.upload.idleTimeout)
            return storage
        }
    }

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
    /// Settles what no receipt covers.
    let leftovers: LeftoverObjects
    let budget: BudgetReservations
    let limits: LearnedLimits
    let audit: AuditLog
    let watching = Watching()
    /// Wakes the loops that wait for time, not for files: limits and provider histories.
    let upkeep: WakeEvent
    /// Notified when every root is to be scanned before its time.
    let rescans: WakeEvent
    /// What the computer says, as far as it matters.
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
    /// What a user asks of the registry of jobs.
    package var jobOrders: JobOrders { JobOrders(rescuer, generator) }
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
        let shared = try SharedParts(setup, now: startedAt)
        (storage, library, queue, roots) = (shared.storage, shared.library, shared.queue, shared.roots)
        (activity, wake, budget, limits) = (shared.activity, shared.wake, shared.budget, shared.limits)
        let audit = shared.audit
        self.audit = audit
        blocked = BlockedItems(
            queue: queue, library: library, destination: setup.destination.name, window: setup.queueWindow)
        own = OwnPlaces(setup.locations, generated: setup.generated)
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
            setup.rescue,
            registry: try JobRegistry(store: try JobStore(state: setup.locations.state, disk: setup.disk)),
            receipts: wake)
        generator = Generator(
            registry: rescuer.registry, providers: setup.providers, clock: clock,
            note: { line, provider in try await audit.note(line, at: provider) })
        for warning in queue.warnings + rescuer.registry.warnings { setup.log.warning(warning) }
    }
}

package import Catalog
package import Configuration
package import FoundationEssentials
import MediaModel
package import Platform
package import Providers
package import Queue
package import Rescue
package import Supabase
package import Sync
package import Text
package import Transfer

/// The agent of one profile: owns its state, runs the stages, carries out requests.
///
/// One process at a time: whoever makes an agent holds the state's lock.
package final class Agent: Sendable {
    /// What an agent is made from.
    package struct Setup: Sendable {
        package var settings: Settings
        package var locations: Locations
        package var destination: Destination
        /// Asked before each request.
        package var credentials: CredentialsSource
        package var transport: any Transport
        /// `nil` with thumbnails off.
        package var workers: (any MediaExamining)?
        package var profile = "default"
        /// What comes before the root's name in every key; the prefix, and the user id when signed in as one.
        package var keyPrefix: String
        package var log = Log.silent
        /// What every date is by, and every wait for one.
        package var time = DateClock.wall
        /// The date by `time`; set, `time` runs as fast as the computer's clock.
        package var clock: @Sendable () -> Date {
            get { time.now }
            set { time = DateClock(now: newValue) }
        }
        /// Limits the bytes a second of the transport; `nil` lifts the limit.
        package var setRate: @Sendable (Int?) -> Void = { _ in }
        /// Providers whose finished videos are rescued.
        package var providers: [ProviderName: any Provider] = [:]
        /// Where a rescue may fetch from, and how much.
        package var linkRules = LinkRules()
        /// When providers are asked about a job.
        package var polling = PollingPolicy()
        /// What rescued files come over; `nil` for `transport`.
        package var downloads: (any Transport)?
        /// Bytes of one request for a rescued file; every so many are made durable.
        package var downloadChunk: Int64 = 8 << 20
        /// The root of rescued files.
        package var generated: FilePath
        /// The database whose rows hold links; `nil` where none can be asked.
        package var rows: (any RowKeeping)?
        /// Reads files for the first time.
        package var identifier = Identifier()
        /// Items free to run or backing off that the queue is to hold.
        package var queueWindow = UploadQueue.window

        /// Asks as the same one for ever.
        package init(
            settings: Settings, locations: Locations, destination: Destination, credentials: StorageCredentials,
            transport: any Transport, workers: (any MediaExamining)?
        ) {
            self.init(
                settings: settings, locations: locations, destination: destination, transport: transport,
                workers: workers
            ) { _ throws(StorageError) in credentials }
        }

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

        /// What of it the rescue is made from.
        var rescue: Rescuer.Setup {
            Rescuer.Setup(
                settings: settings, time: time, log: log, providers: providers, linkRules: linkRules, polling: polling,
                downloads: downloads ?? transport, workers: workers, downloadChunk: downloadChunk, generated: generated,
                rows: rows)
        }
    }

    let setup: Setup
    let lock: StateLock
    package let library: Library
    package let queue: UploadQueue
    let blocked: BlockedItems
    package let storage: StorageClient
    package let roots: RootRegistry
    package let activity: Activity
    let wake: WakeEvent
    let scanner: Scanner
    let pipeline: Pipeline
    let uploader: Uploader
    let records: RecordLoop
    let metadata: MetadataLoop?
    let readBack: ReadBack
    let budget: BudgetReservations
    let limits: LearnedLimits
    let audit: AuditLog
    let watching = Watching()
    /// Wakes the loop that tends limits, and nobody else.
    let upkeep: WakeEvent
    let reading = ReadingSlots()
    /// Assets in the hands of the stages from Identify to Enqueue at once.
    let readingSlots: Int
    /// Where the program's own files lie.
    let own: OwnPlaces
    package let rescuer: Rescuer
    package let generator: Generator
    let startedAt: Date

    /// Opens the state of a profile, whose lock the caller has taken.
    package init(_ setup: Setup, lock: StateLock) async throws {
        self.setup = setup
        self.lock = lock
        startedAt = setup.clock()
        let settings = setup.settings
        let wake = WakeEvent(clock: setup.time)
        let clock = setup.clock
        self.wake = wake
        upkeep = WakeEvent(clock: setup.time)
        activity = Activity(wake: wake)
        let library = try Library(path: setup.locations.library)
        self.library = library
        queue = try UploadQueue(
            store: try QueueStore(state: setup.locations.state), ladder: RetryLadder(settings.retry), now: startedAt)
        blocked = BlockedItems(
            queue: queue, library: library, destination: setup.destination.name, window: setup.queueWindow)
        var storage = StorageClient(
            endpoint: setup.destination.endpoint, transport: setup.transport, credentials: setup.credentials)
        storage.timeouts = Timeouts(connect: settings.upload.connectTimeout, idle: settings.upload.idleTimeout)
        self.storage = storage
        roots = RootRegistry()
        let own = OwnPlaces(setup.locations, generated: setup.generated)
        self.own = own
        scanner = Scanner(library: library, wake: wake, own: own, clock: clock)
        let openFiles = OpenFileBudget(
            limit: OpenFileLimit.current, inUse: OpenFileLimit.inUse,
            reading: Self.readingSlots(hasWorkers: setup.workers != nil), sending: settings.upload.maxConcurrency)
        readingSlots = openFiles.reading
        let cache = ThumbnailCache(folder: setup.locations.thumbnails)
        pipeline = Pipeline(
            roots: roots, library: library, queue: queue, identifier: setup.identifier,
            thumbnailer: setup.workers.map {
                Thumbnailer(workers: $0, library: library, cache: cache, settings: settings.thumbnails)
            },
            enqueuer: Enqueuer(
                library: library, queue: queue, destination: setup.destination, keyPrefix: setup.keyPrefix,
                clock: clock), activity: activity, settings: settings, clock: clock)
        let audit = AuditLog(state: setup.locations.state)
        self.audit = audit
        let budget = BudgetReservations(
            StorageBudget(
                limit: StorageBudget.limit(settings.destination.storageBudget, url: setup.destination.endpoint.base)))
        self.budget = budget
        let limits = LearnedLimits(library: library, bucket: setup.destination.bucket)
        self.limits = limits
        let records = RecordLoop(
            recorder: Recorder(
                storage: storage, library: library, queue: queue, destination: setup.destination, clock: clock),
            queue: queue, library: library, audit: audit, activity: activity, wake: wake, budget: budget,
            clock: clock)
        self.records = records
        readBack = ReadBack(
            storage: storage, library: library, destination: setup.destination, policy: settings.verify.readBack)
        metadata = MetadataLoop(setup, storage: storage, library: library, activity: activity, wake: wake)
        let bucketCheck = BucketCheck(setup, storage: storage, library: library, budget: budget)
        uploader = Uploader(
            sender: Sender(
                storage: storage, library: library, destination: setup.destination, roots: roots, cache: cache,
                settings: settings.upload, limits: limits, clock: clock), queue: queue, library: library,
            activity: activity, wake: wake, limit: SendingLimit(settings.upload, atMost: openFiles.sending),
            budget: budget,
            circuit: Circuit(unit: settings.retry.base), clock: clock,
            checkBucket: { try await bucketCheck.run() },
            accepted: { records.add($0) })
        rescuer = Rescuer(
            setup.rescue, book: try JobRegistry(store: try JobStore(state: setup.locations.state)), receipts: wake)
        generator = Generator(
            book: rescuer.book, providers: setup.providers, clock: clock,
            note: { line, provider in try await audit.note(line, at: provider) })
        for warning in queue.warnings + rescuer.book.warnings { setup.log.warning(warning) }
    }
}

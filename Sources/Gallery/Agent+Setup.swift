package import Configuration
package import FoundationEssentials
package import Platform
import Queue
package import Rescue
package import Supabase
package import Sync
package import Text
package import Transfer

extension Agent {
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
        /// Sends the requests to the destination, and downloads unless `rescue` names another transport for those.
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
        /// Opens a directory that keeps the queue or the jobs.
        package var disk: @Sendable (FilePath) throws(SystemError) -> any Disk = { path throws(SystemError) in
            try LocalDisk(directory: path)
        }
        /// The clock for all dates, and for waiting until one.
        package var time = DateClock.wall
        /// The current date by `time`; setting it makes `time` wait by the computer's clock.
        package var clock: @Sendable () -> Date {
            get { time.now }
            set { time = DateClock(now: newValue) }
        }
        /// Where rescued files come from, and where they go.
        package var rescue: RescueSources
        /// What links the agent with the process that it runs in.
        package var hooks = ProcessHooks()
        /// Determines kind and SHA-256 of a file.
        package var identifier = Identifier()
        /// Whether objects may be gone from the bucket, so that all of it should be compared soon.
        package var isBucketDoubtful = false
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
            rescue = RescueSources(folder: locations.generated)
        }

        /// The part of this setup that the rescue is made from.
        var rescuer: Rescuer.Setup {
            Rescuer.Setup(
                settings: settings, time: time, log: log, sources: rescue, transport: transport, workers: workers,
                links: RowLinker(
                    storage: storage, bucket: destination.bucket, table: settings.rescue.table, clock: clock))
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
}

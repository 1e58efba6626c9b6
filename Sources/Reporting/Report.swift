import Configuration
package import FoundationEssentials
package import Queue
package import Records
package import Rescue
import Roots
package import Text

/// The status of a profile: the one model behind text, JSON, HTML, metrics and the dashboard.
///
/// The keys up to `failures` are those of `gallery-sync/status/1`; the rest is in the document too
/// (except thumbnails), for users who need details.
package struct Report: Codable, Hashable, Sendable {
    /// The name and version of the document's schema.
    static let schema = "gallery-sync/status/1"

    /// The schema as the document states it.
    package var schema = Self.schema
    /// The version of the program that made the report; `nil` where an older one did not state it.
    var version: String? = Version.text
    /// The moment that "ago" and "in" are counted from.
    package var createdAt: Date
    /// The profile's name.
    package var profile: String
    /// Where objects go; `nil` when no destination was chosen yet.
    @OrNull package var destination: Destination?
    /// Where objects that count as stored are, if the settings now name another destination; `nil` otherwise.
    @OrNull package var storedElsewhere: String?
    /// A configured folder that the running agent does not look at, since it read the configuration before; for people.
    package var unwatched: String?
    /// Dotted keys of settings that the configuration has otherwise since the running agent read it; `nil` for none.
    package var changedSettings: [String]?
    /// What the agent does right now.
    package var agent: Agent
    /// How the last pass or watch went; `nil` where none is remembered.
    @OrNull package var lastRun: LastRun?
    /// Why nothing can be written where the state lies, in errno's words; `nil` if nothing is in the way, or with an agent.
    package var stateTrouble: String?
    /// When the last complete scan ended, by the root that was scanned longest ago; `nil` if a root never was.
    @OrNull package var lastScan: Date?
    /// Files on disk that are new or have changed since then; `nil` unless they were looked for.
    @OrNull package var unscanned: Int?
    /// Files that were written to recently, so that a watch waits until their writers are done; `nil` without a watch.
    package var settling: Int?
    /// The assets to store, by state.
    package var assets: Assets
    /// What is known but not to be stored.
    package var besides: Besides
    /// Items of the upload queue and of the library's waiting ones.
    package var queue: Queue
    /// Bytes of the assets to store.
    package var bytes: Bytes
    /// Stored objects by what proves them.
    package var proof = Proof()
    /// When the asset that waits longest was found.
    @OrNull package var oldestWaiting: Date?
    /// When the next pending item falls due; `nil` when none waits for a time.
    @OrNull package var nextAttempt: Date?
    /// One entry for each cause, the most frequent first.
    package var failures: [Failure]
    /// Why assets wait, such as `offline`, with their numbers.
    package var blocked: [Blocked]
    /// What the brake holds; `nil` while it holds nothing.
    @OrNull package var brake: Brake?
    /// Differences between objects and receipts that verifications found and that still exist; `nil` if there are none.
    @OrNull package var discrepancies: Discrepancies?
    /// The providers' files; `nil` while there are no jobs.
    @OrNull package var rescue: RescueSummary?
    /// What limits the sending; `nil` if nothing does, or if no agent runs that knows it.
    var limits: Limits?
    /// All roots, with their counts.
    package var roots: [Root]
    /// The assets to store by kind; empty in a summary.
    package var kinds: [Kind]
    /// Bytes stored per span of time, oldest first, spans of equal length; empty spans may be missing.
    package var history: [Span]
    /// The newest receipts of originals, newest first.
    package var recent: [Recent]
    /// Stored files whose thumbnails must still be made or stored.
    package var picturesOwed = 0
    /// Why most of these could not be made at the last attempt.
    package var picturesTrouble: String?
    /// Sentences for the user that are not failures, such as a root watched by scanning.
    package var notes: [String]

    /// A report in which nothing has happened yet, unless counts are given.
    ///
    /// - Parameters:
    ///   - createdAt: Now; every "ago" is counted from it.
    ///   - destination: `nil` renders as "none", with the advice to run `init`.
    ///   - assets: `total` is computed from its four counts, so the sums add up by construction.
    ///   - bytes: Bytes of originals; `stored` is never above `total`.
    ///   - failures: Grouped by cause; `Failure.grouped` makes them from single ones.
    ///   - history: Spans of any length (an hour, a day); the page draws one bar for each.
    ///   - recent: The page shows at most 200.
    package init(
        createdAt: Date, profile: String = "default", destination: Destination? = nil, agent: Agent = Agent(),
        assets: Assets = Assets(), besides: Besides = Besides(), queue: Queue = Queue(), bytes: Bytes = Bytes(),
        oldestWaiting: Date? = nil, nextAttempt: Date? = nil, failures: [Failure] = [], blocked: [Blocked] = [],
        roots: [Root] = [], kinds: [Kind] = [], history: [Span] = [], recent: [Recent] = [], notes: [String] = []
    ) {
        self.createdAt = createdAt
        self.profile = profile
        self.destination = destination
        self.agent = agent
        self.assets = assets
        self.besides = besides
        self.queue = queue
        self.bytes = bytes
        self.oldestWaiting = oldestWaiting
        self.nextAttempt = nextAttempt
        self.failures = failures
        self.blocked = blocked
        (brake, discrepancies, rescue, lastRun, lastScan, unscanned) = (nil, nil, nil, nil, nil, nil)
        storedElsewhere = nil
        self.roots = roots
        self.kinds = kinds
        self.history = history
        self.recent = recent
        self.notes = notes
    }
}

extension Report {
    /// Where the objects go.
    package struct Destination: Codable, Hashable, Sendable {
        /// The storage's address; `nil` for the embedded server on this computer.
        @OrNull package var url: String?
        /// The bucket's name.
        var bucket: String
        /// The start of every key; empty for none.
        var prefix: String
        /// Whether it is the embedded server, which does not protect against loss of this disk.
        var local: Bool

        /// A destination as the report shows it, without its key.
        package init(url: String?, bucket: String, prefix: String = "", local: Bool = false) {
            self.url = url
            self.bucket = bucket
            self.prefix = prefix
            self.local = local
        }

        /// One line for the user, with which every report begins.
        package var sentence: String {
            if local { return "this computer. Not protected against loss of this disk." }
            return "\(url ?? "unknown"), bucket \(Configuration.Destination.place(bucket, prefix))"
        }
    }

    /// What the agent does right now.
    package struct Agent: Codable, Hashable, Sendable {
        /// Whether a process holds this profile's lock right now.
        package var running: Bool
        /// Whether uploads are paused, or a root cannot be scanned.
        package var paused: Bool
        /// Why it is paused, or what it waits for; `nil` when there is nothing to say.
        @OrNull package var reason: String?

        /// An agent that is not running, unless stated otherwise.
        package init(running: Bool = false, paused: Bool = false, reason: String? = nil) {
            self.running = running
            self.paused = paused
            self.reason = reason
        }
    }

    /// What is to be stored; each asset is in exactly one of the four states.
    package struct Assets: Codable, Hashable, Sendable {
        /// The sum of the four counts; never set by itself.
        package private(set) var total: Int
        /// Assets with a receipt.
        package let stored: Int
        /// Assets still to be read or sent, those that the brake holds included.
        package let waiting: Int
        /// Assets whose item has failed.
        package let failed: Int
        /// Assets that are not stored because they could not be read.
        package let unreadable: Int

        /// The four counts; the total is their sum.
        package init(stored: Int = 0, waiting: Int = 0, failed: Int = 0, unreadable: Int = 0) {
            total = stored + waiting + failed + unreadable
            self.stored = stored
            self.waiting = waiting
            self.failed = failed
            self.unreadable = unreadable
        }
    }

    /// What is known but not to be stored.
    package struct Besides: Codable, Hashable, Sendable {
        /// Files and folders that a rule leaves out, and files that are not media.
        package var ignored: Int
        /// Files deleted before they were stored.
        package var gone: Int
        /// Files that the user cancelled.
        package var excluded: Int
        /// Files deleted after they were stored; their objects stay.
        package var remoteOnly: Int
        /// Files that were stored before a rule left them out, and are still here.
        package var leftOutStored: Int
        /// Files in a root with `autoUpload` off.
        var indexed: Int
        /// What `ignored` counts, by rule, the most frequent first.
        package var leftOut: [LeftOut] = []

        /// Counts of zero unless given; `leftOut` is filled in later.
        package init(
            ignored: Int = 0, gone: Int = 0, excluded: Int = 0, remoteOnly: Int = 0, leftOutStored: Int = 0,
            indexed: Int = 0
        ) {
            self.ignored = ignored
            self.gone = gone
            self.excluded = excluded
            self.remoteOnly = remoteOnly
            self.leftOutStored = leftOutStored
            self.indexed = indexed
        }
    }

    /// How many files and folders one rule leaves out.
    package struct LeftOut: Codable, Hashable, Sendable {
        /// The rule, such as `hidden`; a rule of the user with its pattern.
        var rule: String
        /// The number of files and folders.
        var count: Int

        /// How many files and folders `rule` left out of the last walk.
        package init(rule: String, count: Int) {
            self.rule = rule
            self.count = count
        }

        /// What follows the count on a page.
        var label: String { "× " + rule }
    }

    /// Items of the upload queue, thumbnails included.
    package struct Queue: Codable, Hashable, Sendable {
        /// Items to be sent, blocked ones in the library included.
        package var pending: Int
        /// Items that are being sent.
        package var uploading: Int
        /// Completed items that the queue still keeps.
        package var completed: Int
        /// Failed items that the queue still keeps.
        var failed: Int
        /// Of all these, thumbnails.
        package var pictures = QueueCounts.Pictures()
        /// Whether the user has paused it.
        package var paused = false

        /// The counts of an empty queue unless given.
        package init(pending: Int = 0, uploading: Int = 0, completed: Int = 0, failed: Int = 0) {
            self.pending = pending
            self.uploading = uploading
            self.completed = completed
            self.failed = failed
        }

        /// Such as `5 files, 5 pictures pending`, one for each state; the completed ones are the newest only.
        ///
        /// - Parameter isRunning: Whether an agent sends; without one, what was being sent was cut off.
        func entries(isRunning: Bool) -> [String] {
            [
                Self.entry(pending, pictures.pending, "pending"),
                Self.entry(uploading, pictures.uploading, isRunning ? "uploading" : "cut off"),
                Self.entry(completed, pictures.completed, "completed (the newest)"),
                Self.entry(failed, pictures.failed, "failed"),
            ].compactMap(\.self)
        }

        private static func entry(_ items: Int, _ pictures: Int, _ state: String) -> String? {
            items > 0 ? "\(Quantity.text(files: items - pictures, pictures: pictures)) \(state)" : nil
        }
    }

    /// Stored objects by the kind of their proof, thumbnails included.
    package struct Proof: Codable, Hashable, Sendable {
        /// Objects whose MD5 agrees with the storage's.
        var md5: Int
        /// Objects in parts whose combined MD5 agrees with the storage's.
        var multipartMD5: Int
        /// Objects that were read back and hashed.
        var readBack: Int
        /// Objects of which only the size could be compared.
        var size: Int

        /// The counts of an empty library unless given.
        package init(md5: Int = 0, multipartMD5: Int = 0, readBack: Int = 0, size: Int = 0) {
            self.md5 = md5
            self.multipartMD5 = multipartMD5
            self.readBack = readBack
            self.size = size
        }

        /// All stored objects.
        var total: Int { md5 + multipartMD5 + readBack + size }

        /// A note for the user about objects proven by size; `nil` where there are none.
        var sentence: String? {
            guard size > 0 else { return nil }
            return "\(Quantity.text(count: size)) of \(Quantity.text(count: total)) objects proven by size only: the "
                + "storage tells nothing else of them that can be compared; verify.readBack reads such objects back"
        }
    }

    /// Bytes of the assets.
    package struct Bytes: Codable, Hashable, Sendable {
        /// Bytes of all assets to store.
        var total: Int64
        /// Bytes of the stored ones.
        package var stored: Int64

        /// The bytes of originals; thumbnails do not count.
        package init(total: Int64 = 0, stored: Int64 = 0) {
            self.total = total
            self.stored = stored
        }
    }
}

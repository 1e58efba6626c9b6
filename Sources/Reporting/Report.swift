package import FoundationEssentials
package import Rescue
package import Text

/// The status of a profile: the one model behind text, JSON, HTML, metrics and the dashboard.
///
/// The keys up to `failures` are those of `gallery-sync/status/1`; the rest is in the document too
/// (pictures excepted), for people who look closer.
package struct Report: Codable, Hashable, Sendable {
    /// The name of the document's form.
    package static let schema = "gallery-sync/status/1"

    package var schema = Self.schema
    /// Of the program that made the report; nil where an older one did not say.
    package var version: String? = Version.text
    /// The moment that "ago" and "in" are counted from.
    package var createdAt: Date
    package var profile: String
    /// Nil when none was chosen yet.
    @OrNull package var destination: Destination?
    package var agent: Agent
    package var assets: Assets
    package var besides: Besides
    package var queue: Queue
    package var bytes: Bytes
    /// Stored objects by what proves them.
    package var proof = Proof()
    /// When the asset that waits longest was found.
    @OrNull package var oldestWaiting: Date?
    @OrNull package var nextAttempt: Date?
    /// One entry a cause, the most frequent first.
    package var failures: [Failure]
    /// What is in the way of waiting assets, such as `offline`.
    package var blocked: [Blocked]
    /// What the brake holds; nil while it holds nothing.
    @OrNull package var brake: Brake?
    /// The files of providers; nil while nobody asked for any.
    @OrNull package var rescue: RescueSummary?
    package var roots: [Root]
    package var kinds: [Kind]
    /// Bytes stored per span of time, oldest first, spans of equal length; empty spans may be missing.
    package var history: [Span]
    /// The newest receipts of originals, newest first.
    package var recent: [Recent]
    /// Stored files whose pictures are still to be made or stored.
    package var picturesOwed = 0
    /// Sentences worth reading that are no failures, such as a root watched by scanning.
    package var notes: [String]

    /// A report in which nothing has happened yet; fill in what is known.
    ///
    /// - Parameters:
    ///   - createdAt: Now; every "ago" is counted from it.
    ///   - destination: Nil renders as "none", with the advice to run `init`.
    ///   - assets: `total` is computed from its four counts, so the sums add up by construction.
    ///   - bytes: Of originals; `stored` never above `total`.
    ///   - failures: Grouped; `Failure.grouped` makes them from single ones.
    ///   - history: Any span (an hour, a day); the page draws one bar each.
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
        brake = nil
        rescue = nil
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
        /// Nil for the embedded server on this computer.
        @OrNull package var url: String?
        package var bucket: String
        /// Empty for none.
        package var prefix: String
        package var local: Bool

        package init(url: String?, bucket: String, prefix: String = "", local: Bool = false) {
            self.url = url
            self.bucket = bucket
            self.prefix = prefix
            self.local = local
        }

        /// One line for people; every report begins with it.
        package var sentence: String {
            if local { return "this computer. Not protected against loss of this disk." }
            let place = prefix.isEmpty ? bucket : "\(bucket)/\(prefix)"
            return "\(url ?? "unknown"), bucket \(place)"
        }
    }

    /// What the agent does right now.
    package struct Agent: Codable, Hashable, Sendable {
        package var running: Bool
        package var paused: Bool
        /// Why it is paused, or what it waits for; nil when there is nothing to say.
        @OrNull package var reason: String?

        package init(running: Bool = false, paused: Bool = false, reason: String? = nil) {
            self.running = running
            self.paused = paused
            self.reason = reason
        }
    }

    /// What is to be stored: each asset is in exactly one of the four.
    package struct Assets: Codable, Hashable, Sendable {
        package private(set) var total: Int
        package let stored: Int
        package let waiting: Int
        package let failed: Int
        /// Not stored because it could not be read.
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

    /// What is known and not to be stored.
    package struct Besides: Codable, Hashable, Sendable {
        package var ignored: Int
        /// Deleted before it was stored.
        package var gone: Int
        /// Cancelled by the user.
        package var excluded: Int
        /// Deleted after it was stored; the object stays.
        package var remoteOnly: Int
        /// In a root with `autoUpload` off.
        package var indexed: Int
        /// What `ignored` counts, by rule, the most frequent first.
        package var leftOut: [LeftOut] = []

        package init(ignored: Int = 0, gone: Int = 0, excluded: Int = 0, remoteOnly: Int = 0, indexed: Int = 0) {
            self.ignored = ignored
            self.gone = gone
            self.excluded = excluded
            self.remoteOnly = remoteOnly
            self.indexed = indexed
        }
    }

    /// How many files and folders one rule leaves out.
    package struct LeftOut: Codable, Hashable, Sendable {
        /// Such as `hidden`; of the user's with its pattern.
        package var rule: String
        package var count: Int

        package init(rule: String, count: Int) {
            self.rule = rule
            self.count = count
        }
    }

    /// Items of the upload queue, thumbnails among them.
    package struct Queue: Codable, Hashable, Sendable {
        package var pending: Int
        package var uploading: Int
        package var completed: Int
        package var failed: Int

        package init(pending: Int = 0, uploading: Int = 0, completed: Int = 0, failed: Int = 0) {
            self.pending = pending
            self.uploading = uploading
            self.completed = completed
            self.failed = failed
        }
    }

    /// How many stored objects are proven how, thumbnails among them.
    package struct Proof: Codable, Hashable, Sendable {
        package var md5: Int
        package var multipartMD5: Int
        package var readBack: Int
        /// By nothing but their size.
        package var size: Int

        package init(md5: Int = 0, multipartMD5: Int = 0, readBack: Int = 0, size: Int = 0) {
            self.md5 = md5
            self.multipartMD5 = multipartMD5
            self.readBack = readBack
            self.size = size
        }

        package var total: Int { md5 + multipartMD5 + readBack + size }

        /// What people should know of it; nil where everything is proven by its content.
        package var sentence: String? {
            guard size > 0 else { return nil }
            return "\(Quantity.text(count: size)) of \(Quantity.text(count: total)) objects proven by size only: the "
                + "storage tells nothing else of them that can be compared; verify.readBack reads such objects back"
        }
    }

    /// Bytes of the assets.
    package struct Bytes: Codable, Hashable, Sendable {
        package var total: Int64
        package var stored: Int64

        package init(total: Int64 = 0, stored: Int64 = 0) {
            self.total = total
            self.stored = stored
        }
    }
}

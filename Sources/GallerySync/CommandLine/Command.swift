import Gallery
import Platform
import StorageServer
import Text

/// What the command line asks for.
enum Command: Hashable, Sendable {
    case initialize(InitRequest)
    case sync(SyncRequest)
    /// The directories to watch besides or instead of those of the configuration.
    case watch([FilePath])
    case status(StatusRequest)
    case reupload(ReuploadRequest)
    case restore(RestoreRequest)
    case queue(QueueRequest)
    case verify(VerifyRequest)
    case prune(PruneRequest)
    case link(LinkRequest)
    case why([FilePath])
    case rescue(RescueRequest)
    case jobs(JobsRequest)
    case generate(GenerateRequest)
    case thumbnail(ThumbnailRequest)
    case serve(ServeRequest)
    /// With `keeps`, the files stay and the server keeps running.
    case demo(keeps: Bool)
    case login(LoginRequest)
    case logout
    case doctor
    case config(ConfigRequest)
    /// Prints the completion script for a shell.
    case completion(Shell)
    /// Help for one command, or for all.
    case help(String?)
    /// Writes the manual pages into a directory.
    case manual(FilePath)
    case version
}

/// The shells that there is a completion script for.
enum Shell: String, Hashable, Sendable, CaseIterable {
    case bash, zsh, fish
}

/// The options of `init`; what is missing is asked for on a terminal.
struct InitRequest: Hashable, Sendable {
    var roots: [FilePath] = []
    var keyFile: FilePath?
    var isAutomatic: Bool?
    var changesDestination = false
    /// Whether to ask nothing.
    var acceptsDefaults = false
}

struct SyncRequest: Hashable, Sendable {
    var roots: [FilePath] = []
    var isDryRun = false
}

struct StatusRequest: Hashable, Sendable {
    /// The file that an HTML page is written to, instead of text on standard output.
    var html: FilePath?
    var follows = false
    /// Whether the exit code is the verdict for a monitor.
    var checks = false
    var maxAge = Duration.seconds(86400)
    var isRedacted = false
}

struct ReuploadRequest: Hashable, Sendable {
    enum Selection: String, Hashable, Sendable {
        case failed, missing, changed, all
    }

    var paths: [FilePath] = []
    var selection = Selection.failed
    var code: String?
    var since: Since?
    /// Whether identical bytes are sent again, too.
    var isForced = false
    var isDryRun = false
    /// Whether to ask nothing.
    var isConfirmed = false
}

struct RestoreRequest: Hashable, Sendable {
    /// Paths below roots, such as `Pictures/2026`; everything when empty.
    var paths: [FilePath] = []
    var target: FilePath
    var since: Since?
    var isDryRun = false
}

struct VerifyRequest: Hashable, Sendable {
    /// Percent of the objects to download and hash; `nil` compares listings only.
    var percent: Double?
    var isRepairing = false
}

struct PruneRequest: Hashable, Sendable {
    var isDeleting = false
    var isDryRun = false
    /// Whether to ask nothing.
    var isConfirmed = false
}

struct LinkRequest: Hashable, Sendable {
    var files: [FilePath]
    /// How long a signed URL works.
    var expires = Duration.seconds(7 * 86_400)
}

struct RescueRequest: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        /// The jobs that are followed already.
        case known
        /// Links, or files that hold some.
        case links([FilePath])
        case provider(String)
        /// A table of the destination's database; `thumbnail` may be `-` for none.
        case table(String, column: String, thumbnail: String)
    }

    var source: Source
    var since: Since?
    /// When links expire that have no date of their own; an age counts from now on.
    var expires: Since?
    var isDryRun = false
}

enum JobsRequest: Hashable, Sendable {
    case list
    case add(provider: String, ids: [String], model: String?)
    /// Cancels jobs by the identifiers that `list` shows.
    case cancel([String])
}

struct GenerateRequest: Hashable, Sendable {
    var provider: String
    var model: String
    var prompt: String?
    /// A file with the model's input in JSON.
    var input: FilePath?
    /// What it may cost, in the provider's unit.
    var cost: Double?
    /// Whether to order it although its cost is not known or limited.
    var isConfirmed = false
}

enum QueueRequest: Hashable, Sendable {
    case list
    case pause
    case resume
    case cancel([FilePath])
}

struct ThumbnailRequest: Hashable, Sendable {
    var files: [FilePath]
    var target: FilePath
    /// Pixels along the longer side; the sizes of the settings when empty.
    var sizes: [Int] = []
}

struct ServeRequest: Hashable, Sendable {
    /// 0 means any free one.
    var port: UInt16 = 0
    var data: FilePath?
    /// A file with rules for injected faults, for tests of clients.
    var faults: FilePath?
    /// How the server computes eTags.
    var eTags = ETagRule.md5
    /// Whether to rebuild the index instead of serving.
    var rebuildsIndex = false
}

enum ConfigRequest: String, Hashable, Sendable, CaseIterable {
    case show, check
}

/// A moment in the past, as a date or as an age.
enum Since: Hashable, Sendable {
    case date(FileTime)
    case ago(Duration)

    /// Reads `2026-11-20`, `2026-11-20T10:00:00Z` or `7d`.
    init?(_ text: String) {
        if let time = ISO8601.time(text) {
            self = .date(time)
        } else if let age = Quantity.duration(text), !text.allSatisfy(\.isNumber) {
            self = .ago(age)
        } else {
            return nil
        }
    }

    /// The moment itself.
    func moment(before now: FileTime) -> FileTime {
        switch self {
        case .date(let time): return time
        case .ago(let age):
            let (seconds, attoseconds) = age.components
            return FileTime(nanoseconds: now.nanoseconds - seconds * 1_000_000_000 - attoseconds / 1_000_000_000)
        }
    }
}

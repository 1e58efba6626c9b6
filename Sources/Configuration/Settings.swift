package import MediaModel
package import Platform
package import Text

/// The settings of one profile; every value has a default except roots and destination.
///
/// `config/gallery-sync.json5` lists the same keys with the same values and explains them; a key's
/// dotted path (`upload.limitRate`) is its name in the file, in `config show` and, in capitals
/// (`GALLERY_SYNC_UPLOAD_LIMIT_RATE`), in the environment.
package struct Settings: Hashable, Sendable {
    /// The directory trees to keep safe; none of them lies inside another.
    package var roots: [Root] = []
    /// Where objects go.
    package var destination = Destination()
    /// What counts as part of a gallery, and when it is searched.
    package var scan = Scan()
    /// How files are read for the first time.
    var identify = Identify()
    /// Which thumbnails are made.
    package var thumbnails = Thumbnails()
    /// How objects are sent.
    package var upload = Upload()
    /// The waits between attempts.
    package var retry = Retry()
    /// When `sync` stops waiting.
    package var sync = Sync()
    /// How `watch` treats other programs.
    package var watch = Watch()
    /// The gallery page that `watch` serves.
    package var page = Page()
    /// What is checked again after it was stored.
    package var verify = Verify()
    /// How providers' files are brought into storage.
    package var rescue = Rescue()
    /// The accounts at providers.
    package var providers = Providers()
    /// The limits of one media worker.
    package var media = Media()
    /// Where a watch writes its status for other programs.
    package var report = Reports()
    /// What is logged, and how.
    package var log = Log()

    /// The built-in defaults.
    package init() {}
}

extension Settings {
    /// One directory tree to keep safe.
    package struct Root: Hashable, Sendable {
        /// Absolute once loaded; the file may write `~/Pictures`.
        package var path: FilePath
        /// The first segment of every key below; the directory's own name when `nil`.
        package var name: String?
        /// Whether files are sent automatically; if not, they are indexed, and sent only when the user names them.
        package var autoUpload: Bool
        /// Patterns added to `scan.ignore`, for this root only.
        package var ignore: [String]

        /// A root as the configuration writes it; only the path has no default.
        package init(path: FilePath, name: String? = nil, autoUpload: Bool = true, ignore: [String] = []) {
            self.path = path
            self.name = name
            self.autoUpload = autoUpload
            self.ignore = ignore
        }
    }

    /// What is configured for the directory `path` itself, if anything is.
    package func root(at path: FilePath) -> Root? { roots.first { $0.path == path } }

    /// Where objects go; nothing is sent before `url` or `local` is set.
    package struct Destination: Hashable, Sendable {
        /// The project or its storage, such as `https://abc.supabase.co`; `nil` until chosen.
        package var url: String?
        /// The bucket's name: 1 to 100 letters, digits, `.`, `-` or `_`.
        package var bucket = "media"
        /// The start of every key, without slashes at its ends; empty for none.
        package var prefix = ""
        /// Whether a public bucket is accepted, whose objects anyone who guesses a name can read.
        package var allowPublicBucket = false
        /// Whether objects go to the embedded server, as a second copy on this computer only.
        package var local = false
        /// The most bytes to store; `nil` means 900 MB in a hosted project and no limit elsewhere.
        package var storageBudget: StorageAllowance?
        /// A file with mode 0600 that holds the key; `GALLERY_SYNC_KEY` takes precedence.
        package var keyFile: FilePath?
        /// A table of the project's database that gets a row for each stored original; `nil` for none.
        package var metadataTable: String?

        /// Whether a destination is set.
        package var isChosen: Bool { local || url != nil }
    }

    /// What counts as part of a gallery, and when it is searched.
    package struct Scan: Hashable, Sendable {
        /// The time between two full walks while watching.
        package var interval = Duration.seconds(3600)
        /// How long a file must be unchanged before it counts as complete.
        package var settle = Duration.seconds(2)
        /// Patterns of names or of paths below the root, such as `*.tmp` or `Cache/**`.
        package var ignore: [String] = []
        /// Whether files and directories whose names begin with a dot are part of the gallery.
        package var includeHidden = false
        /// Whether names that programs leave behind, such as `*.part` or `@eaDir`, are left out.
        package var defaultRules = true
    }

    /// How files are read for the first time.
    package struct Identify: Hashable, Sendable {
        /// Files read and hashed at the same time; `nil` means half the cores.
        var workers: Int?
    }

    /// Which thumbnails are made, and how many are kept on this computer.
    package struct Thumbnails: Hashable, Sendable {
        /// Whether thumbnails are made and sent at all.
        package var enabled = true
        /// Pixels along the longer side, one thumbnail each.
        package var sizes = [512]
        /// The most bytes of one thumbnail; the quality is lowered until it fits.
        package var maxBytes = 200_000
        /// How new thumbnails are encoded; stored ones keep their format.
        package var format = ThumbnailFormat.jpeg
        /// The colour behind transparent parts of a picture.
        package var background = RGBColour.white
        /// Key frames of a video that are compared for its poster.
        package var candidates = 5
        /// The most bytes of the cache on disk; the least recently used files are removed first.
        package var cacheBytes = 1_000_000_000
        /// Media workers at the same time; `nil` means half the cores.
        package var workers: Int?
        /// Whether thumbnails also go to the folder where the desktop's programs look for them.
        package var shared = false
    }

    /// How objects are sent.
    package struct Upload: Hashable, Sendable {
        /// Parallel requests at the start; the number then adapts between the two bounds below.
        package var concurrency = 4
        /// The fewest parallel requests that the adaptation goes down to.
        package var minConcurrency = 2
        /// The most parallel requests that the adaptation goes up to.
        package var maxConcurrency = 8
        /// Bytes up to which a file is sent in one request; larger files use resumable uploads.
        package var smallFileBytes = 6 * 1024 * 1024
        /// Bytes per second over all uploads, by the time of the week; `nil` means unlimited.
        package var limitRate: RateTimetable?
        /// The `max-age` of an object's `Cache-Control`.
        package var cacheFor = Duration.seconds(3600)
        /// How long connecting may take before the attempt fails.
        package var connectTimeout = Duration.seconds(10)
        /// How long a request may go without a byte in either direction before it fails.
        package var idleTimeout = Duration.seconds(60)
        /// What to do where the key holds an object that is not ours.
        package var onForeign = OnForeign.keepBoth
        /// What to do when a stored file's content changed.
        package var onChange = OnChange.replace
        /// The name of this computer in the metadata of objects; `nil` for one that is made up.
        package var computer: String?
    }

    /// What to do where the key already holds an object that is not ours.
    package enum OnForeign: String, CaseIterable, Hashable, Sendable {
        case keepBoth = "keep-both"
        case fail
        case replace
    }

    /// What to do when a stored file's content changed.
    package enum OnChange: String, CaseIterable, Hashable, Sendable {
        case replace
        case keepBoth = "keep-both"
    }

    /// The exponential backoff: `base`, `base × factor`, … up to `cap`, each with jitter.
    package struct Retry: Hashable, Sendable {
        /// The first wait; not more than `cap`.
        package var base = Duration.seconds(2)
        /// The factor from one wait to the next, 1 to 100.
        package var factor = 4.0
        /// The longest wait, before jitter.
        package var cap = Duration.seconds(36 * 3600)
        /// Attempts with an answer before an item is failed; ten take about two days.
        package var attempts = 10
    }

    /// When `sync` stops waiting.
    package struct Sync: Hashable, Sendable {
        /// `sync` ends with exit 5 when nothing falls due within this time.
        package var patience = Duration.seconds(60)
    }

    /// How `watch` treats other programs, the network and the battery.
    package struct Watch: Hashable, Sendable {
        /// Whether `watch` yields to other programs: nice 10 and the idle I/O class.
        package var polite = true
        /// Whether nothing is sent over a metered network.
        package var pauseOnMetered = true
        /// On battery nothing is sent below this charge, in percent; 0 never stops it, 100 always does.
        package var pauseBelowCharge = 20
        /// Whether nothing is sent while the computer is set to save power.
        package var pauseOnPowerSaver = true
        /// Whether notifications are shown on the desktop.
        package var notifications = true
        /// Whether an icon is put into the desktop's tray.
        package var tray = true
    }

    /// The limits of one media worker.
    package struct Media: Hashable, Sendable {
        /// The most bytes of private memory.
        package var memory = 1024 * 1024 * 1024
        /// The processor time for one file.
        package var cpuTime = Duration.seconds(30)
        /// The elapsed time for one file, after which the worker is killed.
        package var time = Duration.seconds(60)
        /// How long an unused worker is kept.
        package var idle = Duration.seconds(30)
    }

    /// What is logged, and how.
    package struct Log: Hashable, Sendable {
        /// The most detailed level that is written.
        package var level = LogLevel.info
        /// Lines of text for people, or JSON Lines for programs.
        package var format = LogFormat.text
    }
}

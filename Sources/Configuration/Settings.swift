package import MediaModel
package import Platform
package import Text

/// What one profile is told to do; every value has a default except roots and destination.
///
/// `config/gallery-sync.json5` lists the same keys with the same values and says why; a key's
/// dotted path (`upload.limitRate`) is its name in the file, in `config show` and, in capitals
/// (`GALLERY_SYNC_UPLOAD_LIMIT_RATE`), in the environment.
package struct Settings: Hashable, Sendable {
    package var roots: [Root] = []
    package var destination = Destination()
    package var scan = Scan()
    package var identify = Identify()
    package var thumbnails = Thumbnails()
    package var upload = Upload()
    package var retry = Retry()
    package var sync = Sync()
    package var watch = Watch()
    package var verify = Verify()
    package var rescue = Rescue()
    package var providers = Providers()
    package var media = Media()
    package var log = Log()

    /// The built-in defaults.
    package init() {}
}

extension Settings {
    /// One directory tree to keep safe.
    package struct Root: Hashable, Sendable {
        /// Absolute once loaded; the file may write `~/Pictures`.
        package var path: FilePath
        /// The first segment of every key below; the directory's own name when nil.
        package var name: String?
        /// False means indexed and thumbnailed, never sent unless named by the user.
        package var autoUpload: Bool
        /// Patterns added to `scan.ignore`, for this root alone.
        package var ignore: [String]

        /// A root as the configuration writes it; only the path has no default.
        package init(path: FilePath, name: String? = nil, autoUpload: Bool = true, ignore: [String] = []) {
            self.path = path
            self.name = name
            self.autoUpload = autoUpload
            self.ignore = ignore
        }
    }

    /// Where objects go; nothing is sent before `url` or `local` says where.
    package struct Destination: Hashable, Sendable {
        /// The project or its storage, such as `https://abc.supabase.co`; nil until chosen.
        package var url: String?
        package var bucket = "media"
        /// Put before every key, without slashes at its ends; empty for none.
        package var prefix = ""
        /// Objects in a public bucket can be read by anyone who guesses a name.
        package var allowPublicBucket = false
        /// A second copy on this computer only, in the embedded server.
        package var local = false
        /// Bytes that may lie there; nil trusts a hosted project with 900 MB, everything else with all.
        package var storageBudget: StorageAllowance?
        /// A file with mode 0600 that holds the key; `GALLERY_SYNC_KEY` goes before it.
        package var keyFile: FilePath?
        /// A table of the project's database that gets a row for each stored original; nil for none.
        package var metadataTable: String?

        /// Whether anything says where to send.
        package var isChosen: Bool { local || url != nil }
    }

    /// What counts as part of a gallery and when it is looked for.
    package struct Scan: Hashable, Sendable {
        /// Between two full walks while watching; at least a minute.
        package var interval = Duration.seconds(3600)
        /// How long a file must have been left alone after its last write.
        package var settle = Duration.seconds(2)
        /// Patterns of names or of paths below the root, such as `*.tmp` or `Cache/**`.
        package var ignore: [String] = []
        package var includeHidden = false
        /// Whether names that programs leave behind, such as `*.part` or `@eaDir`, are left out.
        package var defaultRules = true
    }

    /// How files are read for the first time.
    package struct Identify: Hashable, Sendable {
        /// Files read and hashed at once; nil means half the cores.
        package var workers: Int?
    }

    /// Which small pictures are made, and how many are kept here.
    package struct Thumbnails: Hashable, Sendable {
        package var enabled = true
        /// Pixels along the longer side, one thumbnail each.
        package var sizes = [512]
        /// Bytes of one thumbnail; the quality is lowered until it fits.
        package var maxBytes = 200_000
        /// What shows through where a picture is transparent.
        package var background = RGBColour.white
        /// Key frames of a video that are compared for its poster.
        package var candidates = 5
        /// Bytes of the cache on disk; the least recently used go first.
        package var cacheBytes = 1_000_000_000
        /// Media workers at once; nil means half the cores.
        package var workers: Int?
    }

    /// How objects are sent.
    package struct Upload: Hashable, Sendable {
        /// Requests at once at the start; it adapts between the two that follow.
        package var concurrency = 4
        package var minConcurrency = 2
        package var maxConcurrency = 8
        /// Bytes up to which a file is sent in one request; larger ones can be resumed.
        package var smallFileBytes = 6 * 1024 * 1024
        /// Bytes per second over all uploads, by the time of the week; nil means unlimited.
        package var limitRate: RateTimetable?
        /// The `max-age` of an object's `Cache-Control`.
        package var cacheFor = Duration.seconds(3600)
        package var connectTimeout = Duration.seconds(10)
        /// Without a single byte either way.
        package var idleTimeout = Duration.seconds(60)
        package var onForeign = OnForeign.keepBoth
        package var onChange = OnChange.replace
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

    /// The ladder of waits: `base`, `base × factor`, … up to `cap`, each with jitter.
    package struct Retry: Hashable, Sendable {
        package var base = Duration.seconds(2)
        package var factor = 4.0
        package var cap = Duration.seconds(36 * 3600)
        /// Answered attempts before an item is failed; ten make about two days.
        package var attempts = 10
    }

    /// When `sync` gives up waiting.
    package struct Sync: Hashable, Sendable {
        /// `sync` ends with exit 5 when nothing falls due within this time.
        package var patience = Duration.seconds(60)
    }

    /// How `watch` behaves towards other programs.
    package struct Watch: Hashable, Sendable {
        /// Whether `watch` steps behind other programs: nice 10 and the idle I/O class.
        package var polite = true
    }

    /// What one media worker may use before it is replaced.
    package struct Media: Hashable, Sendable {
        /// Bytes of memory of its own.
        package var memory = 1024 * 1024 * 1024
        /// Processor time for one file.
        package var cpuTime = Duration.seconds(30)
        /// Time on the clock for one file.
        package var time = Duration.seconds(60)
        /// An unused worker ends after this time.
        package var idle = Duration.seconds(30)
    }

    /// What is said about all this.
    package struct Log: Hashable, Sendable {
        package var level = LogLevel.info
        package var format = LogFormat.text
    }
}

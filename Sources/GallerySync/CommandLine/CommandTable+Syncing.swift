import Gallery

extension CommandTable {
    static let initialize = CommandForm(
        "init", "Set up a profile: what to keep safe, and where",
        arguments: "[DIR…]", count: 0...64, candidates: .directories,
        options: [
            OptionForm(
                "url", value: "URL", "The Supabase project, such as https://abc.supabase.co", setting: "destination.url"
            ),
            OptionForm("bucket", value: "NAME", "The bucket (default: media)", setting: "destination.bucket"),
            OptionForm("prefix", value: "PREFIX", "Goes before every key", setting: "destination.prefix"),
            OptionForm(
                "budget", value: "SIZE", "What may be stored there, such as 90GB, or unlimited",
                setting: "destination.storageBudget"),
            OptionForm("key-file", value: "FILE", "A file with mode 0600 that holds the service key"),
            OptionForm("manual", "Send only what is named, nothing by itself"),
            OptionForm("change-destination", "Let a profile that has stored files send elsewhere"),
            OptionForm("yes", letter: "y", "Ask nothing; take the defaults"),
        ],
        details: [
            "Asks at most six questions on a terminal; each is also an option. Writes the configuration, readable by "
                + "you alone, and prints the command to run next. The key itself is never an option: it stands in "
                + "GALLERY_SYNC_KEY or in a file."
        ],
        examples: [
            .init("init", "ask everything"),
            .init("init ~/Pictures --local --yes", "a second copy on this computer"),
            .init("init ~/Pictures --url https://abc.supabase.co --key-file ~/.key", "without questions"),
            .init("init --profile nas /mnt/photos", "a second profile"),
        ]
    ) { words throws(UsageError) in
        .initialize(
            InitRequest(
                roots: words.paths, keyFile: words.path("key-file"), isAutomatic: words.isOn("manual") ? false : nil,
                changesDestination: words.isOn("change-destination"), acceptsDefaults: words.isOn("yes")))
    }

    static let sync = CommandForm(
        "sync", "Store everything once, then exit",
        arguments: "[DIR…]", count: 0...1000, candidates: .directories,
        options: [dryRun, limitRate],
        details: [
            "Without DIR it takes the roots of the configuration. A DIR inside a known root is that part of it. Beside "
                + "a running watch it waits for everything saved before the call.",
            "Ends with 0 when all is stored, with 3 when some files failed or were refused, and with 5 when the rest "
                + "has to wait longer than sync.patience.",
        ],
        examples: [
            .init("sync", "the roots of the configuration"),
            .init("sync ~/Pictures --local", "a second copy of one folder on this computer"),
            .init("sync --dry-run", "only say what would be sent"),
            .init("sync --limit-rate 2M", "leave room on the line"),
        ]
    ) { words throws(UsageError) in .sync(SyncRequest(roots: words.paths, isDryRun: words.isOn("dry-run"))) }

    static let watch = CommandForm(
        "watch", "Keep everything stored until stopped",
        arguments: "[DIR…]", count: 0...1000, candidates: .directories,
        options: [limitRate],
        details: [
            "Stores what is there, then what appears and changes. Steps behind other programs. The first Ctrl-C lets "
                + "running requests end, the second stops at once."
        ],
        examples: [
            .init("watch", "the roots of the configuration"),
            .init("watch ~/Pictures --log-format json", "for a log collector"),
        ]
    ) { words throws(UsageError) in .watch(words.paths) }

    static let reupload = CommandForm(
        "reupload", "Send again what failed, is missing, or everything",
        arguments: "[PATH…]", count: 0...100_000, candidates: .files,
        options: [
            OptionForm("failed", "What failed (default)"), OptionForm("missing", "What storage has lost"),
            OptionForm("changed", "What the brake held back"), OptionForm("all", "Everything"),
            OptionForm("code", value: "CODE", "Only failures with this code, such as http.413"), since,
            OptionForm("force", "Send identical bytes again too"), dryRun,
            OptionForm("yes", letter: "y", "Do not ask"),
        ],
        details: ["Shows what it will do and asks on a terminal. Works while watch runs, and without it."],
        examples: [
            .init("reupload", "what failed"),
            .init("reupload --missing --dry-run", "what has vanished from the bucket"),
            .init("reupload --code http.413 --yes", "after raising the size limit"),
            .init("reupload ~/Pictures/2026 --all --force", "one folder, byte for byte"),
        ]
    ) { words throws(UsageError) in .reupload(try reuploadRequest(words)) }

    private static func reuploadRequest(_ words: ParsedWords) throws(UsageError) -> ReuploadRequest {
        try words.atMostOne(of: "failed", "missing", "changed", "all")
        let selections: [ReuploadRequest.Selection] = [.missing, .changed, .all]
        return ReuploadRequest(
            paths: words.paths, selection: selections.first { words.isOn($0.rawValue) } ?? .failed,
            code: try words.text("code"), since: try since(in: words), isForced: words.isOn("force"),
            isDryRun: words.isOn("dry-run"), isConfirmed: words.isOn("yes"))
    }

    static let restore = CommandForm(
        "restore", "Bring objects back as files",
        arguments: "[PATH…]", count: 0...100_000,
        options: [OptionForm("to", value: "DIR", "Where to (required)"), since, dryRun],
        details: [
            "Lists the bucket, so it needs no local state. Writes DIR/<root>/<path> with the name, time and content "
                + "that were stored, checks size and SHA-256, resumes where it was stopped, and never overwrites a "
                + "different file. PATH is a root's name, or a path below one such as Pictures/2026."
        ],
        examples: [
            .init("restore --to /mnt/new", "everything"),
            .init("restore Pictures/2026 --to ~/back", "one folder"),
            .init("restore --to ~/back --since 7d --dry-run", "what a week would bring"),
        ]
    ) { words throws(UsageError) in
        guard let target = words.path("to") else { throw UsageError(message: "\"restore\" needs --to DIR.") }
        return .restore(
            RestoreRequest(
                paths: words.paths, target: target, since: try since(in: words), isDryRun: words.isOn("dry-run")))
    }

    static let demo = CommandForm(
        "demo", "Show all of it on made-up media, on this computer",
        options: [OptionForm("keep", "Leave what was made, and keep it running")],
        details: [
            "Makes photos and videos in a temporary folder, stores them in a storage server of its own that fails now "
                + "and then, restores them into a second folder, and compares byte for byte. Touches nothing else."
        ],
        examples: [.init("demo", "about a minute"), .init("demo --keep", "look around afterwards")]
    ) { words throws(UsageError) in .demo(keeps: words.isOn("keep")) }
}

import CommandLine
import Platform

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
            OptionForm("restore", "Set up a new computer that gets its files back: no folder is needed"),
            OptionForm("no-try", "Write it without trying the destination, as for a computer without a network"),
            OptionForm("yes", letter: "y", "Ask nothing; take the defaults"),
        ],
        details: [
            "Asks at most six questions on a terminal; each is also an option. Tries the destination with them (the "
                + "connection, the key, the bucket, and an object of its own that it removes again), writes the "
                + "configuration, readable by you alone, and prints the command to run next. The key itself is never "
                + "an option: it stands in GALLERY_SYNC_KEY, in a file or in the keyring.",
            "For a profile that is set up already it shows what is there, adds folders, and changes the rest where you "
                + "say something else; other settings and comments of the file stay. With a DIR it asks nothing then.",
        ],
        examples: [
            .init("init", "ask everything"),
            .init("init ~/Pictures --local --yes", "a second copy on this computer"),
            .init("init ~/Pictures --url https://abc.supabase.co --key-file ~/.key", "without questions"),
            .init("init --restore --url https://abc.supabase.co", "a new computer, before \"restore\""),
            .init("init --profile nas /mnt/photos", "a second profile"),
        ],
        documents: [.initialized]
    ) { words throws(UsageError) in
        let isRestoring = words.isOn("restore")
        if isRestoring, let path = words.paths.first {
            throw UsageError(message: "--restore needs no folder: leave out \(path.display).")
        }
        return InitRequest(
            roots: words.paths, keyFile: words.path("key-file"), isAutomatic: words.isOn("manual") ? false : nil,
            changesDestination: words.isOn("change-destination"), isRestoring: isRestoring,
            tries: !words.isOn("no-try"), acceptsDefaults: words.isOn("yes"))
    }
}

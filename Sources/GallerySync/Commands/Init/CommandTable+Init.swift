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
        ],
        documents: [.initialized]
    ) { words throws(UsageError) in
        InitRequest(
            roots: words.paths, keyFile: words.path("key-file"), isAutomatic: words.isOn("manual") ? false : nil,
            changesDestination: words.isOn("change-destination"), acceptsDefaults: words.isOn("yes"))
    }
}

import CommandLine

extension CommandTable {
    static let prune = CommandForm(
        "prune", "Objects whose files are gone",
        options: [
            OptionForm("delete", "Delete them from storage"), dryRun, OptionForm("yes", letter: "y", "Do not ask"),
            OptionForm("root", value: "NAME", "Everything stored of a root that is kept no longer"),
        ],
        details: [
            "Lists what is only in storage any more: the file was deleted here, and its object stayed. With --delete "
                + "it removes those, thumbnails included, each only while it is the very object that was stored by "
                + "this gallery. A file that is back, or whose disk is away, keeps its object. audit.jsonl has a line "
                + "for each.",
            "A folder that was taken out of the configuration is not looked at any more, and what is stored of it stays: "
                + "\"status\" names its root. --root NAME lists all of that, and with --delete removes it and forgets "
                + "the root; the files on disk are not touched. So it does for a root whose disk another one has replaced.",
            "What is deleted cannot be brought back. On a terminal it asks; elsewhere --delete needs --yes.",
        ],
        examples: [
            .init("prune", "what is only in storage"), .init("prune --delete --dry-run", "what would be deleted"),
            .init("prune --delete --yes", "delete without being asked"),
            .init("prune --root Old --delete", "give up what is stored of a former folder"),
        ],
        documents: [.prune], mustBeMeant: true
    ) { words throws(UsageError) in
        PruneRequest(
            isDeleting: words.isOn("delete"), isDryRun: words.isOn("dry-run"), isConfirmed: words.isOn("yes"),
            root: try words.text("root"))
    }
}

import CommandLine

extension CommandTable {
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
        ],
        documents: [.preview]
    ) { words throws(UsageError) in SyncRequest(roots: words.paths, isDryRun: words.isOn("dry-run")) }
}

import CommandLine

extension CommandTable {
    static let watch = CommandForm(
        "watch", "Keep everything stored until stopped",
        arguments: "[DIR…]", count: 0...1000, candidates: .directories,
        options: [limitRate],
        details: [
            "Stores what is there, then what appears and changes. Steps behind other programs. The first Ctrl-C lets "
                + "running requests end, the second stops at once.",
            "Without a directory, named or configured, it only rescues what providers make.",
        ],
        examples: [
            .init("watch", "the roots of the configuration"),
            .init("watch ~/Pictures --log-format json", "for a log collector"),
        ]
    ) { words throws(UsageError) in WatchRequest(roots: words.paths) }
}

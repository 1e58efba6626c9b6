import CommandLine

extension CommandTable {
    static let restore = CommandForm(
        "restore", "Bring objects back as files",
        arguments: "[PATH…]", count: 0...100_000,
        options: [OptionForm("to", value: "DIR", "Where to (required)"), since("was changed"), dryRun],
        details: [
            "Lists the bucket, so it needs no local state. Writes DIR/<root>/<path> with the name, time and content "
                + "that were stored, checks size and SHA-256, resumes where it was stopped, and never overwrites a "
                + "different file. PATH is a root's name, a path below one such as Pictures/2026, the "
                + "absolute path that a file or folder of the gallery has here, or / for everything.",
            "Where a folder has a file's name, or the other way round, it goes under a name of its own beside, which "
                + "is told. A character that the disk takes in no name, as exFAT the colon of 12:00.jpg, becomes its "
                + "full-width form, and so does a dot or a space at the end. 100 MB of the disk are kept free.",
        ],
        examples: [
            .init("restore --to /mnt/new", "everything"),
            .init("restore Pictures/2026 --to ~/back", "one folder"),
            .init("restore --to ~/back --since 7d --dry-run", "what a week would bring"),
        ],
        documents: [.restore]
    ) { words throws(UsageError) in
        guard let target = words.path("to") else { throw UsageError(message: "\"restore\" needs --to DIR.") }
        return RestoreRequest(
            paths: words.paths, target: target, since: try since(in: words), isDryRun: words.isOn("dry-run"))
    }
}

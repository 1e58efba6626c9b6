import Output

extension DocumentForm {
    static let restore = DocumentForm(
        "restore/1", "What was brought back, or would be",
        [
            .always("dryRun", .truth, "Whether nothing was written"), .always("restored", .whole, "Files"),
            .always("bytes", .whole, "Bytes of those"),
            .always("alreadyThere", .whole, "Files that were there already"),
            .always("unproven", .whole, "Objects without a SHA-256 of ours"),
            .always("untimed", .whole, "Files whose own time could not be kept, with the nearest that can"),
            .always("renamed", .list(.text), "What lies under another name, since its own is taken, a sentence each"),
            .always("problems", .list(.text), "What was not written or is not stored, a sentence each"),
        ])
}

import CommandLine

extension CommandTable {
    static let reupload = CommandForm(
        "reupload", "Send again what failed, is missing, or everything",
        arguments: "[PATH…]", count: 0...100_000, candidates: .files,
        options: [
            OptionForm("failed", "What failed (default without PATH)"), OptionForm("missing", "What storage has lost"),
            OptionForm("changed", "What the brake held back"), OptionForm("all", "Everything (default with PATH)"),
            OptionForm("code", value: "CODE", "Only failures with this code, such as http.413; see status --json"),
            since("was found or changed"),
            OptionForm("force", "Send identical bytes again too"), dryRun,
            OptionForm("yes", letter: "y", "Do not ask"),
        ],
        details: ["Shows what it will do and asks on a terminal. Works while watch runs, and without it."],
        examples: [
            .init("reupload", "what failed"),
            .init("reupload --missing --dry-run", "what has vanished from the bucket"),
            .init("reupload --code http.413 --yes", "after raising the size limit"),
            .init("reupload ~/Pictures/2026 --all --force", "one folder, byte for byte"),
        ],
        documents: [.reuploadPlan], mustBeMeant: true
    ) { words throws(UsageError) in try reuploadRequest(words) }

    private static func reuploadRequest(_ words: ParsedWords) throws(UsageError) -> ReuploadRequest {
        try words.atMostOne(of: "failed", "missing", "changed", "all")
        // Missing files and those that the brake holds have no failure code, so nothing would be sent.
        try words.atMostOne(of: "code", "missing", "changed")
        let selections: [ReuploadRequest.Selection] = [.failed, .missing, .changed, .all]
        return ReuploadRequest(
            paths: words.paths, selection: selections.first { words.isOn($0.rawValue) },
            code: try words.text("code"), since: try since(in: words), isForced: words.isOn("force"),
            isDryRun: words.isOn("dry-run"), isConfirmed: words.isOn("yes"))
    }
}

import Gallery
import Platform
import Text

extension CommandTable {
    static let verify = CommandForm(
        "verify", "Compare what storage holds with what was stored",
        options: [
            OptionForm("deep", value: "PERCENT", "Download so many of the objects and hash them"),
            OptionForm("repair", "Store again what is missing"),
        ],
        details: [
            "Lists the bucket and reports what is missing, what is different, and what no receipt speaks of. With "
                + "--deep it first says how much it will download, hashes a random sample, and reads the files of the "
                + "sample again: bytes that changed though the file's time did not are damage, and are not sent.",
            "Ends with 0 when all is as it was stored, else with 3. An object that somebody else put in the place of "
                + "one of ours stays; --repair stores ours beside it.",
        ],
        examples: [
            .init("verify", "listings only, a request for each 1,000 objects"),
            .init("verify --deep 5 --json", "also download and hash one in twenty"),
            .init("verify --repair", "store again what has vanished"),
        ]
    ) { words throws(UsageError) in
        let percent = try words.value("deep", "a percentage above 0, up to 100") { text in
            Double(text.last == "%" ? String(text.dropLast()) : text).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
        }
        return .verify(VerifyRequest(percent: percent, isRepairing: words.isOn("repair")))
    }

    static let prune = CommandForm(
        "prune", "Objects whose files are gone",
        options: [
            OptionForm("delete", "Delete them from storage"), dryRun, OptionForm("yes", letter: "y", "Do not ask"),
        ],
        details: [
            "Lists what is only in storage any more: the file was deleted here, and its object stayed. With --delete "
                + "it removes those, thumbnails included, each only while it is the very object that was stored by "
                + "this gallery. A file that is back, or whose disk is away, keeps its object. audit.jsonl has a line "
                + "for each.",
            "What is deleted cannot be brought back. On a terminal it asks; elsewhere --delete needs --yes.",
        ],
        examples: [
            .init("prune", "what is only in storage"), .init("prune --delete --dry-run", "what would be deleted"),
            .init("prune --delete --yes", "delete without being asked"),
        ]
    ) { words throws(UsageError) in
        .prune(
            PruneRequest(
                isDeleting: words.isOn("delete"), isDryRun: words.isOn("dry-run"), isConfirmed: words.isOn("yes")))
    }

    static let link = CommandForm(
        "link", "A URL that shows a stored file",
        arguments: "FILE…", count: 1...1000, candidates: .files,
        options: [OptionForm("expires", value: "TIME", "How long it works (default: 7d)")],
        details: [
            "Prints one URL a file. Whoever has it sees the file until it expires; in a public bucket it works for "
                + "ever. It shows what is stored now, also after the file changed here."
        ],
        examples: [
            .init("link ~/Pictures/IMG_1.jpg", "for a week"),
            .init("link *.mp4 --expires 2h --json", "several, for a program"),
        ]
    ) { words throws(UsageError) in
        var request = LinkRequest(files: words.paths)
        request.expires =
            try words.value("expires", "a duration from 1s on, like 2h or 7d") { text in
                Quantity.duration(text).flatMap { $0 >= .seconds(1) ? $0 : nil }
            } ?? request.expires
        return .link(request)
    }
}

import CommandLine
import Text

extension CommandTable {
    static let link = CommandForm(
        "link", "A URL that shows a stored file",
        arguments: "FILE…", count: 1...1000, candidates: .files,
        options: [OptionForm("expires", value: "TIME", "How long it works (default: 7d)")],
        details: [
            "Prints one URL a file. Anyone who has it sees the file until it expires; in a public bucket it works for "
                + "ever. It shows what is stored now, also after the file changed here."
        ],
        examples: [
            .init("link ~/Pictures/IMG_1.jpg", "for a week"),
            .init("link *.mp4 --expires 2h --json", "several, for a program"),
        ],
        documents: [.link]
    ) { words throws(UsageError) in
        var request = LinkRequest(files: words.paths)
        request.expires =
            try words.value("expires", "a duration from 1s on, like 2h or 7d") { text in
                Quantity.duration(text).flatMap { $0 >= .seconds(1) ? $0 : nil }
            } ?? request.expires
        return request
    }
}

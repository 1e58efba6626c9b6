import CommandLine
import Providers

extension CommandTable {
    static let rescue = CommandForm(
        "rescue", "Bring finished videos of providers into storage",
        arguments: "[URL…|LIST.csv]", count: 0...10_000, candidates: .files,
        options: [
            OptionForm(
                "from", value: "PROVIDER", "Its finished jobs; or \"table\" and the name of a table",
                words: ProviderName.all.map(\.rawValue) + ["table"]), since("was finished"),
            OptionForm("column", value: "NAME", "The table's column of links (default: video_url)"),
            OptionForm("thumbnail-column", value: "NAME", "Gets the picture's link, or - (default: thumbnail_url)"),
            OptionForm("expires", value: "TIME", "When the given links expire: a date, or an age from now like 3h"),
            dryRun,
        ],
        details: [
            "Downloads each file before its link expires, the earliest first, looks whether it really is a video, keeps "
                + "it in the root \"generated\" with a picture and a note of where it is from, and stores it. What an "
                + "earlier run began goes on where it stopped; what is stored already is not fetched again.",
            "A list is a CSV file with a link in each row; with the headings url and expires, the link's own time goes "
                + "before \"expires\"; a line that cannot be read is named, and left out. From a table of the destination's database it takes each row's link and, once the "
                + "file is stored, writes the new link back, only where the row still holds the old one.",
        ],
        examples: [
            .init("rescue https://v3.fal.media/files/a/clip.mp4", "one file"),
            .init("rescue --from fal --since 30d", "what fal made in the last month"),
            .init("rescue --from table video_jobs --column video_url", "the links in your own database"),
            .init("rescue links.csv --dry-run", "only say what would be fetched"),
        ],
        documents: [.rescue], mustBeMeant: true
    ) { words throws(UsageError) in try rescueRequest(words) }

    private static func rescueRequest(_ words: ParsedWords) throws(UsageError) -> RescueRequest {
        let expires = try words.value("expires", "a date like 2026-11-22T10:00:00Z or an age like 3h", Since.init)
        var request = RescueRequest(source: .known, since: try since(in: words), isDryRun: words.isOn("dry-run"))
        request.expires = expires
        let arguments = words.arguments.map { String(decoding: $0, as: UTF8.self) }
        let from = try words.text("from")
        try words.only("column", "thumbnail-column", with: "--from table NAME", if: from == "table")
        try words.only("expires", with: "links, or a list of them", if: from == nil && !arguments.isEmpty)
        switch from {
        case nil:
            guard request.since == nil else { throw UsageError(message: "--since needs --from PROVIDER.") }
            if !arguments.isEmpty { request.source = .links(words.paths) }
        case "table":
            guard arguments.count == 1, let name = arguments.first else {
                throw UsageError(message: "--from table needs the name of one table.")
            }
            guard request.since == nil else { throw UsageError(message: "--since needs --from PROVIDER.") }
            request.source = .table(
                name, column: try words.text("column") ?? "video_url",
                thumbnail: try words.text("thumbnail-column") ?? "thumbnail_url")
        case let provider?:
            guard arguments.isEmpty else {
                throw UsageError(message: "--from \(provider) lists the jobs itself: leave out \(arguments[0]).")
            }
            request.source = .provider(provider)
        }
        return request
    }
}

import Gallery
import Platform
import Providers

extension CommandTable {
    static let rescue = CommandForm(
        "rescue", "Bring finished videos of providers into storage",
        arguments: "[URL…|LIST.csv]", count: 0...10_000, candidates: .files,
        options: [
            OptionForm(
                "from", value: "PROVIDER", "Its finished jobs; or \"table\" and the name of a table",
                words: ProviderName.all.map(\.rawValue) + ["table"]), since,
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
                + "before \"expires\". From a table of the destination's database it takes each row's link and, once the "
                + "file is stored, writes the new link back, only where the row still holds the old one.",
        ],
        examples: [
            .init("rescue https://v3.fal.media/files/a/clip.mp4", "one file"),
            .init("rescue --from fal --since 30d", "what fal made in the last month"),
            .init("rescue --from table video_jobs --column video_url", "the links in your own database"),
            .init("rescue links.csv --dry-run", "only say what would be fetched"),
        ]
    ) { words throws(UsageError) in .rescue(try rescueRequest(words)) }

    static let jobs = CommandForm(
        "jobs", "Video generations that are followed until they are stored",
        arguments: "add PROVIDER ID… | list | cancel JOB…", count: 1...1000,
        actions: [.init("add", .words(ProviderName.all.map(\.rawValue))), .init("list"), .init("cancel")],
        options: [OptionForm("model", value: "NAME", "What makes it, where the provider asks for it")],
        details: [
            "\"add\" takes jobs that were submitted elsewhere; \"watch\" or \"rescue\" asks about them until they end, and "
                + "brings their files into storage. A job is named as its provider does, or by a link to it there; at "
                + "StoryToVideo a bare id is a project's, followed from its text over its shots to its video, and "
                + "\"tasks/ID\" is one step of it.",
            "\"cancel\" stops following a job, removes what was fetched of it, and tells the provider where it can.",
        ],
        examples: [
            .init("jobs add fal 764cabcf-b745-4b3e --model fal-ai/veo3.1", "follow a job of fal's queue"),
            .init("jobs add storytovideo 5f2b0c1e-8d7a", "follow a project of your own server to its video"),
            .init("jobs list", "what is followed, and what was stored"),
            .init("jobs cancel fal:764cabcf-b745-4b3e", "give one up"),
        ]
    ) { words throws(UsageError) in .jobs(try jobsRequest(words)) }

    private static func rescueRequest(_ words: ParsedWords) throws(UsageError) -> RescueRequest {
        let expires = try words.value("expires", "a date like 2026-11-22T10:00:00Z or an age like 3h", Since.init)
        var request = RescueRequest(source: .known, since: try since(in: words), isDryRun: words.isOn("dry-run"))
        request.expires = expires
        let arguments = words.arguments.map { String(decoding: $0, as: UTF8.self) }
        switch try words.text("from") {
        case nil:
            guard request.since == nil else { throw UsageError(message: "--since needs --from PROVIDER.") }
            if !arguments.isEmpty { request.source = .links(words.paths) }
        case "table":
            guard arguments.count == 1, let name = arguments.first else {
                throw UsageError(message: "--from table needs the name of one table.")
            }
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

    private static func jobsRequest(_ words: ParsedWords) throws(UsageError) -> JobsRequest {
        var arguments = words.arguments.map { String(decoding: $0, as: UTF8.self) }
        switch arguments.removeFirst() {
        case "add":
            guard arguments.count > 1 else {
                throw UsageError(message: "\"jobs add\" needs a provider and a job's id.")
            }
            return .add(provider: arguments.removeFirst(), ids: arguments, model: try words.text("model"))
        case "cancel":
            guard !arguments.isEmpty else {
                throw UsageError(message: "\"jobs cancel\" needs a job, as \"jobs list\" shows it.")
            }
            return .cancel(arguments)
        default:
            guard arguments.isEmpty else { throw UsageError(message: "\"jobs list\" takes nothing more.") }
            return .list
        }
    }
}

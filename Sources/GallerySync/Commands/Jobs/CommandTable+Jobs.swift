import CommandLine
import Providers

extension CommandTable {
    static let jobs = CommandForm(
        "jobs", "Video generations that are followed until they are stored",
        arguments: "add PROVIDER ID… | list | cancel JOB…", count: 1...1000,
        actions: [
            .init("add", .words(ProviderName.all.map(\.rawValue))), .init("list"),
            .init("cancel", mustBeMeant: true),
        ],
        options: [OptionForm("model", value: "NAME", "What makes it, where the provider asks for it")],
        details: [
            "\"add\" takes jobs that were submitted elsewhere; \"watch\" or \"rescue\" asks about them until they end, and "
                + "brings their files into storage. A job is named as its provider does, or by a link to it there; at "
                + "StoryToVideo a bare id is a project's, followed from its text over its shots to its video, and "
                + "\"tasks/ID\" is one step of it.",
            "\"cancel\" stops following a job, removes what was fetched of it, and tells the provider where it can; a job "
                + "that failed counts as lost no more.",
        ],
        examples: [
            .init("jobs add fal 764cabcf-b745-4b3e --model fal-ai/veo3.1", "follow a job of fal's queue"),
            .init("jobs add storytovideo 5f2b0c1e-8d7a", "follow a project of your own server to its video"),
            .init("jobs list", "what is followed, and what was stored"),
            .init("jobs cancel fal:764cabcf-b745-4b3e", "give one up"),
        ],
        documents: [.jobs]
    ) { words throws(UsageError) in try jobsRequest(words) }

    private static func jobsRequest(_ words: ParsedWords) throws(UsageError) -> JobsRequest {
        var arguments = words.arguments.map { String(decoding: $0, as: UTF8.self) }
        let action = arguments.removeFirst()
        try words.only("model", with: "add", if: action == "add")
        switch action {
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

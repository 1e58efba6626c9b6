import Cleansing
import CommandLine
import Platform

extension CommandTable {
    static let queue = CommandForm(
        "queue", "Look into and steer what is being sent",
        arguments: "list|pause|resume|cancel [FILE…]", count: 0...100_000,
        actions: [.init("list"), .init("pause"), .init("resume"), .init("cancel", .files, mustBeMeant: true)],
        options: [OptionForm("now", "With resume: also over a metered network and on a low battery")],
        details: [
            "pause lets running requests end and sends nothing more until resume, also after a restart. cancel leaves "
                + "files out for good, also such as wait for a disk that broke; reupload FILE brings them back.",
            "A watch sends nothing over a metered network, on a low battery and while power is saved; "
                + "resume --now sends in all the same until the network changes.",
        ],
        examples: [
            .init("queue list", "what is waiting, and for what"), .init("queue pause", "free the line for now"),
            .init("queue cancel ~/Pictures/huge.mov", "never send this one"),
        ],
        documents: [.item, .queueOrder]
    ) { words throws(UsageError) in try queueRequest(words) }

    private static func queueRequest(_ words: ParsedWords) throws(UsageError) -> QueueRequest {
        let action = words.arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let files = Array(words.paths.dropFirst())
        try words.only("now", with: "resume", if: action == "resume")
        if action == "cancel" {
            if files.isEmpty { throw UsageError(message: "\"queue cancel\" needs FILE….") }
            return .cancel(files)
        }
        if let extra = files.first {
            throw UsageError(message: "\"queue \(action)\" does not take \(JSONText.quoted(extra.display)).")
        }
        switch action {
        case "resume": return .resume(now: words.isOn("now"))
        case "pause": return .pause
        default: return .list
        }
    }
}

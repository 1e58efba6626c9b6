import Gallery
import Output
import Sync

extension DocumentForm {
    /// The events that a long command writes while it runs, one a line.
    static let event = DocumentForm(
        "event/1", "One event of a long command: sync, watch, verify, restore, rescue", isLine: true,
        [
            .always("at", .moment, "When it was told"),
            .always("event", .word(Event.Name.allCases.map(\.rawValue)), "What happened"),
        ] + ofFiles + ofProgress + ofStates + ofEnds)

    private static let ofFiles: [JSONMember] = [
        .sometimes("path", .text, "The file, with its root's name"),
        .sometimes("role", .text, "original, or thumbnail- and its size"), .sometimes("size", .whole, "Bytes"),
        .sometimes("standing", .text, "Of stored: new, changed, moved, again, found"),
        .sometimes("proof", .text, "Of stored: what proves it"),
        .sometimes("code", .text, "Of failed and refused: a stable word, such as http.503"),
        .sometimes("message", .text, "A sentence"), .sometimes("next", .text, "What to do"),
        .sometimes("reason", .text, "Of refused: the queue's word"),
        .sometimes("alreadyThere", .truth, "Of restored: whether nothing had to be written"),
        .sometimes("proven", .truth, "Of restored: whether its SHA-256 was compared"),
    ]

    private static let step = JSONShape.object([
        .always("done", .whole, "Files done"), .always("failed", .whole, "Files that failed"),
        .always("total", .orNull(.whole), "Files to do; null while unknown"),
    ])

    private static let ofProgress: [JSONMember] =
        Progress.Step.allCases.map { .sometimes($0.rawValue, step, "Of progress: the step \($0.rawValue)") } + [
            .sometimes("bytesDone", .whole, "Of progress: bytes stored"),
            .sometimes("bytesTotal", .whole, "Of progress: bytes to store"),
            .sometimes("rate", .whole, "Of progress: bytes per second"),
            .sometimes("secondsLeft", .orNull(.whole), "Of progress: null while unknown"),
            .sometimes("retriesWaiting", .whole, "Of progress: items that wait for another attempt"),
            .sometimes("nextAttempt", .orNull(.moment), "Of progress: when the next one falls due"),
            .sometimes("note", .orNull(.text), "Of progress: why nothing moves"),
        ]

    private static let ofStates: [JSONMember] =
        [
            .sometimes("topic", .text, "Of state: what it is about"),
            .sometimes("level", .text, "Of state: as in the log"),
            .sometimes("over", .truth, "Of state: whether it has ended"),
        ] + tally.map { .sometimes($0.name, $0.shape, "Of batch: \($0.meaning)") }

    private static let tally: [JSONMember] = [
        .always("new", .whole, "files stored for the first time"), .always("changed", .whole, "files stored anew"),
        .always("again", .whole, "files sent again"), .always("found", .whole, "files that storage held already"),
        .always("moved", .whole, "files renamed"),
        .always("thumbnails", .whole, "thumbnails stored"), .always("rescued", .whole, "videos of providers"),
        .always("failed", .whole, "files that failed"), .always("bytes", .whole, "bytes stored"),
        .always("seconds", .number, "the time it took"),
    ]

    private static let ofEnds: [JSONMember] = [
        .sometimes("command", .text, "Of started: the command"),
        .sometimes("exit", .whole, "Of finished: the exit code"),
        .sometimes("error", .text, "Of finished: why it could not be done"),
        .sometimes("run", .object(tally), "Of finished: what this run did"),
        .sometimes("status", status.shape, "Of finished: the whole status document"),
        .sometimes(
            "result", .either([verify.shape, restore.shape, rescue.shape]), "Of finished: the result of the command"),
    ]
}

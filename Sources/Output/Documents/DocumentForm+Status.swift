extension DocumentForm {
    /// The report of `status`, which long commands end with as well.
    package static let status = DocumentForm(
        "status/1", "What is stored, what waits, what failed",
        [
            .sometimes("version", .text, "The program that made the report"),
            .always("headline", .text, "All of it in one sentence"),
            .always("percent", .whole, "How much of the files is stored; 100 only where all are"),
            .always(
                "reasons",
                .list(
                    .object([
                        .always("ending", .text, "Which exit code it gives status --check, in the words of lastRun"),
                        .always("message", .text, "What is the matter"), .always("next", .text, "What to do"),
                    ])), "Why status --check is not content, the most serious first"),
            .always("createdAt", .moment, "When it was made"), .always("profile", .text, "The profile's name"),
            .always("destination", .orNull(destination), "Where objects go; null where none is chosen"),
            .always(
                "agent",
                .object([
                    .always("running", .truth, "Whether an agent runs"),
                    .always("paused", .truth, "Whether it sends nothing, or cannot scan a root"),
                    .always("reason", .orNull(.text), "What it waits for"),
                ]), "What the agent does"),
            .always(
                "lastRun",
                .orNull(
                    .object([
                        .always("command", .word(["sync", "watch"]), "What ran"),
                        .always("began", .moment, "When it began"),
                        .always("ended", .orNull(.moment), "When it ended; null where it runs or was cut off"),
                        .always("ending", .orNull(.text), "How it ended"),
                        .always("message", .orNull(.text), "The sentence it ended with"),
                        .sometimes("awaitsDisk", .truth, "Whether it ended only because a disk is away"),
                    ])), "How the last run went"),
            .sometimes("stateTrouble", .text, "Why the state cannot be written, as on a full disk, without an agent"),
            .always("lastScan", .orNull(.moment), "When all roots were last looked at"),
            .always("unscanned", .orNull(.whole), "Files changed since; only with --check and without an agent"),
            .sometimes("settling", .whole, "Files that may still be written to, where an agent watches"),
            .always(
                "assets", counts(["total", "stored", "waiting", "failed", "unreadable"], of: "Files"),
                "Files to store; total is the sum of the others"),
            .always("besides", besides, "Files that are not to be stored"),
            .always("queue", queue, "Items of the upload queue"),
            .always("bytes", counts(["total", "stored"], of: "Bytes"), "Bytes of the files to store"),
            .always(
                "proof", counts(["md5", "multipartMD5", "readBack", "size"], of: "Objects"), "What proves objects"),
            .always("oldestWaiting", .orNull(.moment), "When the file that waits longest was found"),
            .always("nextAttempt", .orNull(.moment), "When something falls due"),
            .always("failures", .list(failure), "One for each cause, the most frequent first"),
            .always("blocked", .list(blocked), "Why items wait, one for each cause"),
            .always("brake", .orNull(brake), "What is held because too much changed at once"),
            .always(
                "storedElsewhere", .orNull(.text), "Where what counts as stored is, if that is another destination"),
            .sometimes("unwatched", .text, "A configured folder that the running agent does not look at"),
            .sometimes("changedSettings", .list(.text), "Settings that were changed since the running agent read them"),
            .always("discrepancies", .orNull(discrepancies), "What was found not to be as it was stored"),
            .always("rescue", .orNull(rescued), "The providers' files"),
            .sometimes("limits", limits, "What limits the sending, where an agent runs"),
            .always("roots", .list(root), "The watched folders"),
            .always("kinds", .list(kind), "Files to store by kind"),
            .always("history", .list(span), "What was stored in spans of equal length, oldest first"),
            .always("recent", .list(recent), "The newest stored files"),
            .always("picturesOwed", .whole, "Stored files that lack a thumbnail"),
            .sometimes("picturesTrouble", .text, "Why most of these could not be made"),
            .always("notes", .list(.text), "Sentences that are not failures"),
        ])
}

// MARK: - Parts

extension DocumentForm {
    private static func counts(_ names: [String], of what: String) -> JSONShape {
        .object(names.map { .always($0, .whole, "\(what): \($0)") })
    }

    private static let destination = JSONShape.object([
        .always("url", .orNull(.text), "Its address; null for this computer"),
        .always("bucket", .text, "The bucket"), .always("prefix", .text, "The start of every key"),
        .always("local", .truth, "Whether it is this computer"),
    ])

    private static let besides = JSONShape.object([
        .always("ignored", .whole, "Left out by a rule, or no media"), .always("gone", .whole, "Deleted before stored"),
        .always("excluded", .whole, "Cancelled by the user"), .always("remoteOnly", .whole, "Only in storage"),
        .always("leftOutStored", .whole, "Stored before a rule left them out, and still here"),
        .always("indexed", .whole, "In a root that is not stored by itself"),
        .always(
            "leftOut",
            .list(.object([.always("rule", .text, "The rule"), .always("count", .whole, "Files and folders")])),
            "What ignored counts, by rule"),
    ])

    private static let states = ["pending", "uploading", "completed", "failed"]

    private static let queue = JSONShape.object(
        states.map { .always($0, .whole, "Items: \($0)") } + [
            .always("pictures", counts(states, of: "Thumbnails"), "How many of these are thumbnails"),
            .always("paused", .truth, "Whether the user has paused it"),
        ])

    private static let failure = JSONShape.object([
        .always("path", .text, "One of the files"), .always("code", .text, "A stable word, such as http.503"),
        .always("message", .text, "What happened"), .always("next", .text, "What to do"),
        .always("count", .whole, "Files"),
    ])

    private static let blocked = JSONShape.object([
        .always("reason", .text, "The queue's word"), .always("title", .text, "The reason in words"),
        .always("count", .whole, "Items"), .always("files", .whole, "Of these, files"),
        .always("pictures", .whole, "Of these, thumbnails"), .always("message", .text, "What was said of one"),
        .always("path", .text, "The file of that one"), .always("names", .list(.text), "The first 20 files"),
        .always("next", .text, "What to do"),
    ])

    private static let brake = JSONShape.object([
        .always("count", .whole, "Files"), .always("reason", .text, "Why they are held"),
        .always("files", .list(.text), "The first of them"), .always("next", .text, "What to do"),
    ])

    private static let discrepancies = JSONShape.object([
        .always("missing", .whole, "Objects that are not there"),
        .always("different", .whole, "Objects that are other ones, or have other bytes"),
        .always("unreadable", .whole, "Objects that cannot be downloaded"),
        .always("damaged", .whole, "Files whose bytes changed although their times did not"),
        .always("foundAt", .moment, "When the newest was found"), .always("next", .text, "What to do"),
    ])

    private static let rescued = JSONShape.object([
        .always("running", .whole, "Jobs not finished"), .always("open", .whole, "Files only at the provider"),
        .always("safe", .whole, "Files on this disk"), .always("stored", .whole, "Files in storage"),
        .always("failed", .whole, "Files lost, and jobs without one"),
        .sometimes("fileless", .whole, "How many of these are jobs that ended without a file"),
        .always("rate", .orNull(.number), "Bytes per second now"),
        .sometimes("blocked", .list(.text), "What to do about providers that refuse their key"),
        .always(
            "files",
            .list(
                .object([
                    .always("job", .text, "The job's identifier"), .always("file", .text, "The file or its link"),
                    .always("size", .orNull(.whole), "Bytes"), .always("received", .whole, "Bytes on this disk"),
                    .always("expires", .orNull(.moment), "When the provider deletes it"),
                    .always("assumed", .truth, "Whether that is the usual lifetime, not the link's own"),
                    .sometimes("renews", .truth, "Whether another link can be asked for"),
                    .always("danger", .word(["late", "soon", "lost", "none"]), "How likely it is to be lost"),
                    .always("message", .orNull(.text), "Why it waits or is lost"),
                    .sometimes("fileless", .truth, "Whether it is a job that ended without a file"),
                ])), "Those not stored, the most endangered first"),
    ])

    private static let limits = JSONShape.object([
        .sometimes("largestFile", .whole, "Bytes of the largest file that the destination takes"),
        .sometimes("budget", .whole, "Bytes that may be stored in all"),
        .sometimes("room", .whole, "Bytes of these that are free"),
        .sometimes("rate", .whole, "Bytes per second that are sent at most now"),
    ])

    private static let root = JSONShape.object([
        .always("name", .text, "Its name"), .always("path", .text, "The folder"),
        .always("total", .whole, "Files to store"), .always("stored", .whole, "Files stored"),
        .sometimes("waiting", .whole, "Files that wait"), .always("bytes", .whole, "Bytes of the files to store"),
        .sometimes("paused", .text, "Why it cannot be scanned"),
        .sometimes("replaced", .truth, "Whether another disk is at its place, as a root of its own"),
        .sometimes("dropped", .truth, "Whether the configuration names it no more, so that nothing looks at it"),
    ])

    private static let kind = JSONShape.object([
        .always("name", .text, "Such as photo"), .always("total", .whole, "Files to store"),
        .always("stored", .whole, "Files stored"), .always("bytes", .whole, "Bytes of the files to store"),
    ])

    private static let span = JSONShape.object([
        .always("start", .moment, "Its start"), .always("bytes", .whole, "Bytes stored"),
        .always("objects", .whole, "Objects stored"),
    ])

    private static let recent = JSONShape.object([
        .always("path", .text, "The file"), .always("size", .whole, "Bytes"),
        .always("storedAt", .moment, "When it was proven"), .always("kind", .text, "Such as photo"),
        .sometimes("duration", .number, "Seconds of a video"),
    ])
}

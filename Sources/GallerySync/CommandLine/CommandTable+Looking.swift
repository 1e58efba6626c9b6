import Cleansing
import Configuration
import Gallery
import Platform
import StorageServer
import Text

extension CommandTable {
    static let status = CommandForm(
        "status", "What is stored, what waits, what failed",
        options: [
            OptionForm("html", value: "FILE", "Write a page that needs nothing else"),
            OptionForm("redact", "Leave out names and pictures"),
            OptionForm("follow", "Show it again whenever it changes"),
            OptionForm("check", "Exit 0 only when all is well, for monitors"),
            OptionForm("max-age", value: "TIME", "How long a file may wait for --check (default: 24h)"),
        ],
        details: [
            "With --check: 0 all well, 3 some files failed, 5 something waits for longer than --max-age, 78 it needs "
                + "a human."
        ],
        examples: [
            .init("status", "at a glance"), .init("status --json", "for programs"),
            .init("status --html report.html --redact", "to show to others"),
            .init("status --check --max-age 2d -q", "from cron"),
        ]
    ) { words throws(UsageError) in
        try words.atMostOne(of: "json", "html")
        try words.atMostOne(of: "follow", "html")
        try words.atMostOne(of: "follow", "check")
        if words.isOn("max-age"), !words.isOn("check") { throw UsageError(message: "--max-age needs --check.") }
        var request = StatusRequest(
            html: words.path("html"), follows: words.isOn("follow"), checks: words.isOn("check"),
            isRedacted: words.isOn("redact"))
        request.maxAge = try words.value("max-age", "a duration like 24h or 2d", Quantity.duration) ?? request.maxAge
        return .status(request)
    }

    static let queue = CommandForm(
        "queue", "Look into and steer what is being sent",
        arguments: "list|pause|resume|cancel [FILE…]", count: 0...100_000,
        actions: [.init("list"), .init("pause"), .init("resume"), .init("cancel", .files)],
        details: [
            "pause lets running requests end and sends nothing more until resume, also after a restart. cancel leaves "
                + "files out for good; reupload FILE brings them back."
        ],
        examples: [
            .init("queue list", "what is waiting, and for what"), .init("queue pause", "free the line for now"),
            .init("queue cancel ~/Pictures/huge.mov", "never send this one"),
        ]
    ) { words throws(UsageError) in .queue(try queueRequest(words)) }

    private static func queueRequest(_ words: ParsedWords) throws(UsageError) -> QueueRequest {
        let action = words.arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let files = Array(words.paths.dropFirst())
        if action == "cancel" {
            if files.isEmpty { throw UsageError(message: "\"queue cancel\" needs FILE….") }
            return .cancel(files)
        }
        if let extra = files.first {
            throw UsageError(message: "\"queue \(action)\" does not take \(JSONText.quoted(extra.display)).")
        }
        switch action {
        case "pause": return .pause
        case "resume": return .resume
        default: return .list
        }
    }

    static let why = CommandForm(
        "why", "What was decided about a file, and when",
        arguments: "FILE…", count: 1...1000, candidates: .files,
        examples: [.init("why ~/Pictures/IMG_1.jpg", "why it is not stored")]
    ) { words throws(UsageError) in .why(words.paths) }

    static let thumbnail = CommandForm(
        "thumbnail", "Make thumbnails only",
        arguments: "FILE…", count: 1...100_000, candidates: .files,
        options: [
            OptionForm("output", letter: "o", value: "DIR", "Where to (required)"),
            OptionForm("size", value: "N", "Pixels along the longer side, from 16 to 4096", isRepeatable: true),
        ],
        examples: [
            .init("thumbnail *.jpg -o thumbs", "in the sizes of the settings"),
            .init("thumbnail clip.mp4 -o . --size 256 --size 1024", "in two sizes"),
        ]
    ) { words throws(UsageError) in
        guard let target = words.path("output") else { throw UsageError(message: "\"thumbnail\" needs --output DIR.") }
        let sizes = try words.values("size", "a number from 16 to 4096") { text in
            Int(text).flatMap { (16...4096).contains($0) ? $0 : nil }
        }
        return .thumbnail(ThumbnailRequest(files: words.paths, target: target, sizes: sizes))
    }

    static let serve = CommandForm(
        "serve", "Run the storage server on this computer",
        options: [
            OptionForm("port", value: "N", "Listen here (default: any free port)"),
            OptionForm("data", value: "DIR", "Keep objects here"),
            OptionForm("faults", value: "FILE", "Fail as the rules in this JSON5 file say"),
            OptionForm("etag", value: "KIND", "Answer eTags as this storage does: md5 (default) or multipart"),
            OptionForm("rebuild-index", "Make index.sqlite anew from what lies below objects, and end"),
        ],
        details: [
            "Speaks Supabase Storage on 127.0.0.1. Prints its address and where its keys are. Signs with "
                + "GALLERY_SYNC_JWT_SECRET, or with a secret of its own kept beside the data.",
            "A file for --faults: {seed: 1, rules: [{method: \"PATCH\", path: \"/upload/*\", rate: 0.1, reset: 1000}]}. "
                + "In place of reset (after bytes): latency or stall (seconds), bandwidth (bytes a second), status "
                + "(with retryAfter, body), truncate (after bytes).",
            "--etag multipart[:STANDARD[:RESUMABLE]] cuts objects into parts as hosted storage does, for tests: the sizes "
                + "of the parts in MiB are 16 for standard uploads and 50 for resumable ones unless given.",
        ],
        examples: [
            .init("serve --port 8000 --data ~/storage", "for tests, or a home network's proxy"),
            .init("serve --data ~/storage --rebuild-index", "after index.sqlite was lost or damaged"),
        ]
    ) { words throws(UsageError) in
        let port = try words.value("port", "a number from 0 to 65535", UInt16.init) ?? 0
        let eTags = try words.value("etag", "md5, multipart or multipart:N[:N] with N from 5 to 5120") {
            ETagRule(words: $0)
        }
        return .serve(
            ServeRequest(
                port: port, data: words.path("data"), faults: words.path("faults"), eTags: eTags ?? .md5,
                rebuildsIndex: words.isOn("rebuild-index")))
    }

    static let config = CommandForm(
        "config", "Show every setting and its origin, or check them",
        arguments: "show|check", count: 0...1, actions: ConfigRequest.allCases.map { .init($0.rawValue) },
        examples: [
            .init("config show", "what holds, and why"), .init("config check", "whether it would start"),
            .init("config show --json --set upload.limitRate=2M", "with a value tried out"),
        ]
    ) { words throws(UsageError) in
        let action = words.arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return .config(ConfigRequest(rawValue: action) ?? .show)
    }
}

import StorageServer

extension CommandTable {
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
        ],
        documents: [.serve, .rebuildIndex]
    ) { words throws(UsageError) in
        let port = try words.value("port", "a number from 0 to 65535", UInt16.init) ?? 0
        let eTags = try words.value("etag", "md5, multipart or multipart:N[:N] with N from 5 to 5120") {
            ETagRule(words: $0)
        }
        return ServeRequest(
            port: port, data: words.path("data"), faults: words.path("faults"), eTags: eTags ?? .md5,
            rebuildsIndex: words.isOn("rebuild-index"))
    }
}

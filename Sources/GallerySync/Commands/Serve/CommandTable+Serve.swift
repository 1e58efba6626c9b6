import CommandLine
import Formats
import ObjectStore
import StorageServer
import Text

extension CommandTable {
    static let serve = CommandForm(
        "serve", "Run the storage server on this computer",
        options: [
            OptionForm("port", value: "N", "Listen here (default: any free port)"),
            OptionForm("data", value: "DIR", "Keep objects here"),
            OptionForm("faults", value: "FILE", "Fail as the rules in this JSON5 file say"),
            OptionForm("etag", value: "KIND", "Answer eTags as this storage does: md5 (default) or multipart"),
            OptionForm(
                "user", value: "NAME", "Let this user sign in, as NAME or as an e-mail address", isRepeatable: true),
            OptionForm("password-file", value: "FILE", "Read the users' password there; - is standard input"),
            OptionForm("session-time", value: "TIME", "End each sign-in after this time, such as 30s (default: never)"),
            OptionForm("rebuild-index", "Make index.sqlite anew from what lies below objects, and end"),
        ],
        details: [
            "Speaks Supabase Storage on 127.0.0.1. Prints its address and where its keys are. Signs with "
                + "GALLERY_SYNC_JWT_SECRET, or with a secret of its own kept beside the data.",
            "--user asks for a password, one for all users, unless GALLERY_SYNC_SERVE_PASSWORD or --password-file has it; "
                + "it is kept in memory only. A NAME without @ signs in as NAME@localhost. With --session-time, "
                + "sign-ins can be seen to end and to be renewed by \"login\".",
            "A file for --faults: {seed: 1, rules: [{method: \"PATCH\", path: \"/upload/*\", rate: 0.1, reset: 1000}]}. "
                + "In place of reset (after bytes): latency or stall (seconds), bandwidth (bytes a second), status "
                + "(with retryAfter, body), truncate (after bytes).",
            "--etag multipart[:STANDARD[:RESUMABLE]] cuts objects into parts as hosted storage does, for tests: the sizes "
                + "of the parts in MiB are 16 for standard uploads and 50 for resumable ones unless given.",
        ],
        examples: [
            .init("serve --port 8000 --data ~/storage", "for tests, or a home network's proxy"),
            .init("serve --port 8000 --user ada --session-time 30s", "to try login, and what follows its end"),
            .init("serve --data ~/storage --rebuild-index", "after index.sqlite was lost or damaged"),
        ],
        documents: [.serve, .rebuildIndex]
    ) { words throws(UsageError) in
        let port = try words.value("port", "a number from 0 to 65535") { UInt16(digits: $0) } ?? 0
        let eTags = try words.value("etag", "md5, multipart or multipart:N[:N] with N from 5 to 5120") {
            ETagRule(words: $0)
        }
        let sessionTime = try words.value("session-time", "a duration from 1s up, such as 30s") { text in
            Quantity.duration(text).flatMap { $0 < .seconds(1) ? nil : $0 }
        }
        let users = try words.values("user", "a name or an address, without spaces") { text -> String? in
            let name = text.lowercased()
            guard !name.isEmpty, !name.contains(where: \.isWhitespace) else { return nil }
            return name.contains("@") ? name : name + "@localhost"
        }
        for option in ["password-file", "session-time"] where users.isEmpty && words.isOn(option) {
            throw UsageError(message: "--\(option) needs --user NAME.")
        }
        return ServeRequest(
            port: port, data: words.path("data"), faults: words.path("faults"), eTags: eTags ?? .md5, users: users,
            passwordFile: words.path("password-file"), sessionTime: sessionTime,
            rebuildsIndex: words.isOn("rebuild-index"))
    }
}

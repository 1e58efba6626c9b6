import Output

extension DocumentForm {
    static let queueOrder = DocumentForm(
        "queue/1", "What became of an order to the queue",
        [
            .always("action", .word(["pause", "resume", "cancel"]), "The order"),
            .sometimes("files", .whole, "With cancel: how many are left out now"),
        ])

    static let item = DocumentForm(
        "item/1", "One item of the upload queue, as queue.json has it", isLine: true, hasSchemaKey: false,
        [
            .always("id", .text, "Its identifier"), .always("root", .text, "The root's name"),
            .always("path", .text, "The path below the root"),
            .sometimes("pathBytes", .text, "The path's bytes in base64 where they are not UTF-8"),
            .always("role", .text, "original, or thumbnail- and its size"), .always("contentType", .text, "Its type"),
            .always("size", .whole, "Bytes"), .always("sha256", .text, "Of its bytes, hexadecimal"),
            .always("modifiedAt", .moment, "The file's time"), .always("bucket", .text, "Where it goes"),
            .always("objectKey", .text, "Its key there"),
            .always("status", .word(["pending", "uploading", "completed", "failed"]), "Its state"),
            .always("retryCount", .whole, "Failed attempts"),
            .always("blocked", .orNull(.text), "What it waits for, such as offline"),
            .sometimes(
                "lastError",
                .object([
                    .always("code", .text, "A stable word, such as http.503"),
                    .always("message", .text, "What happened"),
                    .always("retryable", .truth, "Whether it is tried again"),
                ]), "The last failure"),
            .always("createdAt", .moment, "When it was queued"),
            .sometimes("forcedAt", .moment, "When the user asked for its bytes to be sent again"),
            .sometimes("lastAttemptAt", .moment, "When it was last tried"),
            .sometimes("nextAttemptAt", .moment, "When it is tried next"),
            .sometimes("completedAt", .moment, "When it was proven"),
            .always("sent", .truth, "Whether its bytes were accepted and only the proof is missing"),
            .sometimes(
                "resume",
                .object([
                    .always("uploadID", .text, "The server's name for the upload"),
                    .always("createdAt", .moment, "When it began"),
                    .always("offset", .whole, "Bytes that the server has"),
                    .sometimes("furthest", .whole, "The most bytes that it had before it lost some"),
                ]), "Where a large upload goes on"),
        ])
}

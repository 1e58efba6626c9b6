import Output

extension DocumentForm {
    static let serve = DocumentForm(
        "serve/1", "Where the embedded server listens",
        [
            .always("url", .text, "Its address"), .always("serviceKeyFile", .text, "The file with the service key"),
            .always("anonKeyFile", .text, "The file with the anonymous key"),
            .always("folder", .text, "Where it keeps the objects"),
        ])

    static let rebuildIndex = DocumentForm(
        "rebuild-index/1", "What became of a rebuilt index",
        [
            .always("folder", .text, "The server's folder"), .always("buckets", .whole, "Buckets found"),
            .always("objects", .whole, "Objects found"),
            .sometimes("keptIndex", .text, "Where the index before is kept"),
            .always("unplaced", .list(.text), "Files that belong to no object"),
        ])
}

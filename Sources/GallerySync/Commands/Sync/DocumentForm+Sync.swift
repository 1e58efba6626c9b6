import Output

extension DocumentForm {
    static let preview = DocumentForm(
        "preview/1", "What sync would look at",
        [
            .always(
                "files",
                .list(
                    .object([
                        .always("path", .text, "The file, with its root's name"), .always("size", .whole, "Bytes"),
                    ])),
                "New and changed files"),
            .always(
                "waiting",
                .object([
                    .always("files", .whole, "How many"), .always("bytes", .whole, "Their bytes"),
                ]), "Files that were found before, and wait to be read or sent"),
        ])
}

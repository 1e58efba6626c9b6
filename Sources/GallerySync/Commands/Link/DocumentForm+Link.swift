import Output

extension DocumentForm {
    static let link = DocumentForm(
        "link/1", "Links to stored files",
        [
            .always(
                "links",
                .list(
                    .object([
                        .always("path", .text, "The file as it was named"), .always("key", .text, "Its object's key"),
                        .always("url", .text, "The link; a signed one lets everyone read the file"),
                        .sometimes("expiresAt", .moment, "When a signed link stops working"),
                    ])), "One for each file that is stored"),
            .always("problems", .list(.text), "Why others have none, a sentence each"),
        ])
}

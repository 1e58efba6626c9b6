import Output

extension DocumentForm {
    static let thumbnail = DocumentForm(
        "thumbnail/1", "What became of one file", isLine: true,
        [
            .always("source", .text, "The file"), .sometimes("facts", .anything, "What the file says about itself"),
            .always("thumbnails", .list(.text), "The pictures written"),
            .sometimes("failure", .text, "Why there are none"),
        ])
}

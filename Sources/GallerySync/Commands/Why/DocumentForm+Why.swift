import Output

extension DocumentForm {
    static let why = DocumentForm(
        "why/1", "The decisions taken about one file; with several files, one on each line",
        [
            .always("path", .text, "The file"), .always("decisions", .list(.text), "One sentence each, in their order"),
            .sometimes("state", .text, "The state of the file's asset"),
        ])
}

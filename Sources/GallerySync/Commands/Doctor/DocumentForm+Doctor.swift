import Output

extension DocumentForm {
    static let doctor = DocumentForm(
        "doctor/1", "Whether everything that storing needs works",
        [
            .always("fine", .truth, "Whether nothing is wrong"),
            .always("findings", .list(finding), "One for each check"),
            .always("sql", .text, "What to run in the project's SQL editor; empty for nothing"),
        ])
}

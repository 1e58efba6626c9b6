import Output

extension DocumentForm {
    static let initialized = DocumentForm(
        "init/1", "The configuration that was written",
        [
            .always("configuration", .text, "The file"), .always("profile", .text, "The profile's name"),
            .always("next", .text, "The command to run next"),
        ])
}

import Output

extension DocumentForm {
    static let config = DocumentForm(
        "config/1", "Every setting with its value and origin",
        [
            .always("profile", .text, "The profile's name"),
            .always(
                "settings",
                .map(
                    .object([.always("value", .anything, "The value"), .always("origin", .text, "Where it comes from")])
                ),
                "The settings by their dotted names"),
            .always("key", .orNull(.text), "Where the destination's key was found; never the key"),
            .always("files", .map(.text), "The paths of the program's own files"),
        ])

    static let check = DocumentForm(
        "check/1", "Whether the agent would start with these settings",
        [
            .always("fine", .truth, "Whether nothing is wrong"),
            .always("findings", .list(finding), "One for each check"),
        ])
}

extension DocumentForm {
    /// The document on standard error when a command with `--json` cannot go on.
    package static let error = DocumentForm(
        "error/1", "Why a command could not be carried out",
        [
            .always("exit", .whole, "The exit code"), .always("message", .text, "What went wrong, one sentence"),
            .always("next", .orNull(.text), "What to do next"),
        ])

    /// A finding of a command that checks something.
    package static let finding = JSONShape.object([
        .always("name", .text, "What was checked, in one or two words"),
        .always("result", .word(["fine", "doubtful", "wrong"]), "How the check came out"),
        .always("sentence", .text, "What was found and, where it is not fine, what to do"),
        .sometimes("sql", .text, "What to run in the project's SQL editor"),
    ])

    /// A job of a provider, as `jobs.json` keeps it.
    package static let job = JSONShape.object([
        .always("id", .text, "Its identifier here"),
        .sometimes("reference", .anything, "What its provider calls it"),
        .always("origin", .anything, "How it came here"),
        .sometimes("submission", .anything, "How far its order is"),
        .always("state", .anything, "As the provider last said"),
        .always("files", .list(.anything), "Its files, once it has ended"),
        .sometimes("error", .anything, "Why there is nothing to rescue"),
        .always("addedAt", .moment, "When it came here"),
        .always("asked", .whole, "How often its provider was asked"),
        .sometimes("startedAskingAt", .moment, "When the provider was first asked"),
        .sometimes("nextQuestionAt", .moment, "When the provider is asked next"),
        .sometimes("createdAt", .moment, "When the provider began it"),
        .sometimes("endedAt", .moment, "When it ended at the provider"),
        .always("isCancelled", .truth, "Whether the user cancelled it"),
    ])
}

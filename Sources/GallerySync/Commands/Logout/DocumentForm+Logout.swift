import Output

extension DocumentForm {
    static let logout = DocumentForm(
        "logout/1", "What became of the sign-in",
        [
            .always("wasSignedIn", .truth, "Whether there was a sign-in to end"),
            .always("endedOnServer", .truth, "Whether the server ended it, too"),
        ])
}

import Output

extension DocumentForm {
    static let login = DocumentForm(
        "login/1", "Who is signed in, and where",
        [
            .always("server", .text, "The address signed in to"),
            .always(
                "user",
                .object([.always("id", .text, "The user's id"), .sometimes("email", .text, "The user's address")]),
                "Who is signed in"),
        ])
}

import Output

extension DocumentForm {
    static let reuploadPlan = DocumentForm(
        "reupload-plan/1", "What reupload would look at again",
        [
            .always(
                "selection",
                .object([
                    .always("files", .whole, "Files"), .always("bytes", .whole, "Bytes of those files"),
                    .always("examples", .list(.text), "The first of them"),
                    .always("missingObjects", .whole, "Objects that are not in the bucket although they should be"),
                ]), "The files selected")
        ])
}

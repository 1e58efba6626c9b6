import Output

extension DocumentForm {
    static let open = DocumentForm(
        "open/1", "A link to the gallery page",
        [.always("url", .text, "Lets one browser in, once")])
}

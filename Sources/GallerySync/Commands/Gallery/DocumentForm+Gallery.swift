import Output

extension DocumentForm {
    static let gallery = DocumentForm(
        "gallery/1", "Where the gallery page is served",
        [.always("url", .text, "Lets one browser in, once")])
}

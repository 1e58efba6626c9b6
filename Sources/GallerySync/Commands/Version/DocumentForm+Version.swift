import Output

extension DocumentForm {
    static let version = DocumentForm(
        "version/1", "The program's version", [.always("version", .text, "Such as 1.2.3")])
}

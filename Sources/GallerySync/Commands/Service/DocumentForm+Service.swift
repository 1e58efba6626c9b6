import Output

extension DocumentForm {
    static let service = DocumentForm(
        "service/1", "The service of a profile, after install, remove or status",
        [
            .always("unit", .text, "The name of its unit"), .always("installed", .truth, "Whether systemd knows it"),
            .always("running", .truth, "Whether it runs now"),
        ])
}

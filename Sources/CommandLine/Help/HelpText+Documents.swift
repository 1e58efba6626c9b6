package import Output
import Text

extension HelpText {
    /// The JSON documents of the commands of `table`, and how their shapes are printed.
    ///
    /// - Parameter event: What long commands tell.
    package static func documents(of table: CommandTable, event: DocumentForm, columns: Int = width) -> [String] {
        let rows = table.forms.flatMap { form in
            form.documents.map {
                (name: "\($0.title)", text: "\(form.name): \($0.summary)\($0.isLine ? ", one a line" : "")")
            }
        }
        let common = [
            (event.title, event.summary + ", one a line"),
            (DocumentForm.error.title, "every command, on standard error: " + DocumentForm.error.summary),
        ]
        let paragraph = { DisplayText.wrapped($0, columns: columns) }
        return paragraph("With --json a command writes one document, or one line for each event.") + [""]
            + section("Documents", rows.map { ($0.name, $0.text) } + common, columns) + [""]
            + paragraph(
                "\"gallery-sync help json NAME\" prints its JSON Schema. A later version may add keys; it raises the "
                    + "number in \"schema\" when it changes or removes one.")
    }
}

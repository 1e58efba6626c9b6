import Gallery
import Text

/// The output of `help`, from the same table that the parser uses.
package enum HelpText {
    /// The commands of `table`, for 80 columns.
    package static func overview(of table: CommandTable) -> [String] {
        let names = table.forms.map { ($0.name, $0.summary) }
        return [
            "gallery-sync keeps folders of photos and videos safe in Supabase Storage.", "",
            "Usage: gallery-sync COMMAND [OPTION…]", "",
        ] + section("Commands", names) + [""] + section("Options of every command", CommandTable.general.map(row)) + [
            "", "Start with \"gallery-sync init\", or see it all with \"gallery-sync demo\".",
            "\"gallery-sync help COMMAND\" explains one.",
        ]
    }

    /// One command.
    package static func text(for form: CommandForm) -> [String] {
        let options = form.options.isEmpty ? "" : " [OPTION…]"
        let arguments = form.arguments.isEmpty ? "" : " " + form.arguments
        var lines = ["\(form.summary).", "", "Usage: gallery-sync \(form.name)\(arguments)\(options)"]
        for paragraph in form.details { lines += [""] + DisplayText.wrapped(paragraph, columns: width) }
        if !form.options.isEmpty { lines += [""] + section("Options", form.options.map(row)) }
        lines += ["", "Examples:"]
        for example in form.examples {
            lines += ["  # \(example.purpose)", "  gallery-sync \(example.words)"]
        }
        return lines + ["", "\"gallery-sync help\" lists the options of every command."]
    }

    private static let width = 80

    private static func row(_ option: OptionForm) -> (String, String) {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return (letter + "--" + option.name + (option.value.map { " " + $0 } ?? ""), option.summary)
    }

    static func section(_ title: String, _ rows: [(String, String)]) -> [String] {
        let column = 2 + (rows.map { DisplayText.width($0.0) }.max() ?? 0) + 2
        return ["\(title):"]
            + rows.flatMap { name, summary in
                DisplayText.wrapped(summary, columns: width - column).enumerated().map { index, line in
                    DisplayText.left(index == 0 ? "  " + name : "", columns: column) + line
                }
            }
    }
}

import Gallery
import Text

/// The output of `help`, from the same table that the parser uses.
package enum HelpText {
    /// The commands of `table`, in lines of at most `columns`.
    package static func overview(of table: CommandTable, columns: Int = width) -> [String] {
        let names = table.forms.map { ($0.name, $0.summary) }
        let paragraph = { DisplayText.wrapped($0, columns: columns) }
        return paragraph("gallery-sync keeps folders of photos and videos safe in Supabase Storage.")
            + ["", "Usage: gallery-sync COMMAND [OPTION…]", ""] + section("Commands", names, columns) + [""]
            + section("Options of every command", CommandTable.general.map(row), columns) + [""]
            + paragraph("Start with \"gallery-sync init\", or see it all with \"gallery-sync demo\".")
            + paragraph("\"gallery-sync help COMMAND\" explains one.")
    }

    /// One command, in lines of at most `columns`; what may be copied from an example stays in one line.
    package static func text(for form: CommandForm, columns: Int = width) -> [String] {
        let options = form.options.isEmpty ? "" : " [OPTION…]"
        let arguments = form.arguments.isEmpty ? "" : " " + form.arguments
        let usage = "Usage: gallery-sync \(form.name)\(arguments)\(options)"
        var lines = DisplayText.wrapped("\(form.summary).", columns: columns) + [""]
        lines += DisplayText.wrapped(usage, columns: columns - 2, keepsWords: true).enumerated().map {
            ($0 == 0 ? "" : "  ") + $1
        }
        for paragraph in form.details { lines += [""] + DisplayText.wrapped(paragraph, columns: columns) }
        if !form.options.isEmpty { lines += [""] + section("Options", form.options.map(row), columns) }
        lines += ["", "Examples:"]
        for example in form.examples {
            lines += DisplayText.wrapped(example.purpose, columns: columns - 4).map { "  # " + $0 }
            lines.append("  gallery-sync \(example.words)")
        }
        return lines + [""]
            + DisplayText.wrapped("\"gallery-sync help\" lists the options of every command.", columns: columns)
    }

    /// The columns of a help that no narrow terminal shows.
    package static let width = 80

    private static func row(_ option: OptionForm) -> (String, String) {
        let letter = option.letter.map { "-\($0), " } ?? "    "
        return (letter + "--" + option.name + (option.value.map { " " + $0 } ?? ""), option.summary)
    }

    /// A title, then names with their summaries beside them or, where little would fit there, below them.
    static func section(_ title: String, _ rows: [(String, String)], _ columns: Int) -> [String] {
        let column = 2 + (rows.map { DisplayText.width($0.0) }.max() ?? 0) + 2
        guard columns - column >= leastWidth else {
            return ["\(title):"]
                + rows.flatMap { name, summary in
                    ["  " + name] + DisplayText.wrapped(summary, columns: columns - 8).map { "        " + $0 }
                }
        }
        return ["\(title):"]
            + rows.flatMap { name, summary in
                DisplayText.wrapped(summary, columns: columns - column).enumerated().map { index, line in
                    DisplayText.left(index == 0 ? "  " + name : "", columns: column) + line
                }
            }
    }

    /// The fewest columns for a summary beside its name.
    private static let leastWidth = 24
}

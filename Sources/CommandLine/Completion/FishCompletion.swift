/// The completion script for fish.
package struct FishCompletion {
    private let table: CommandTable

    /// The script for the commands of `table`.
    package init(_ table: CommandTable) { self.table = table }

    /// The lines of the script.
    package var lines: [String] {
        let names = table.forms.map(\.name).joined(separator: " ")
        var lines = ["# Completes gallery-sync in fish; made by \"gallery-sync completion fish\".", ""]
        lines += [
            "# The command that is written already: $argv[1], or none without it.", "function __gallery_sync_in",
            "    for word in (commandline -opc)[2..]", "        if contains -- $word \(names)",
            "            test \"$word\" = \"$argv[1]\"", "            return", "        end", "    end",
            "    not set -q argv[1]", "end", "", "complete -c gallery-sync -f",
        ]
        lines += CommandTable.general.map { row($0, when: nil) }
        lines += table.forms.map { form in
            "\(Self.start) -n __gallery_sync_in -a \(form.name) -d \(Self.quoted(form.summary))"
        }
        return lines + table.forms.flatMap(rows)
    }

    private static let start = "complete -c gallery-sync"

    private func rows(_ form: CommandForm) -> [String] {
        let place = "__gallery_sync_in \(form.name)"
        var rows = form.options.map { row($0, when: place) }
        guard !form.actions.isEmpty else { return rows + argument(form.candidates, place) }
        let names = form.actions.map(\.name).joined(separator: " ")
        let first = "\(place); and not __fish_seen_subcommand_from \(names)"
        rows.append("\(Self.start) -n \(Self.quoted(first)) -a \(Self.quoted(names))")
        for action in form.actions {
            rows += argument(action.candidates, "\(place); and __fish_seen_subcommand_from \(action.name)")
        }
        return rows
    }

    private func argument(_ candidates: Candidates, _ place: String) -> [String] {
        switch candidates {
        case .none, .settings: return []
        case .files: return ["\(Self.start) -n \(Self.quoted(place)) -F"]
        case .directories: return ["\(Self.start) -n \(Self.quoted(place)) -a '(__fish_complete_directories)'"]
        case .words(let words):
            let names = words.joined(separator: " ")
            let first = "\(place); and not __fish_seen_subcommand_from \(names)"
            return ["\(Self.start) -n \(Self.quoted(first)) -a \(Self.quoted(names))"]
        case .commands:
            return [
                "\(Self.start) -n \(Self.quoted(place)) -a \(Self.quoted(candidates.words(in: table).joined(separator: " ")))"
            ]
        }
    }

    private func row(_ option: OptionForm, when place: String?) -> String {
        var row = Self.start + (place.map { " -n " + Self.quoted($0) } ?? "") + " -l \(option.name)"
        if let letter = option.letter { row += " -s \(letter)" }
        if option.value != nil {
            row += offer(option.candidates)
        }
        return row + " -d " + Self.quoted(option.summary)
    }

    private func offer(_ candidates: Candidates) -> String {
        switch candidates {
        case .none: " -x"
        case .files: " -r -F"
        case .directories: " -x -a '(__fish_complete_directories)'"
        case .words, .commands, .settings: " -x -a " + Self.quoted(candidates.words(in: table).joined(separator: " "))
        }
    }

    private static func quoted(_ text: String) -> String { ShellText.quoted(text, quote: "\\'") }
}

/// The completion script for zsh, for a folder of `fpath` or to be sourced.
package struct ZshCompletion {
    private let table: CommandTable

    /// The script for the commands of `table`.
    package init(_ table: CommandTable) { self.table = table }

    /// The lines of the script.
    package var lines: [String] {
        let head = """
            #compdef gallery-sync
            # Completes gallery-sync in zsh; made by "gallery-sync completion zsh".

            _gallery-sync() {
                local curcontext=$curcontext state line ret=1
                local -a commands general
            """
        let middle = """
                _arguments -C -s -S $general '1:command:->command' '*::argument:->argument' && ret=0
                case $state in
                command) _describe -t commands command commands && ret=0 ;;
                argument)
                    case $words[1] in
            """
        let commands = table.forms.map { Self.described($0.name, $0.summary) }
        let general = CommandTable.general.flatMap(specifications)
        return [head] + Self.list("commands", commands) + Self.list("general", general) + [middle]
            + table.forms.flatMap(branch) + [Self.tail]
    }

    /// Works both as a file in `fpath`, where it is the body of the function, and when it is sourced.
    private static let tail = """
                esac
                ;;
            esac
            return ret
        }

        if [[ $funcstack[1] == _gallery-sync ]]; then
            _gallery-sync "$@"
        else
            compdef _gallery-sync gallery-sync
        fi
        """

    private static func list(_ name: String, _ rows: [String]) -> [String] {
        ["    \(name)=("] + rows.map { "        " + $0 } + ["    )"]
    }

    private static func described(_ name: String, _ summary: String) -> String {
        ShellText.quoted("\(name):\(summary)")
    }

    private func branch(_ form: CommandForm) -> [String] {
        let all = form.options.flatMap(specifications) + arguments(form)
        let start = ["        \(form.name))"]
        guard !all.isEmpty else { return start + ["            _arguments -s -S $general && ret=0", "            ;;"] }
        let words = all.map { "                \($0)" }.joined(separator: " \\\n")
        return start + ["            _arguments -s -S $general \\", words + " && ret=0", "            ;;"]
    }

    private func arguments(_ form: CommandForm) -> [String] {
        guard !form.actions.isEmpty else {
            guard form.candidates != .none else { return [] }
            let place = form.candidates.words(in: table).isEmpty ? "*" : "1"
            return [ShellText.quoted("\(place):argument:\(action(form.candidates))")]
        }
        let names = form.actions.map(\.name).joined(separator: " ")
        var rows = [ShellText.quoted("1:action:(\(names))")]
        for word in form.actions where word.candidates != .none {
            let place = word.candidates.words(in: table).isEmpty ? "*" : "2"
            let offer =
                word.candidates.words(in: table).isEmpty
                ? action(word.candidates) : "compadd -- \(word.candidates.words(in: table).joined(separator: " "))"
            let condition = "[[ $words[(r)\(word.name)] == \(word.name) ]]"
            rows.append(ShellText.quoted("\(place):argument:{ \(condition) && \(offer) }"))
        }
        return rows
    }

    /// One text for each spelling of the option; with `=` the value may be in the same word or the next.
    private func specifications(_ option: OptionForm) -> [String] {
        let long = "--" + option.name
        let short = option.letter.map { "-\($0)" }
        let summary = Self.escaped(option.summary, in: "[]\\")
        let value = option.value.map { ":\(Self.escaped($0, in: ":")):\(action(option.candidates))" } ?? ""
        let others = option.isRepeatable ? "*" : short.map { "(\(long) \($0))" } ?? ""
        let marks = option.value == nil ? ("", "") : ("=", "+")
        return ([long + marks.0] + (short.map { [$0 + marks.1] } ?? [])).map {
            ShellText.quoted("\(others)\($0)[\(summary)]\(value)")
        }
    }

    private func action(_ candidates: Candidates) -> String {
        switch candidates {
        case .none: ""
        case .files: "_files"
        case .directories: "_files -/"
        case .settings: "{ compadd -S \"\" -- \(candidates.words(in: table).joined(separator: " ")) }"
        case .words, .commands: "(\(candidates.words(in: table).joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String, in special: String) -> String {
        text.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}

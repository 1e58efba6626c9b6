/// The completion script for bash, which needs no other package.
package struct BashCompletion {
    private let table: CommandTable

    /// The script for the commands of `table`.
    package init(_ table: CommandTable) { self.table = table }

    /// The lines of the script.
    package var lines: [String] {
        ["# Completes gallery-sync in bash; made by \"gallery-sync completion bash\".", ""]
            + Self.function("_gallery_sync_value", "What the value of option $2 of command $1 may be.", values) + [""]
            + Self.function("_gallery_sync_argument", "What argument $3 of command $1, action $2 may be.", arguments)
            + [""]
            + Self.function("_gallery_sync_options", "The options of command $1.", options) + [""]
            + Self.main.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func function(_ name: String, _ purpose: String, _ cases: [String]) -> [String] {
        ["# \(purpose)", "\(name)() {"] + cases.map { "    " + $0 } + ["}"]
    }

    /// Sets `kind` and `words`; fails for a switch.
    private var values: [String] {
        var rows = CommandTable.general.flatMap { row($0, of: "*") }
        for form in table.forms { rows += form.options.flatMap { row($0, of: form.name) } }
        return ["case \"$1 $2\" in"] + rows + ["*) return 1 ;;", "esac"]
    }

    private func row(_ option: OptionForm, of command: String) -> [String] {
        guard option.value != nil else { return [] }
        let names = ["--" + option.name] + (option.letter.map { ["-\($0)"] } ?? [])
        let patterns = names.map { command == "*" ? "*' \($0)'" : ShellText.quoted("\(command) \($0)") }
        return [patterns.joined(separator: " | ") + ") \(offer(option.candidates)) ;;"]
    }

    private var arguments: [String] {
        var rows: [String] = []
        for form in table.forms {
            if form.actions.isEmpty {
                rows += row("\(form.name) ", form.candidates, first: "\(form.name)  0")
                continue
            }
            rows.append("\(ShellText.quoted("\(form.name)  0"))) \(offer(.words(form.actions.map(\.name)))) ;;")
            for action in form.actions {
                let start = "\(form.name) \(action.name) "
                rows += row(start, action.candidates, first: start + "1")
            }
        }
        return ["case \"$1 $2 $3\" in"] + rows + ["esac"]
    }

    private func row(_ start: String, _ candidates: Candidates, first: String) -> [String] {
        guard candidates != .none else { return [] }
        let pattern = candidates.words(in: table).isEmpty ? ShellText.quoted(start) + "*" : ShellText.quoted(first)
        return ["\(pattern)) \(offer(candidates)) ;;"]
    }

    private func offer(_ candidates: Candidates) -> String {
        switch candidates {
        case .none: "kind=none"
        case .files: "kind=default"
        case .directories: "kind=dirnames"
        case .settings: "kind=nospace words=\(ShellText.quoted(candidates.words(in: table).joined(separator: " ")))"
        case .words, .commands:
            "kind=words words=\(ShellText.quoted(candidates.words(in: table).joined(separator: " ")))"
        }
    }

    private var options: [String] {
        func names(_ options: [OptionForm]) -> String { options.map { "--" + $0.name }.joined(separator: " ") }
        let rows = table.forms.filter { !$0.options.isEmpty }.map {
            "\(ShellText.quoted($0.name))) words=\(ShellText.quoted(names($0.options) + " ")) ;;"
        }
        return ["words=", "case $1 in"] + rows
            + ["esac", "words+=\(ShellText.quoted(names(CommandTable.general)))"]
    }

    /// bash splits `--name=value` into three words, and completes files better than a script could.
    private static var main: String {
        """
        _gallery_sync() {
            local current=${COMP_WORDS[COMP_CWORD]} command= action= value= ended= count=0 index word
            local kind=options words=
            COMPREPLY=()
            for ((index = 1; index < COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                if [[ $word == = ]]; then
                    value=${value:-=}
                elif [[ -n $value ]]; then
                    value=
                elif [[ -z $ended && $word == -- ]]; then
                    ended=yes
                elif [[ -z $ended && $word == -?* ]]; then
                    if _gallery_sync_value "$command" "$word"; then value=$word; fi
                elif [[ -z $command ]]; then
                    command=$word
                else
                    if ((count == 0)); then action=$word; fi
                    count=$((count + 1))
                fi
            done
            kind=options words=
            if [[ $current == = ]]; then
                current=
                value=${value:-=}
            fi
            if [[ -n $value ]]; then
                _gallery_sync_value "$command" "$value" || kind=none
            elif [[ -z $command && $current != -* ]]; then
                _gallery_sync_argument help '' 0
            elif [[ $current != -* || -n $ended ]]; then
                _gallery_sync_argument "$command" "$action" "$count"
            fi
            case $kind in
            none) return ;;
            default | dirnames)
                compopt -o "$kind"
                return
                ;;
            nospace) compopt -o nospace ;;
            options) _gallery_sync_options "$command" ;;
            esac
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        }
        complete -F _gallery_sync gallery-sync
        """
    }
}

import Text

extension CommandTable {
    /// ` Did you mean "queue pause"?` for an unknown first word, or nothing.
    ///
    /// If the nearest command must be meant, it suggests nothing: the next nearest one would only mislead.
    package func suggestion(for word: String) -> String {
        let meanings = meanings
        guard let nearest = Spelling.nearest(to: word, among: meanings.map(\.spelling)) else { return "" }
        let meant = meanings.filter { $0.spelling == nearest }
        guard !meant.contains(where: \.mustBeMeant) else { return "" }
        return " Did you mean \(meant.map { "\"\($0.line)\"" }.joined(separator: " or "))?"
    }

    /// How a command line may be spelled in one word: a command, an action, or both together.
    private struct Meaning {
        let spelling: String
        let line: String
        let mustBeMeant: Bool
    }

    /// Those that must be meant come first, because the first of two that are equally near counts as the nearest.
    private var meanings: [Meaning] {
        let all = everyMeaning
        return all.filter(\.mustBeMeant) + all.filter { !$0.mustBeMeant }
    }

    private var everyMeaning: [Meaning] {
        forms.flatMap { form in
            [Meaning(spelling: form.name, line: form.name, mustBeMeant: form.mustBeMeant)]
                + form.actions.flatMap { action in
                    // If a command has the action's name, that word means the command.
                    let alone = forms.contains { $0.name == action.name } ? [] : [action.name]
                    return (alone + ["\(form.name)-\(action.name)"]).map { spelling in
                        Meaning(
                            spelling: spelling, line: "\(form.name) \(action.name)",
                            mustBeMeant: form.mustBeMeant || action.mustBeMeant)
                    }
                }
        }
    }
}

import Cleansing
import Text

extension CommandTable {
    static let help = CommandForm(
        "help", "Explain a command", arguments: "[COMMAND]", count: 0...1, candidates: .commands,
        options: [OptionForm("man", value: "DIR", "Write the manual pages, one a command, into DIR")],
        examples: [
            .init("help sync", "everything about sync"),
            .init("help --man share/man/man1", "manual pages, for packages"),
        ]
    ) { words throws(UsageError) in
        if let folder = words.path("man") {
            guard words.arguments.isEmpty else { throw UsageError(message: "--man writes the pages of all commands.") }
            return HelpRequest.manual(folder)
        }
        guard let word = words.arguments.first else { return HelpRequest.overview }
        let topic = String(decoding: word, as: UTF8.self)
        guard form(named: topic) != nil else {
            let suggestion = Spelling.suggestion(for: topic, among: forms.map(\.name))
            throw UsageError(message: "Unknown command \(JSONText.quoted(topic)).\(suggestion)")
        }
        return HelpRequest.command(topic)
    }
}

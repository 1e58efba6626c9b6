import Cleansing
import Configuration
import Gallery
import Platform
import Text

extension CommandTable {
    static let completion = CommandForm(
        "completion", "Print what makes a shell complete these commands",
        arguments: Shell.allCases.map(\.rawValue).joined(separator: "|"), count: 1...1,
        actions: Shell.allCases.map { .init($0.rawValue) },
        details: [
            "The package and config/install.sh put it where the shell looks; by hand it goes into the file that the "
                + "shell reads at start."
        ],
        examples: [
            .init("completion bash", "for ~/.bashrc: source <(gallery-sync completion bash)"),
            .init("completion zsh", "for ~/.zshrc, after compinit: source <(gallery-sync completion zsh)"),
            .init("completion fish", "for ~/.config/fish/completions/gallery-sync.fish"),
        ]
    ) { words throws(UsageError) in
        .completion(words.arguments.first.flatMap { Shell(rawValue: String(decoding: $0, as: UTF8.self)) } ?? .bash)
    }

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
            return .manual(folder)
        }
        guard let topic = words.arguments.first.map({ String(decoding: $0, as: UTF8.self) }) else { return .help(nil) }
        guard form(named: topic) != nil else {
            let suggestion = Spelling.suggestion(for: topic, among: forms.map(\.name))
            throw UsageError(message: "Unknown command \(JSONText.quoted(topic)).\(suggestion)")
        }
        return .help(topic)
    }

    static let version = CommandForm(
        "version", "Print the version", examples: [.init("version --json", "for programs")]
    ) { _ throws(UsageError) in .version }
}

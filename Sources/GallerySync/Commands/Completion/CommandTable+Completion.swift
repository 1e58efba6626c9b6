import CommandLine

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
        let name = words.arguments.first.map { String(decoding: $0, as: UTF8.self) }
        return CompletionRequest(shell: name.flatMap(Shell.init(rawValue:)) ?? .bash)
    }
}

import CommandLine

extension CommandTable {
    static let config = CommandForm(
        "config", "Show every setting and its origin, or check them",
        arguments: "show|check", count: 0...1, actions: ConfigRequest.allCases.map { .init($0.rawValue) },
        examples: [
            .init("config show", "what holds, and why"), .init("config check", "whether it would start"),
            .init("config show --json --set upload.limitRate=2M", "with a value tried out"),
        ],
        documents: [.config, .check]
    ) { words throws(UsageError) in
        let action = words.arguments.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return ConfigRequest(rawValue: action) ?? .show
    }
}

import Cleansing
import CommandLine
import Output
import Text

extension CommandTable {
    static let help = CommandForm(
        "help", "Explain a command", arguments: "[COMMAND | json [DOCUMENT]]", count: 0...2, candidates: .commands,
        options: [
            OptionForm("man", value: "DIR", "Write the manual pages, one a command, into DIR"),
            OptionForm("schemas", value: "DIR", "Write the JSON Schemas, one a document, into DIR"),
        ],
        examples: [
            .init("help sync", "everything about sync"),
            .init("help json", "the documents that --json writes"),
            .init("help json status", "the JSON Schema of one"),
            .init("help --man share/man/man1", "manual pages, for packages"),
        ]
    ) { words throws(UsageError) in
        try words.atMostOne(of: "man", "schemas")
        if let folder = words.path("schemas") {
            guard words.arguments.isEmpty else { throw UsageError(message: "--schemas writes those of all documents.") }
            return HelpRequest.schemas(folder)
        }
        if let folder = words.path("man") {
            guard words.arguments.isEmpty else { throw UsageError(message: "--man writes the pages of all commands.") }
            return HelpRequest.manual(folder)
        }
        guard let word = words.arguments.first else { return HelpRequest.overview }
        let topic = String(decoding: word, as: UTF8.self)
        let rest = words.arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        if topic == "json" { return try document(rest.first) }
        if let extra = rest.first { throw UsageError(message: "\"help\" does not take \(JSONText.quoted(extra)).") }
        guard all.form(named: topic) != nil else {
            throw UsageError(
                message: "Unknown command \(JSONText.quoted(topic)).\(all.suggestion(for: topic))")
        }
        return HelpRequest.command(topic)
    }

    private static func document(_ name: String?) throws(UsageError) -> HelpRequest {
        guard let name else { return .documents }
        let titles = DocumentForm.all.map(\.title)
        guard titles.contains(name) else {
            let suggestion = Spelling.suggestion(for: name, among: titles)
            throw UsageError(message: "Unknown document \(JSONText.quoted(name)).\(suggestion)")
        }
        return .document(name)
    }
}

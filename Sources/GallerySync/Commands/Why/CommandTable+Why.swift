import CommandLine

extension CommandTable {
    static let why = CommandForm(
        "why", "What was decided about a file, and when",
        arguments: "FILE…", count: 1...1000, candidates: .files,
        examples: [.init("why ~/Pictures/IMG_1.jpg", "why it is not stored")],
        documents: [.why]
    ) { words throws(UsageError) in WhyRequest(files: words.paths) }
}

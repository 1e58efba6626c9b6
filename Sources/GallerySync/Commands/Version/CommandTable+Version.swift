import CommandLine

extension CommandTable {
    static let version = CommandForm(
        "version", "Print the version", examples: [.init("version --json", "for programs")],
        documents: [.version]
    ) { _ throws(UsageError) in VersionRequest() }
}

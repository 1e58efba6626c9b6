import CommandLine
import Platform

extension CommandTable {
    /// The commands of this program.
    static let all: CommandTable = CommandTable([
        initialize, sync, watch, open, gallery, status, reupload, restore, link, queue, verify, prune, why, rescue,
        jobs, generate, thumbnail, serve, demo, login, logout, doctor, service, config, completion, help, version,
    ])
}

extension Invocation {
    /// Parses the words after the program's name; pure.
    init(_ words: [[UInt8]], home: FilePath? = nil) throws(UsageError) {
        try self.init(
            words, of: .all, home: home, help: { $0.map(HelpRequest.command) ?? .overview }, version: VersionRequest())
    }
}

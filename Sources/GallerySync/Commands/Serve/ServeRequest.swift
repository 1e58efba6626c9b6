import CommandLine
import ObjectStore
import Output
import Platform
import StorageServer

/// `serve`: the embedded storage server on its own.
struct ServeRequest: Command {
    /// 0 means any free one.
    var port: UInt16 = 0
    var data: FilePath?
    /// A file with rules of what goes wrong, for tests of clients.
    var faults: FilePath?
    /// How the server makes eTags, so that it can imitate different storages.
    var eTags = ETagRule.md5
    /// The e-mail addresses that may sign in.
    var users: [String] = []
    /// The file with the one password for all addresses; `-` means standard input.
    var passwordFile: FilePath?
    /// How long a sign-in lasts; `nil` for ever.
    var sessionTime: Duration?
    /// Whether to rebuild the index instead of serving.
    var rebuildsIndex = false

    func perform(in run: Run) async throws -> ExitCode { try await run.serve(self) }
}

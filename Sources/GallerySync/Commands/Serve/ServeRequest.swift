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
    /// Rules of what goes wrong, for tests of clients.
    var faults: FilePath?
    /// As which storage the server answers eTags.
    var eTags = ETagRule.md5
    /// The addresses of those who may sign in.
    var users: [String] = []
    /// The file with the password of all of them; `-` means standard input.
    var passwordFile: FilePath?
    /// How long a sign-in lasts; `nil` for ever.
    var sessionTime: Duration?
    /// Whether to make the index anew instead of serving.
    var rebuildsIndex = false

    func perform(in run: Run) async throws -> ExitCode { try await run.serve(self) }
}

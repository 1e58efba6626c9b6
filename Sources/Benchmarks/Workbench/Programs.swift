import Platform

/// The places of the programs that a run measures: ours in one folder, the others on a search path.
struct Programs: Sendable {
    /// The folder of our programs.
    let own: FilePath
    /// The folders of all other programs, in the order of the search.
    let folders: [FilePath]

    /// Ours beside this program, the others by `PATH`.
    static func present() throws -> Programs {
        let path = Environment["PATH"] ?? "/usr/bin:/bin"
        return Programs(
            own: try Host.executable().parent, folders: path.split(separator: ":").map { FilePath(String($0)) })
    }

    /// A program of ours; throws `ProgramAbsent` if it is not built.
    func ours(_ name: String) throws -> FilePath {
        let path = own.appending(FilePath(name))
        guard try FileFacts.existing(path) != nil else { throw ProgramAbsent(text: "\(name) is not built") }
        return path
    }

    /// The first program of that name that can be run; `nil` if there is none.
    func find(_ name: String) -> FilePath? {
        folders.map { $0.appending(FilePath(name)) }.first { path in
            guard let facts = try? FileFacts.existing(path) else { return false }
            return facts.kind == .file && facts.mode & 0o111 != 0
        }
    }

    /// A program that every machine should have; throws `ProgramAbsent` if it is not installed.
    func tool(_ name: String) throws -> FilePath {
        guard let path = find(name) else { throw ProgramAbsent(text: "\(name) is not installed") }
        return path
    }

    /// The path of a peer; `nil` if it is not installed.
    func path(of peer: Peer) -> FilePath? { find(peer.rawValue) }
}

/// A program that a row needs is missing.
struct ProgramAbsent: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

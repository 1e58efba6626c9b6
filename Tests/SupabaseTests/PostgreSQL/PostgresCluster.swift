import FoundationEssentials
import Platform
import TestSupport

/// A PostgreSQL for one test: a fresh cluster in a temporary folder, on a Unix socket only.
struct PostgresCluster {
    private let folder: TemporaryDirectory
    private let programs: FilePath
    /// The account it runs as where this process is root, which PostgreSQL refuses to be.
    private let account: String?

    /// Where `initdb`, `pg_ctl` and `psql` lie; `nil` where PostgreSQL is not installed.
    static let programs: FilePath? = {
        let versions = (try? Directory("/usr/lib/postgresql").names()) ?? []
        let debian = versions.sorted { $0.bytes.count == $1.bytes.count ? $0 > $1 : $0.bytes.count > $1.bytes.count }
            .map { FilePath("/usr/lib/postgresql").appending($0).appending("bin") }
        let path = (Environment["PATH"] ?? "").split(separator: ":").map { FilePath(String($0)) }
        return (debian + path).first { folder in
            ["initdb", "pg_ctl", "psql"].allSatisfy {
                (try? FileFacts.existing(folder.appending($0))).flatMap { $0 } != nil
            }
        }
    }()

    /// Runs `body` with a cluster that is removed afterwards.
    static func run(_ body: (PostgresCluster) async throws -> Void) async throws {
        guard let programs else { throw Failure(output: "PostgreSQL is not installed") }
        let cluster = try PostgresCluster(programs)
        do {
            try await cluster.start()
            try await body(cluster)
        } catch {
            await cluster.stop()
            throw error
        }
        await cluster.stop()
    }

    /// The output of a program that ended with another code than 0.
    struct Failure: Error, CustomStringConvertible {
        let output: String
        var description: String { output }
    }

    private init(_ programs: FilePath) throws {
        folder = try TemporaryDirectory()
        self.programs = programs
        account = Host.userID == 0 ? "nobody" : nil
    }

    private var data: FilePath { folder.path.appending("data") }

    private func start() async throws {
        if let account { _ = try await command("/bin/chown", [account, folder.path.display]) }
        try await server("initdb", ["-D", data.display, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"])
        let options = "-c listen_addresses='' -c unix_socket_directories='\(folder.path.display)' -c fsync=off"
        try await server("pg_ctl", ["-D", data.display, "-o", options, "-l", log.display, "-w", "-s", "start"])
    }

    private var log: FilePath { folder.path.appending("log") }

    private func stop() async {
        // Without a server there is nothing to stop.
        try? await server("pg_ctl", ["-D", data.display, "-m", "immediate", "-s", "stop"])
        folder.remove()
    }

    /// The rows that the last statements of `script` return, columns separated by `|`; ends at the first error.
    @discardableResult
    func query(_ script: String) async throws -> [String] {
        let file = folder.path.appending("script-" + Randomness.bytes(8).hexadecimal)
        try OpenFile(creating: file, mode: 0o644).append(Array(script.utf8))
        let words = ["-h", folder.path.display, "-U", "postgres", "-v", "ON_ERROR_STOP=1", "-qAtX", "-f", file.display]
        let output = try await command(programs.appending("psql"), words)
        return output.split(separator: "\n").map(String.init)
    }

    private func server(_ program: String, _ words: [String]) async throws {
        let path = programs.appending(program)
        if let account {
            _ = try await command("/usr/sbin/runuser", ["-u", account, "--", path.display] + words)
        } else {
            _ = try await command(path, words)
        }
    }

    private static let environment = [
        "PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGOPTIONS": "-c client_min_messages=warning",
    ]

    /// Runs a program to its end; returns its output.
    private func command(_ program: FilePath, _ words: [String]) async throws -> String {
        let file = folder.path.appending("output-" + Randomness.bytes(8).hexadecimal)
        let output = try OpenFile(creating: file, mode: 0o666)
        let child = try ChildProcess.spawn(
            program, arguments: words, environment: Self.environment,
            descriptors: [1: output.descriptor, 2: output.descriptor])
        let exit = try await child.end("\(program.display) ends")
        let text = String(decoding: try OpenFile(reading: file).readAll(), as: UTF8.self)
        guard exit == .exited(0) else { throw Failure(output: "\(program.display) ended with \(exit): \(text)") }
        return text
    }
}

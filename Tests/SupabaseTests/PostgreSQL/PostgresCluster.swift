import FoundationEssentials
import Platform
import TestSupport
import Testing

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

    /// What is said where they do not.
    static let absence: Comment = "PostgreSQL is not installed (\"apt-get install postgresql\"): the SQL is not tried"

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
        let options =
            "-c listen_addresses='' -c unix_socket_directories='\(folder.path.display)' -c fsync=off"
            + " -c max_connections=150 -c max_prepared_transactions=4"
        try await server("pg_ctl", ["-D", data.display, "-o", options, "-l", log.display, "-w", "-s", "start"])
    }

    /// The folder of its socket, as `PGHOST` has it.
    private var host: String { folder.path.display }

    /// The program of that name beside its own.
    func program(_ name: String) -> FilePath { programs.appending(name) }

    /// A folder for what a test leaves, gone with the cluster.
    func scratch(_ name: String) -> FilePath { folder.path.appending(name) }

    private var log: FilePath { folder.path.appending("log") }

    private func stop() async {
        // Without a server there is nothing to stop.
        try? await server("pg_ctl", ["-D", data.display, "-m", "immediate", "-s", "stop"])
        folder.remove()
    }

    /// The rows that the last statements of `script` return, columns separated by `|`; ends at the first error.
    @discardableResult
    func query(_ script: String) async throws -> [String] {
        let words = ["-v", "ON_ERROR_STOP=1", "-qAtX", "-f", try file(of: script)]
        let output = try await command(programs.appending("psql"), words)
        return output.split(separator: "\n").map(String.init)
    }

    /// Runs `script` on as many connections at once, as often on each, as the service role.
    ///
    /// - Parameter mayBreak: Connections may end before their time; without it that is a `Failure`.
    func storm(_ script: String, connections: Int, rounds: Int = 1, mayBreak: Bool = false) async throws {
        let many = ["-c", "\(connections)", "-j", "4", "-t", "\(rounds)", "-n", "-f", try file(of: script)]
        do {
            _ = try await command(
                programs.appending("pgbench"), many + ["postgres"], role: "service_role")
        } catch let failure as Failure {
            guard mayBreak else { throw failure }
        }
    }

    /// Kills a server process by `SIGKILL`, upon which PostgreSQL ends all others and recovers as after a crash.
    func kill(_ process: String) async throws {
        try await server("pg_ctl", ["kill", "KILL", process])
    }

    private func file(of script: String) throws -> String {
        let file = folder.path.appending("script-" + Randomness.bytes(8).hexadecimal)
        try OpenFile(creating: file, mode: 0o644).append(Array(script.utf8))
        return file.display
    }

    private func server(_ program: String, _ words: [String]) async throws {
        let path = programs.appending(program)
        if let account {
            _ = try await command("/usr/sbin/runuser", ["-u", account, "--", path.display] + words)
        } else {
            _ = try await command(path, words)
        }
    }

    /// Runs a program to its end, with the variables that lead `psql` here; returns its output.
    func command(
        _ program: FilePath, _ words: [String], role: String = "none", setting variables: [String: String] = [:]
    ) async throws -> String {
        let options = "-c client_min_messages=warning -c role=\(role)"
        let here = ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "PGOPTIONS": options, "PGHOST": host, "PGUSER": "postgres"]
        let environment = here.merging(variables) { $1 }
        let file = folder.path.appending("output-" + Randomness.bytes(8).hexadecimal)
        let output = try OpenFile(creating: file, mode: 0o666)
        let child = try ChildProcess.spawn(
            program, arguments: words, environment: environment,
            descriptors: [1: output.descriptor, 2: output.descriptor])
        let exit = try await child.end("\(program.display) ends")
        let text = String(decoding: try OpenFile(reading: file).readAll(), as: UTF8.self)
        guard exit == .exited(0) else { throw Failure(output: "\(program.display) ended with \(exit): \(text)") }
        return text
    }
}

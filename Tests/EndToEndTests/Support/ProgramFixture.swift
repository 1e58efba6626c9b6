import Foundation
import Platform
import Reporting
import Serving
import StorageServer
import TestSupport
import Testing
import Text

/// A home, a gallery and a state directory of one user, in a temporary directory.
struct ProgramFixture: Sendable {
    let folder: FilePath
    let gallery: FilePath
    /// The options that every command gets.
    var common: [String]
    var environment: [String: String]

    /// Names the state directory, which stands for one computer.
    var machine = "s"

    var state: FilePath { folder.appending(machine) }
    /// The embedded storage of `--local`.
    var storage: FilePath { state.appending("storage") }
    var queueFile: FilePath { state.appending("state/default/queue.json") }

    /// Thumbnails are off and files settle fast, so that tests are short.
    static let quick = [
        "--set", "thumbnails.enabled=false", "--set", "scan.settle=1500ms", "--set", "retry.base=50ms",
        "--set", "sync.patience=60s",
    ]

    /// A fixture that waits at most `patience`; files settle at once, since they may be new.
    func hasty(_ patience: String) -> ProgramFixture {
        var fixture = self
        fixture.common += ["--set", "sync.patience=\(patience)", "--set", "scan.settle=0s"]
        return fixture
    }

    /// A fixture that stores on this computer.
    static func local(_ tree: FileTree = [:], _ body: (ProgramFixture) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            try await body(ProgramFixture(folder.resolved(), tree, destination: ["--local"]))
        }
    }

    /// A fixture whose storage is a server of this process, with its faults.
    static func remote(
        _ tree: FileTree = [:], faults: @escaping @Sendable (Request) -> Fault? = { _ in nil },
        _ body: (ProgramFixture, StorageServer) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            let server = try StorageServer(folder: folder.appending("server"), faults: { faults($0) })
            try server.start()
            var fixture = try ProgramFixture(
                folder.resolved(), tree, destination: ["--set", "destination.url=http://127.0.0.1:\(server.port ?? 0)"])
            fixture.environment["GALLERY_SYNC_KEY"] = server.serviceKey
            do {
                try await body(fixture, server)
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
        }
    }

    init(_ folder: FilePath, _ tree: FileTree, destination: [String]) throws {
        self.folder = folder
        gallery = folder.appending("Pictures")
        common = ["--state-dir", folder.appending("s").display] + destination + Self.quick
        environment = ["HOME": folder.appending("home").display, "PATH": Environment["PATH"] ?? "/usr/bin:/bin"]
        // The desktop of the person who runs the tests has no say in them.
        for variable in DeskBus.variables { environment[variable] = "unix:path=/nowhere" }
        try Directory.create(at: gallery)
        try Directory.create(at: folder.appending("home"))
        try tree.write(to: gallery)
    }
}

// MARK: - Commands

extension ProgramFixture {
    /// Starts `gallery-sync` with the common options after `words`.
    func start(_ words: String...) throws -> GallerySyncProcess { try start(words) }

    func start(_ words: [String]) throws -> GallerySyncProcess {
        try GallerySyncProcess(Built.agent, words + common, environment: environment, writingTo: folder)
    }

    /// Runs `gallery-sync` to its end.
    func run(_ words: String...) async throws -> GallerySyncProcess.End { try await start(words).end() }

    func run(_ words: [String]) async throws -> GallerySyncProcess.End { try await start(words).end() }

    /// The same user on another computer without any state.
    func onAnotherMachine() -> ProgramFixture {
        var other = self
        other.machine = "other"
        other.common = ["--state-dir", other.state.display] + common.dropFirst(2)
        return other
    }

    /// Runs a shell script, with the program in `$AGENT` and the common options in `$COMMON`.
    func shell(_ script: String) throws -> GallerySyncProcess { try start(shell: ["sh", "-c", script]) }

    /// Runs a shell script as root of its own namespaces, with the common options in `$COMMON`.
    func unshared(_ script: String, mounts: Bool = false) throws -> GallerySyncProcess {
        try start(shell: ["unshare", mounts ? "-Urm" : "-Ur", "sh", "-c", script])
    }

    private func start(shell words: [String]) throws -> GallerySyncProcess {
        var variables = environment
        variables["COMMON"] = common.joined(separator: " ")
        variables["AGENT"] = Built.agent.display
        return try GallerySyncProcess("/usr/bin/env", words, environment: variables, writingTo: folder)
    }

    /// The report, as `status` prints it.
    func status() async throws -> Report {
        let end = try await run("status", "--json")
        guard end.exit == .exited(0) else { throw Unexpected(end: end) }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            ISO8601.date(try decoder.singleValueContainer().decode(String.self)) ?? .distantPast
        }
        return try decoder.decode(Report.self, from: Data(end.results.utf8))
    }

    /// Starts a watch, and returns when it has stored `count` files.
    func watch(storing count: Int) async throws -> GallerySyncProcess {
        let watch = try start("watch", gallery.display)
        try await eventually("the watch stores \(count) files") { try await status().assets.stored == count }
        return watch
    }

    /// Runs the body beside a watch, which is stopped at the end.
    func watching(storing count: Int, _ body: (GallerySyncProcess) async throws -> Void) async throws {
        let watch = try await watch(storing: count)
        do {
            try await body(watch)
        } catch {
            watch.signal(.kill)
            throw error
        }
        watch.signal(.terminate)
        _ = try await watch.end()
    }

    /// Restores everything into a fresh folder; returns its content.
    func restored() async throws -> FileTree {
        let target = folder.appending("restored-" + Randomness.bytes(4).hexadecimal)
        _ = try await run("restore", "--to", target.display)
        let root = target.appending("Pictures")
        return try FileFacts.existing(root) == nil ? FileTree() : FileTree(at: root)
    }
}

/// A command ended in an unexpected way.
struct Unexpected: Error {
    let end: GallerySyncProcess.End
}

/// Whether this machine permits a test to create namespaces.
enum Namespaces {
    static let areAllowed = works(["-Ur", "true"])
    static let canMount = works(["-Urm", "sh", "-c", "mount -t tmpfs none /mnt"])

    private static func works(_ words: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "60", "unshare"] + words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

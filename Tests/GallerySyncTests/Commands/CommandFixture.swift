import Output
import Platform
import Serving
import StorageServer
import Synchronization
import TestSupport

@testable import CommandLine
@testable import GallerySync

/// A temporary home directory in which commands are run.
struct CommandFixture {
    let recorded: RecordedStreams
    let home: FilePath
    /// Whether the current directory has been removed.
    var hasNoDirectory = false
    var environment: [String: String]
    /// The answers typed, in order; after the last one the input ends.
    var answers: [String]?
    /// The signal that comes at the question after the last answer, instead of the end of the input.
    var signal: Signal?

    init(answers: [String]? = nil) throws {
        recorded = try RecordedStreams()
        home = try recorded.directory.path.resolved().appending("home")
        try Directory.create(at: home.appending("Pictures"))
        environment = ["HOME": home.display]
        self.answers = answers
    }

    /// Runs `body` with a home that holds `files`, by their paths below it; the home is removed afterwards.
    static func with(
        _ files: KeyValuePairs<String, String> = [:], environment: [String: String] = [:],
        _ body: (CommandFixture) async throws -> Void
    ) async throws {
        var fixture = try CommandFixture()
        defer { fixture.remove() }
        for (path, text) in files { try fixture.write(text, to: fixture.home.appending(FilePath(path))) }
        fixture.environment.merge(environment) { $1 }
        try await body(fixture)
    }

    /// Runs a command line; the questions are recorded in `asked`.
    func run(_ line: String) async -> ExitCode { await run(line.split(separator: " ").map(String.init)) }

    /// Runs a command line until it ends, or a signal is raised.
    func run(_ line: String, heeding interruption: Interruption) async -> ExitCode {
        await run(line.split(separator: " ").map(String.init), heeding: interruption)
    }

    /// Runs a command whose words may have spaces.
    func run(_ words: [String], heeding interruption: Interruption = Interruption()) async -> ExitCode {
        let rest = Rest(answers ?? [])
        let surroundings = Surroundings(
            environment: environment, workingDirectory: hasNoDirectory ? nil : home, user: Host.userID,
            accountHome: nil,
            results: recorded.results, notes: recorded.notes, isInteractive: answers != nil,
            answer: { [signal] _ in
                if let answer = rest.next() { return answer }
                if let signal { _ = interruption.raise(signal) }
                // As a terminal does: nothing more is read until the question is given up.
                while signal != nil, !Task.isCancelled { await Task.yield() }
                return nil
            }, interruption: interruption, exit: { _ in fatalError("a test never exits") })
        return await Program.run(words.map { Array($0.utf8) }, in: surroundings)
    }

    /// Runs a command that goes on until a signal comes, which is raised once `body` has returned.
    ///
    /// - Parameters:
    ///   - body: Called with what it has written, once that is a whole line.
    func running(
        _ line: String, until signal: Signal = .terminate, _ body: (String) async throws -> Void
    ) async throws -> ExitCode {
        let interruption = Interruption()
        let surroundings = Surroundings(
            environment: environment, workingDirectory: hasNoDirectory ? nil : home, user: Host.userID,
            accountHome: nil,
            results: recorded.results, notes: recorded.notes, isInteractive: false, answer: { _ in nil },
            interruption: interruption, exit: { _ in fatalError("a test never exits") })
        let words = line.split(separator: " ").map { Array($0.utf8) }
        let before = try results
        let command = Task { await Program.run(words, in: surroundings) }
        do {
            try await body(
                eventually("\(line) writes a line", seen: { try? notes }) {
                    let said = try results.dropFirst(before.count)
                    return said.contains("\n") ? String(said) : nil
                })
        } catch {
            _ = interruption.raise(signal)
            throw error
        }
        _ = interruption.raise(signal)
        return try await withLimit("\(line) ends") { await command.value }
    }

    private final class Rest: Sendable {
        private let answers: Mutex<[String]>

        init(_ answers: [String]) { self.answers = Mutex(answers) }

        func next() -> String? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    /// What was written, with the home directory as HOME.
    var results: String { get throws { try recorded.resultText.replacing(home.display, with: "HOME") } }
    var notes: String { get throws { try recorded.noteText.replacing(home.display, with: "HOME") } }

    /// Below the home.
    static let configuration = ".config/gallery-sync/config.json5"
    var configurationPath: FilePath { home.appending(FilePath(Self.configuration)) }

    func configuration() throws -> String {
        String(decoding: try OpenFile(reading: configurationPath).readAll(), as: UTF8.self)
    }

    func write(_ text: String, to path: FilePath, mode: UInt32 = 0o600) throws {
        try Directory.create(at: path.parent)
        try OpenFile(creating: path, mode: mode).append(Array(text.utf8))
    }

    func remove() { recorded.directory.remove() }
}

extension CommandFixture {
    /// A storage server on this computer with its objects in the home, started; its key depends on `secret`.
    func storageServer(
        secret: Character = "1", port: UInt16 = 0, signIns: SignInRules = SignInRules()
    ) throws -> StorageServer {
        let server = try StorageServer(
            folder: home.appending("server"), secret: String(repeating: secret, count: 32),
            listening: [.loopback(port: port)], signIns: signIns)
        try server.start()
        return server
    }
}

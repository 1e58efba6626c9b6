import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

/// `gallery-sync serve` as a separate process that can be killed and restarted at its port.
final class StorageProcess: Sendable {
    /// The folder with the stored objects and the request log.
    let data: FilePath
    let port: Int
    let serviceKey: String
    let anonKey: String
    private let fixture: ProgramFixture
    private let process: Mutex<GallerySyncProcess>

    var url: String { "http://127.0.0.1:\(port)" }

    private struct Told: Decodable {
        let url: String
        let serviceKeyFile: String
        let anonKeyFile: String
    }

    /// Starts it for `fixture`; `rules` are fault rules in JSON5.
    init(_ fixture: ProgramFixture, rules: String = "") async throws {
        data = fixture.folder.appending("server")
        let first = try Self.start(fixture, port: 0, rules)
        let told = try await Self.told(by: first)
        port = try Int(told.url.split(separator: ":").last ?? "").orThrow()
        serviceKey = try Self.key(told.serviceKeyFile)
        anonKey = try Self.key(told.anonKeyFile)
        self.fixture = fixture
        process = Mutex(first)
    }

    /// Kills it, as a power cut would.
    func cut() async throws {
        let process = process.withLock { $0 }
        process.signal(.kill)
        _ = try await process.end()
    }

    /// Starts it again at its port, with other `rules`.
    func bringBack(rules: String = "") async throws {
        let next = try Self.start(fixture, port: port, rules)
        process.withLock { $0 = next }
        _ = try await Self.told(by: next)
    }

    /// The requests so far.
    var requests: Requests { get throws { try Requests(of: data) } }

    private static func start(_ fixture: ProgramFixture, port: Int, _ rules: String) throws -> GallerySyncProcess {
        let file = fixture.folder.appending("faults.json5")
        try OpenFile(creating: file).append(Array("{seed: 4, rules: [\(rules)]}".utf8))
        let words = [
            "serve", "--data", fixture.folder.appending("server").display, "--port", "\(port)", "--json", "--faults",
            file.display, "--state-dir", fixture.folder.appending("serve").display,
        ]
        return try GallerySyncProcess(
            Built.agent, words, environment: fixture.environment, writingTo: fixture.folder)
    }

    private static func told(by process: GallerySyncProcess) async throws -> Told {
        let decoder = JSONDecoder()
        var told: Told?
        try await eventually("it serves") {
            told = try? decoder.decode(Told.self, from: Data(try process.results.utf8))
            return told != nil
        }
        return try told.orThrow()
    }

    private static func key(_ file: String) throws -> String {
        String(decoding: try OpenFile(reading: FilePath(file)).readAll().filter { $0 > 0x20 }, as: UTF8.self)
    }
}

extension Optional {
    /// The value; throws, which ends the test, where there is none.
    func orThrow() throws -> Wrapped {
        guard let self else { throw NotThere(what: "a \(Wrapped.self)") }
        return self
    }
}

extension ProgramFixture {
    /// A fixture whose storage is `gallery-sync serve`, with fault rules in JSON5.
    static func served(
        _ tree: FileTree = [:], rules: String = "", _ body: (ProgramFixture, StorageProcess) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            var fixture = try ProgramFixture(folder.resolved(), tree, destination: [])
            let server = try await StorageProcess(fixture, rules: rules)
            fixture.common += ["--set", "destination.url=\(server.url)/"]
            fixture.environment["GALLERY_SYNC_KEY"] = server.serviceKey
            do {
                try await body(fixture, server)
            } catch {
                try await server.cut()
                throw error
            }
            try await server.cut()
        }
    }
}

import Foundation
import Platform
import TestSupport
import Testing

/// One process of a built program, with what it writes.
final class GallerySyncProcess: Sendable {
    /// How it ended, and what it wrote.
    struct End: Sendable {
        let exit: ChildProcess.ExitStatus
        /// Standard output.
        let results: String
        /// Standard error.
        let notes: String

        var code: Int32? { if case .exited(let code) = exit { code } else { nil } }
    }

    private let child: ChildProcess
    private let words: [String]
    private let outputs: (results: FilePath, notes: FilePath)

    /// Starts `program` with `words`; what it writes goes into files of `folder`.
    init(_ program: FilePath, _ words: [String], environment: [String: String], writingTo folder: FilePath) throws {
        self.words = words
        let name = "output-" + Randomness.bytes(6).hexadecimal
        outputs = (folder.appending(name + ".results"), folder.appending(name + ".notes"))
        let results = try OpenFile(creating: outputs.results)
        let notes = try OpenFile(creating: outputs.notes)
        child = try ChildProcess.spawn(
            program, arguments: words, environment: environment,
            descriptors: [1: results.descriptor, 2: notes.descriptor])
    }

    /// No process outlives the test that started it.
    deinit { child.kill() }

    var id: Int32 { child.id }

    func signal(_ signal: Signal) { child.kill(signal) }

    /// Whether the kernel holds it, as after `Signal.hold`.
    var isHeld: Bool {
        get throws { try text(FilePath("/proc/\(id)/status")).contains("\nState:\tT") }
    }

    /// How long it may take; not an assertion about speed, only a limit for the test.
    private static let limit = Duration.seconds(600) * Built.scale

    /// Waits for its end.
    func end() async throws -> End {
        let exit: ChildProcess.ExitStatus
        do {
            exit = try await child.end("\(words.prefix(3).joined(separator: " ")) ends", within: Self.limit)
        } catch {
            Issue.record("it wrote \((try? notes) ?? "nothing")")
            throw error
        }
        return End(exit: exit, results: try text(outputs.results), notes: try text(outputs.notes))
    }

    /// What it has written to standard output so far.
    var results: String { get throws { try text(outputs.results) } }
    /// What it has written to standard error so far.
    var notes: String { get throws { try text(outputs.notes) } }

    private func text(_ path: FilePath) throws -> String {
        String(decoding: try OpenFile(reading: path).readAll(), as: UTF8.self)
    }
}

/// The paths of the programs under test.
enum Built {
    /// `END_TO_END_PROGRAMS`, as `config/test.sh` sets it to test what ships; else those built beside the tests.
    static let folder = FilePath(Environment["END_TO_END_PROGRAMS"] ?? Bundle.main.bundleURL.path)
    static let agent = folder.appending("gallery-sync")

    /// Whether other users can run the program.
    static var isOpenToAll: Bool {
        var path = agent
        while !path.isEmpty, path != "/" {
            guard let facts = try? FileFacts(of: path), facts.mode & 0o001 != 0 else { return false }
            path = path.parent
        }
        return true
    }

    /// How many times larger than usual the tests are to be, from `END_TO_END_SCALE`.
    static let scale = max(1, Environment["END_TO_END_SCALE"].flatMap(Int.init) ?? 1)
}

/// Something that a test needs is missing.
struct NotThere: Error {
    let what: String
}

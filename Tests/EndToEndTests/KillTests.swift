import Foundation
import Platform
import Reporting
import TestSupport
import Testing

/// Kills the agent at random moments, and checks what is left.
@Suite struct KillTests {
    private static let names = (0..<60).map { "IMG \($0).jpg" }
    private static let tree = FileTree(
        Dictionary(
            uniqueKeysWithValues: names.map {
                (FilePath($0), .file(Array($0.utf8) + [UInt8](repeating: 1, count: 30_000)))
            }))

    /// Kills `words` after a random moment, unless it has ended before.
    private func kill(_ words: [String], _ fixture: ProgramFixture, _ random: inout SeededGenerator) async throws {
        let process = try fixture.start(words)
        // Only the moment of the kill is random here.
        try await Task.sleep(for: .milliseconds(Int.random(in: 50...900, using: &random)))
        process.signal(.kill)
        _ = try await process.end()
    }

    @Test func everyFileIsStoredOnceWhateverMomentTheAgentDies() async throws {
        try await ProgramFixture.remote(Self.tree) { fixture, _ in
            var random = SeededGenerator(seed: 11)
            let sync = ["sync", fixture.gallery.display]
            for _ in 0..<(5 * Built.scale) { try await kill(sync, fixture, &random) }
            for round in 0..<(4 * Built.scale) {
                try replace(round, in: fixture)
                try await kill(sync, fixture, &random)
            }
            #expect(try await fixture.run(sync).code == 0)
            try await kill(["reupload", "--all", "--force", "--yes"], fixture, &random)
            for _ in 0..<(2 * Built.scale) { try await kill(sync, fixture, &random) }
            #expect(try await fixture.run(sync).code == 0)

            #expect(try await fixture.restored() == FileTree(at: fixture.gallery))
            let report = try await fixture.status()
            #expect(report.assets == Report.Assets(stored: Self.names.count))
            #expect(report.queue.uploading == 0)
            let before = try Requests(of: fixture.folder.appending("server")).writes().count
            #expect(try await fixture.run(sync).code == 0)
            #expect(try Requests(of: fixture.folder.appending("server")).writes().count == before)
        }
    }

    /// New content for every tenth file: renamed over it, or written in place.
    private func replace(_ round: Int, in fixture: ProgramFixture) throws {
        for (number, name) in Self.names.enumerated() where number % 10 == round % 10 {
            let bytes = Array("\(name) again, round \(round)".utf8) + [UInt8](repeating: 2, count: 20_000 + round)
            let path = fixture.gallery.appending(name)
            if number % 20 < 10 {
                try OpenFile(creating: path).append(bytes)
            } else {
                try OpenFile(creating: fixture.folder.appending("new")).append(bytes)
                try Directory(fixture.folder).rename("new", to: FilePath("Pictures/" + name))
            }
        }
    }
}

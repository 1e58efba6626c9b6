import Cleansing
import Foundation
import Output
import Platform
import TestSupport
import Testing

@testable import GallerySync

/// File names with terminal control sequences, as every command shows them.
@Suite struct HostileNameTests {
    /// One document for one file; a line for each of several.
    @Test(arguments: [(["a"], 1), (["a", "b"], 2), (["a", "a", "none"], 3)])
    func theDecisionsAboutSeveralFilesAreLines(_ files: [String], count: Int) async throws {
        try await CommandFixture.with(["Pictures/a": "1", "Pictures/b": "2"]) { fixture async throws in
            #expect(
                await fixture.run("why --json " + files.map { "Pictures/\($0)" }.joined(separator: " ")) == .success)
            let results = try fixture.results
            let lines = count == 1 ? [results[...]] : results.split(separator: "\n")
            let paths = try lines.map { try JSONDecoder().decode(Named.self, from: Data($0.utf8)).path }
            #expect(paths == files.map { "HOME/Pictures/\($0)" })
        }
    }

    private struct Named: Decodable {
        let path: String
    }

    private static let name = "a\u{1B}[2J\u{9B}31m\u{202E}\u{61C}\u{E0041}\u{7}.jpg"
    private static let options = "--local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    @Test(arguments: [
        "status", "status --json", "queue list --json", "why Pictures/\(name)", "why --json Pictures/\(name)",
        "sync --dry-run Other", "sync --dry-run --json Other", "reupload --all --dry-run",
        "reupload --all --dry-run --json", "restore --to back --dry-run", "restore --to back --json",
        "restore --to taken", "verify", "prune", "prune --json", "sync None\(name)",
    ])
    func nothingSteersTheTerminal(command: String) async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        for place in ["Pictures", "Other"] {
            try fixture.write(place, to: fixture.home.appending(place).appending(Self.name))
        }
        // A different file that exists already is refused, which names it.
        try fixture.write("another", to: fixture.home.appending("taken/Pictures").appending(Self.name))
        #expect(await fixture.run("sync Pictures \(Self.options)") == .success)
        _ = await fixture.run("\(command) \(Self.options)")
        let text = try fixture.results + fixture.notes
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.steersText }, "\(text.debugDescription)")
    }

    /// A folder is named in more places than a file: as a root, in the configuration and in the keys.
    @Test(arguments: [
        "init \(name) --yes", "init --yes --bucket other", "config show", "config check", "sync", "sync --dry-run",
        "status",
        "status --json", "status --prometheus", "status --check", "why \(name)/a.jpg", "why \(name)",
        "why \(name)/b.jpg",
        "queue list", "queue cancel \(name)", "reupload \(name) --all --dry-run", "verify", "prune --root \(name)",
        "restore --to back --dry-run", "restore \(name) --to back", "restore /\(name) --to back", "link \(name)/a.jpg",
        "thumbnail \(name) -o \(name)/a.jpg", "serve --data \(name)/a.jpg", "jobs add \(name) x", "jobs cancel \(name)",
        "rescue \(name)", "rescue --from \(name)", "login --password-file \(name) --email a@b.c", "help \(name)",
        "status --html \(name)/a.jpg", "status --html \(name)/page.html", "help --man \(name)/man",
        "help --schemas \(name)/schemas", "init Pictures --local --yes --config \(name)/c.json5",
        "jobs add fal \(name)", "init nothing\(name)", "generate fal m --input \(name)/a.jpg",
    ])
    func nothingOfAFoldersNameSteersTheTerminal(command: String) async throws {
        let fixture = try CommandFixture()
        defer { fixture.remove() }
        try fixture.write("picture", to: fixture.home.appending(FilePath(Self.name)).appending("a.jpg"))
        #expect(await fixture.run("init \(Self.name) --local --yes") == .success)
        #expect(await fixture.run("sync \(Self.options)") == .success)
        _ = await fixture.run("\(command) \(Self.options)")
        let text = try fixture.results + fixture.notes
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.steersText }, "\(text.debugDescription)")
    }
}

import Catalog
import FoundationEssentials
import Output
import Platform
import Queue
import Testing

@testable import CommandLine
@testable import GallerySync

/// `sync --dry-run`, which reads the disk and the library and writes nothing.
@Suite struct DryRunTests {
    private static let rest = "--local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    private func fixture(_ body: (CommandFixture) async throws -> Void) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "Pictures/b/c.jpg": "four"], body)
    }

    /// What a command writes to standard output, line by line in the order of their bytes.
    private func lines(_ fixture: CommandFixture, _ line: String, _ code: ExitCode = .success) async throws -> [String]
    {
        let before = try fixture.results
        #expect(await fixture.run("\(line) \(Self.rest)") == code)
        return try fixture.results.dropFirst(before.count).split(separator: "\n").map(String.init).sorted()
    }

    @Test func beforeTheFirstSyncItListsEveryFileAndMakesNoState() async throws {
        try await fixture { fixture async throws in
            let lines = try await lines(fixture, "sync --dry-run Pictures")
            #expect(
                lines == [
                    "Pictures/a.jpg  3 B", "Pictures/b/c.jpg  4 B",
                    "Would look at 2 new or changed files, 7 B.",
                ])
            #expect(try FileFacts.existing(fixture.home.appending("state")) == nil)
        }
    }

    @Test func afterASyncItListsWhatIsNewOrChanged() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(try await lines(fixture, "sync --dry-run") == ["Would look at 0 new or changed files, 0 B."])
            try fixture.write(" and more", to: fixture.home.appending("Pictures/a.jpg"))
            try fixture.write("new", to: fixture.home.appending("Pictures/b/d.jpg"))
            #expect(
                try await lines(fixture, "sync --dry-run Pictures/b")
                    == ["Pictures/b/d.jpg  3 B", "Would look at 1 new or changed file, 3 B."])
            #expect(
                try await lines(fixture, "sync --dry-run") == [
                    "Pictures/a.jpg  9 B", "Pictures/b/d.jpg  3 B",
                    "Would look at 2 new or changed files, 12 B.",
                ])
        }
    }

    /// Although an agent answers it.
    @Test(arguments: ["reupload --all --dry-run", "reupload --missing --dry-run"])
    func aReuploadThatIsOnlyShownSendsNothing(_ line: String) async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("queue pause \(Self.rest)") == .success)
            #expect(await fixture.run("sync Pictures -q \(Self.rest) --set sync.patience=0s") == .temporary)
            #expect(await fixture.run("queue resume \(Self.rest)") == .success)
            #expect(await fixture.run("\(line) \(Self.rest)") == .success)
            let path = fixture.home.appending("state/state/default/library.sqlite")
            let counts = try await Library(path: path, isReadOnly: true).counts()
            #expect(counts[.queued] == 2 && counts[.stored] == 0)
        }
    }

    @Test func whatWaitsAlreadyIsCounted() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("queue pause \(Self.rest)") == .success)
            #expect(await fixture.run("sync Pictures -q \(Self.rest) --set sync.patience=0s") == .temporary)
            let none = "Would look at 0 new or changed files, 0 B"
            #expect(try await lines(fixture, "sync --dry-run") == ["\(none); 2 files, 7 B, wait already."])
            #expect(try await lines(fixture, "sync --dry-run Pictures/b") == ["\(none); 1 file, 4 B, waits already."])
            #expect(
                try await lines(fixture, "sync --dry-run --json")
                    .contains("], \"waiting\": {\"bytes\":7,\"files\":2}}"))
        }
    }

    private struct Document: Decodable, Equatable {
        struct File: Decodable, Hashable {
            let path: String
            let size: Int64
        }
        let schema: String
        let files: Set<File>
    }

    private func document(_ fixture: CommandFixture) async throws -> Document {
        let before = try fixture.results
        #expect(await fixture.run("sync --dry-run Pictures --json \(Self.rest)") == .success)
        return try JSONDecoder().decode(Document.self, from: Data(fixture.results.utf8.dropFirst(before.utf8.count)))
    }

    @Test func itsDocumentIsWholeWhateverTheCountOfFiles() async throws {
        try await fixture { fixture async throws in
            let schema = "gallery-sync/preview/1"
            let files: Set = [
                Document.File(path: "Pictures/a.jpg", size: 3), Document.File(path: "Pictures/b/c.jpg", size: 4),
            ]
            #expect(try await document(fixture) == Document(schema: schema, files: files))
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(try await document(fixture) == Document(schema: schema, files: []))
        }
    }

    @Test func newRootsAreNamedAsASyncWouldNameThem() async throws {
        try await fixture { fixture async throws in
            try fixture.write("two", to: fixture.home.appending("Other/Pictures/a.jpg"))
            let dry = try await lines(fixture, "sync --dry-run Pictures Other/Pictures").filter {
                $0.contains(".jpg")
            }
            #expect(
                dry == ["Pictures-2/a.jpg  3 B", "Pictures/a.jpg  3 B", "Pictures/b/c.jpg  4 B"])
            #expect(await fixture.run("sync Pictures Other/Pictures -q \(Self.rest)") == .success)
            #expect(await fixture.run("why Other/Pictures/a.jpg \(Self.rest)") == .success)
            #expect(try fixture.results.contains("Pictures-2/a.jpg"))
        }
    }

    /// A directory that is none, one of the program's own, one above a known root, and none at all.
    @Test(arguments: ["None", "Pictures/a.jpg", "state/storage", ".", ""])
    func whatASyncRefusesIsRefusedInTheSameWords(path: String) async throws {
        try await fixture { fixture async throws in
            if !path.isEmpty { #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success) }
            var said: [String?] = []
            for command in ["sync", "sync --dry-run"] {
                let before = try fixture.notes
                #expect(await fixture.run("\(command) \(path) \(Self.rest)") == .usage)
                // A sync of an empty profile makes the bucket first, and says so.
                said.append(try fixture.notes.dropFirst(before.count).split(separator: "\n").last.map(String.init))
            }
            #expect(said[0] == said[1])
            #expect(said[0] != nil)
        }
    }

    @Test func aConfiguredFolderThatWasNeverThereKeepsNoOtherFromBeingShown() async throws {
        try await fixture { fixture async throws in
            let roots = "--set roots=[\"\(fixture.home.display)/Usb\",\"\(fixture.home.display)/Pictures\"]"
            #expect(
                try await lines(fixture, "sync --dry-run \(roots)", .temporary) == [
                    "Pictures/a.jpg  3 B", "Pictures/b/c.jpg  4 B", "Would look at 2 new or changed files, 7 B.",
                ])
            #expect(try fixture.notes.contains("HOME/Usb is not there"))
        }
    }

    @Test func aRootThatIsAwayIsSaidAfterTheFilesOfTheOthers() async throws {
        try await fixture { fixture async throws in
            try fixture.write("two", to: fixture.home.appending("Other/d.jpg"))
            #expect(await fixture.run("sync Pictures Other -q \(Self.rest)") == .success)
            try Directory(fixture.home).rename("Pictures", to: "Elsewhere")
            try fixture.write("three", to: fixture.home.appending("Other/e.jpg"))
            #expect(
                try await lines(fixture, "sync --dry-run", .temporary)
                    == ["Other/e.jpg  5 B", "Would look at 1 new or changed file, 5 B."])
            #expect(try fixture.notes.contains("HOME/Pictures is not there"))
        }
    }
}

import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// A folder that lies where the program keeps a file, as a copy that went wrong leaves one.
@Suite struct DamagedStateTests {
    private static let next = "A folder lies in the place of a file: move it away, then run this again."

    @Test(arguments: [
        ("queue.json", "sync Pictures --local"), ("queue.json", "queue list"), ("jobs.json", "jobs list"),
        ("library.sqlite", "status"), ("library.sqlite", "sync Pictures --local"),
        ("library.sqlite", "why Pictures/a.jpg"),
        ("lock", "sync Pictures --local"),
    ])
    func aFolderInPlaceOfAFileIsNamedWithWhatToDo(name: String, line: String) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            try Directory.create(at: fixture.home.appending(FilePath("state/state/default/\(name)")))
            #expect(await fixture.run("\(line) --state-dir state") == .disk)
            let notes = try fixture.notes
            #expect(notes.contains("HOME/state/state/default/\(name): Is a directory. \(Self.next)\n"), "\(notes)")
        }
    }

    @Test func oneInPlaceOfTheConfigurationIsToo() async throws {
        try await CommandFixture.with { fixture async throws in
            try Directory.create(at: fixture.configurationPath)
            #expect(await fixture.run("status") == .configuration)
            let notes = try fixture.notes
            #expect(
                notes == "gallery-sync: HOME/\(CommandFixture.configuration) cannot be read: Is a directory. "
                    + "\(Self.next)\n", "\(notes)")
        }
    }
}

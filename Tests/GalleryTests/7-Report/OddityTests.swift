import Configuration
import Database
import Gallery
import Platform
import Reporting
import TestSupport
import Testing

/// Files that are stored, and that the page shows a note about.
@Suite struct OddityTests {
    private static let jpeg: FileTree.Node = .file([0xFF, 0xD8, 0xFF, 0xE0])

    private static func notes(of tree: FileTree, _ depth: Reporter.Depth) async throws -> [String] {
        var notes: [String] = []
        try await AgentFixture.with(tree) { fixture in
            notes = try await fixture.run { agent in
                _ = try await agent.sync([fixture.gallery])
                return try await agent.report(depth).notes
            }
        }
        return notes
    }

    @Test(
        arguments: [
            (["right.jpg": jpeg], []),
            (["b.png": jpeg], ["Named like PNG, but it is JPEG: Pictures/b.png"]),
            (
                ["sub": .directory(["b.png": jpeg]), "a.png": jpeg, "c.png": jpeg, "empty.gif": .file([])],
                [
                    "Named like PNG, but it is JPEG: 3 files, such as Pictures/a.png",
                    "The file is empty: Pictures/empty.gif",
                ]
            ),
        ] as [([FilePath: FileTree.Node], [String])])
    func thePageSaysWhatIsOdd(nodes: [FilePath: FileTree.Node], sentences: [String]) async throws {
        #expect(try await Self.notes(of: FileTree(nodes), .page) == sentences)
    }

    /// File systems know later times than can be kept; such a file gets the latest that can.
    @Test func aTimeThatCannotBeKeptIsNoted() async throws {
        try await AgentFixture.with(["a.jpg": Self.jpeg]) { fixture in
            try OpenFile(reading: fixture.gallery.appending("a.jpg")).setModified(.latest)
            let notes = try await fixture.run { agent in
                _ = try await agent.sync([fixture.gallery])
                return try await agent.report(.page).notes
            }
            #expect(
                notes == [
                    "Its time is not between 1677 and 2262 and cannot be kept: what is restored gets the nearest that can"
                        + ": Pictures/a.jpg"
                ])
        }
    }

    /// What looks at the counts often has no use for it.
    @Test func theCountsLeaveItOut() async throws {
        #expect(try await Self.notes(of: FileTree(["b.png": Self.jpeg]), .counts) == [])
    }

    /// Each file may have words of its own, so a text has the first ten of them.
    @Test(arguments: [(10, []), (12, ["And 2 more: see \"gallery-sync status --json\""])])
    func aTextNamesTheFirst(files: Int, more: [String]) async throws {
        let names = (10..<10 + files).map { "\($0).jpg" }
        let tree = FileTree(Dictionary(uniqueKeysWithValues: names.map { (FilePath($0), Self.jpeg) }))
        let sentences = names.map { "No thumbnail: \($0): Pictures/\($0)" }
        try await AgentFixture.with(tree) { fixture in
            _ = try await fixture.sync()
            try Connection(path: fixture.locations.library.display).execute(
                "UPDATE assets SET note = 'No thumbnail: ' || CAST(name AS TEXT)")
            let notes = try await fixture.run(.steering) { agent in
                (try await agent.report(.summary).notes, try await agent.report(.details).notes)
            }
            #expect(notes.0 == sentences.prefix(10) + more)
            #expect(notes.1 == sentences)
        }
    }
}

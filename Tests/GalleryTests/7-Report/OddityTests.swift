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

    /// Counting them reads every asset, which takes too long for a status of 30 ms.
    @Test func theSummaryLeavesItOut() async throws {
        #expect(try await Self.notes(of: FileTree(["b.png": Self.jpeg]), .summary) == [])
    }
}

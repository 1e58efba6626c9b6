import Platform
import TestSupport
import Testing

@Suite struct DirectoryRemovalTests {
    @Test func aTreeGoesWithAllInItAndASymlinkGoesAlone() async throws {
        let tree: FileTree = ["gone": ["a": "x", "deep": ["b": "y"]], "stays": ["c": "z"]]
        try await tree.withDirectory { root in
            try Directory(root).createLink("gone/link", to: "../stays")
            try Directory.removeTree(at: root.appending("gone"))
            #expect(try FileTree(at: root) == ["stays": ["c": "z"]])
        }
    }

    @Test func nothingHappensWhereNothingIs() throws {
        try Directory.removeTree(at: "/nonexistent/tree")
    }
}

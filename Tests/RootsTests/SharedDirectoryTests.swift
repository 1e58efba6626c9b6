import Platform
import Roots
import TestSupport
import Testing

/// Directories that have files in common though their paths do not show it.
@Suite struct SharedDirectoryTests {
    private static let tree: FileTree = [
        "P": ["in": ["a.jpg": "one"]], "L": .symlink(to: "P"), "I": .symlink(to: "P/in"), "other": [:],
        "nowhere": .symlink(to: "gone"),
    ]

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: FilePath
        let others: [FilePath]
        var relation: SharedDirectory.Relation?
    }

    @Test(arguments: [
        Row(testDescription: "a symlink to the other", path: "L", others: ["other", "P"], relation: .same),
        Row(testDescription: "the target of the other", path: "P", others: ["L"], relation: .same),
        Row(testDescription: "a symlink into the other", path: "I", others: ["P"], relation: .inside("in")),
        Row(testDescription: "inside the other's target", path: "P/in", others: ["L"], relation: .inside("in")),
        Row(testDescription: "around the other's target", path: "P", others: ["I"], relation: .around),
        Row(testDescription: "another directory", path: "other", others: ["P", "L", "I"]),
        Row(testDescription: "what is not there", path: "nowhere", others: ["P"]),
        Row(testDescription: "others that are not there", path: "P", others: ["nowhere", "gone"]),
        Row(testDescription: "what the paths show", path: "P/in", others: ["P", "P/in", "P/in/x"]),
    ])
    func isFoundByItsDirectory(_ row: Row) async throws {
        try await Self.tree.withDirectory { folder in
            let shared = SharedDirectory(folder.appending(row.path), among: row.others.map { folder.appending($0) })
            #expect(shared?.relation == row.relation)
        }
    }

    @Test func namesBothDirectories() async throws {
        try await Self.tree.withDirectory { folder in
            let shared = SharedDirectory(folder.appending("I"), among: [folder.appending("P")])
            #expect(
                shared?.description == "\(folder)/I lies inside \(folder)/P, by another path, and its files would be "
                    + "stored twice: name one of the two as a root")
        }
    }
}

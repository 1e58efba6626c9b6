import Platform
import TestSupport
import Testing

@Suite struct DirectoryEvictionTests {
    /// Five bytes each, the oldest first.
    private static let names = ["old", "deep/older", "new"]

    @Test(arguments: [
        Fact("nothing goes while all fit", (beyond: 15, to: 0), ["deep/older", "new", "old"]),
        Fact("the oldest goes first", (beyond: 14, to: 14), ["deep/older", "new"]),
        Fact("more than necessary may go", (beyond: 14, to: 9), ["new"]),
        Fact("all go for a limit of nothing", (beyond: 0, to: 0), []),
    ])
    func theOldestFilesAreRemoved(_ fact: Fact<(beyond: Int64, to: Int64), [String]>) async throws {
        let tree: FileTree = ["old": "12345", "deep": ["older": "12345"], "new": "12345"]
        try await tree.withDirectory { root in
            for (age, name) in Self.names.enumerated() {
                let file = try OpenFile(reading: root.appending(name))
                try file.setModified(FileTime(nanoseconds: Int64(1 + age) * 1_000_000_000))
            }
            let (left, freed) = try Directory(root).evict(beyond: fact.input.beyond, to: fact.input.to)
            let stay = try Self.names.filter { try FileFacts.existing(root.appending($0)) != nil }.sorted()
            #expect(stay == fact.output)
            #expect(left == Int64(5 * stay.count))
            #expect(freed == 15 - left)
        }
    }
}

import Platform
import TestSupport
import Testing

@testable import Demonstration

/// What `demo` says of a restore: whether the copy is the original.
@Suite struct TreeComparisonTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let copy: FileTree
        /// The file of the copy whose time is a nanosecond later.
        var later: FilePath?
        let same: Int
        let bytes: Int64
        var differences: [String] = []
    }

    private static let original: FileTree = ["a.jpg": "one", "sub": ["b.jpg": "three"], "left-out.txt": "x"]

    @Test(arguments: [
        Row(testDescription: "the same", copy: ["a.jpg": "one", "sub": ["b.jpg": "three"]], same: 2, bytes: 8),
        Row(
            testDescription: "nothing was restored", copy: [:], same: 0, bytes: 0,
            differences: ["a.jpg is missing", "sub/b.jpg is missing"]),
        Row(
            testDescription: "in another folder", copy: ["a.jpg": "one", "b.jpg": "three"], same: 1, bytes: 3,
            differences: ["sub/b.jpg is missing", "b.jpg is only in the copy"]),
        Row(
            testDescription: "a file that does not count was restored",
            copy: ["a.jpg": "one", "sub": ["b.jpg": "three"], "left-out.txt": "x"], same: 2, bytes: 8,
            differences: ["left-out.txt is only in the copy"]),
        Row(
            testDescription: "a byte is missing", copy: ["a.jpg": "on", "sub": ["b.jpg": "three"]], same: 1, bytes: 5,
            differences: ["a.jpg has another size"]),
        Row(
            testDescription: "a byte is another one", copy: ["a.jpg": "onf", "sub": ["b.jpg": "three"]], same: 1,
            bytes: 5, differences: ["a.jpg has other bytes"]),
        Row(
            testDescription: "a nanosecond", copy: ["a.jpg": "one", "sub": ["b.jpg": "three"]], later: "sub/b.jpg",
            same: 1, bytes: 3, differences: ["sub/b.jpg has another time"]),
        Row(
            testDescription: "another file altogether", copy: ["a.jpg": "one", "sub": ["b.jpg": "3"]],
            later: "sub/b.jpg",
            same: 1, bytes: 3, differences: ["sub/b.jpg has another time and another size"]),
    ])
    func eachDifferenceIsNamed(row: Row) async throws {
        try await FileTree(["original": .directory(Self.original), "copy": .directory(row.copy)]).withDirectory {
            folder in
            let copy = folder.appending("copy")
            for tree in [folder.appending("original"), copy] {
                for path in ["a.jpg", "b.jpg", "sub/b.jpg", "left-out.txt"] as [FilePath] {
                    let nanoseconds: Int64 = tree == copy && path == row.later ? 1_000_000_001 : 1_000_000_000
                    guard try FileFacts.existing(tree.appending(path)) != nil else { continue }
                    try OpenFile(reading: tree.appending(path)).setModified(FileTime(nanoseconds: nanoseconds))
                }
            }
            let comparison = try TreeComparison(folder.appending("original"), with: copy) { $0 != "left-out.txt" }
            #expect(comparison.same == row.same && comparison.bytes == row.bytes)
            #expect(Set(comparison.differences) == Set(row.differences))
        }
    }
}

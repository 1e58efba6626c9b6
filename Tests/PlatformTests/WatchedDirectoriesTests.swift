import TestSupport
import Testing

@testable import Platform

@Suite struct WatchedDirectoriesTests {
    static let all: [FilePath: Int32] = ["": 1, "a": 2, "a/b": 3, "a/b/c": 4, "d": 5]

    /// a, a/b, a/b/c and d, watched as 2 to 5 below the root 1.
    static func tree() -> WatchedDirectories {
        var tree = WatchedDirectories()
        for (watch, path) in [(1, ""), (2, "a"), (3, "a/b"), (4, "a/b/c"), (5, "d")] as [(Int32, FilePath)] {
            #expect(tree.insert(watch, at: path) == [])
        }
        return tree
    }

    @Test func watchesHavePathsAndPathsWatches() {
        let tree = Self.tree()
        #expect(tree.path(of: 1) == "")
        #expect(tree.path(of: 4) == "a/b/c")
        #expect(tree.watch(at: "a/b") == 3)
        #expect(tree.watch(at: "") == 1)
        #expect(tree.path(of: 9) == nil)
        #expect(tree.watch(at: "a/x") == nil)
        #expect(tree.count == 5)
    }

    @Test func removalTakesAllBelow() {
        var tree = Self.tree()
        #expect(Set(tree.remove(2)) == [2, 3, 4])
        #expect(tree.watch(at: "a") == nil)
        #expect(tree.path(of: 4) == nil)
        #expect(tree.watches == [1, 5])
        #expect(tree.remove(2) == [])
    }

    struct Insertion: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let watch: Int32
        let path: FilePath
        let gone: Set<Int32>
        /// All that is watched afterwards.
        let paths: [FilePath: Int32]

        init(_ fact: String, _ watch: Int32, _ path: FilePath, gone: Set<Int32> = [], _ paths: [FilePath: Int32]) {
            testDescription = fact
            (self.watch, self.path, self.gone, self.paths) = (watch, path, gone, paths)
        }
    }

    @Test(arguments: [
        Insertion(
            "a new directory is one more", 9, "d/e", ["": 1, "a": 2, "a/b": 3, "a/b/c": 4, "d": 5, "d/e": 9]),
        Insertion("the same directory at its place changes nothing", 3, "a/b", Self.all),
        Insertion("the root at its place changes nothing", 1, "", Self.all),
        Insertion(
            "one found elsewhere moves with all below", 3, "d/moved",
            ["": 1, "a": 2, "d": 5, "d/moved": 3, "d/moved/c": 4]),
        Insertion(
            "one found under another name moves with all below", 2, "z",
            ["": 1, "z": 2, "z/b": 3, "z/b/c": 4, "d": 5]),
        Insertion(
            "another of the same name takes the place, and what was below goes", 9, "a/b", gone: [3, 4],
            ["": 1, "a": 2, "a/b": 9, "d": 5]),
        Insertion(
            "one that moves onto another takes its place and brings what is below", 3, "d", gone: [5],
            ["": 1, "a": 2, "d": 3, "d/c": 4]),
        Insertion(
            "one that moves onto the one around it stays watched", 4, "a/b", gone: [3],
            ["": 1, "a": 2, "a/b": 4, "d": 5]),
        Insertion(
            "one that moves onto the one around that as well", 4, "a", gone: [2, 3], ["": 1, "a": 4, "d": 5]),
        // Of two renames only part of the outcome is seen: pending events bring the rest.
        Insertion("below a child of its own it is watched no more", 2, "a/b/x", gone: [2, 3, 4], ["": 1, "d": 5]),
        Insertion("nor deeper below itself", 2, "a/b/c/x", gone: [2, 3, 4], ["": 1, "d": 5]),
        Insertion("nor directly below itself", 2, "a/x", gone: [2, 3, 4], ["": 1, "d": 5]),
        Insertion("what hangs nowhere is not taken in", 9, "x/y", gone: [9], Self.all),
        Insertion(
            "a known one that hangs nowhere goes with all below", 2, "x/y", gone: [2, 3, 4], ["": 1, "d": 5]),
    ])
    func whatIsFoundHasOnePlace(_ row: Insertion) {
        var tree = Self.tree()
        #expect(Set(tree.insert(row.watch, at: row.path)) == row.gone)
        #expect(tree.watches.sorted() == row.paths.values.sorted() && tree.count == row.paths.count)
        for (path, watch) in row.paths { #expect(tree.path(of: watch) == path && tree.watch(at: path) == watch) }
        for watch in row.gone { #expect(tree.path(of: watch) == nil) }
        for path in Self.all.keys where row.paths[path] == nil { #expect(tree.watch(at: path) == nil, "\(path)") }
    }

    @Test func whatTookAPlaceKeepsItWhenFoundThereAgain() {
        var tree = Self.tree()
        _ = tree.insert(9, at: "a/b")
        #expect(tree.insert(9, at: "a/b") == [] && tree.count == 4)
    }
}

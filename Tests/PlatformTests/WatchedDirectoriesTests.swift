import TestSupport
import Testing

@testable import Platform

@Suite struct WatchedDirectoriesTests {
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

    @Test func aWatchFoundElsewhereMovesWithAllBelow() {
        var tree = Self.tree()
        #expect(tree.insert(3, at: "d/moved") == [])
        #expect(tree.path(of: 4) == "d/moved/c")
        #expect(tree.watch(at: "a/b") == nil)
        #expect(tree.count == 5)
    }

    @Test func anotherDirectoryOfTheSameNameTakesThePlace() {
        var tree = Self.tree()
        #expect(Set(tree.insert(9, at: "a/b")) == [3, 4])
        #expect(tree.path(of: 9) == "a/b")
        #expect(tree.insert(9, at: "a/b") == [])
        #expect(tree.count == 4)
    }

    /// Of two renames only part of the outcome is seen: pending events bring the rest.
    @Test(arguments: ["a/b/x", "a/b/c/x", "a/x"] as [FilePath])
    func aDirectoryFoundBelowItselfIsWatchedNoMore(path: FilePath) {
        var tree = Self.tree()
        #expect(Set(tree.insert(2, at: path)) == [2, 3, 4])
        #expect(tree.watches == [1, 5])
        #expect([2, 3, 4].allSatisfy { tree.path(of: $0) == nil })
    }

    @Test func aDirectoryThatTakesThePlaceOfTheOneAroundItStaysWatched() {
        var tree = Self.tree()
        #expect(tree.insert(4, at: "a/b") == [3])
        #expect(tree.path(of: 4) == "a/b")
        #expect(tree.watches == [1, 2, 4, 5])
    }

    @Test func whatHangsNowhereIsNotTakenIn() {
        var tree = Self.tree()
        #expect(tree.insert(9, at: "x/y") == [9])
        #expect(tree.path(of: 9) == nil)
        #expect(tree.count == 5)
    }
}

import Glibc
import Platform
import TestSupport
import Testing

@Suite struct FileLockTests {
    @Test func aSecondLockIsRefusedUntilTheFirstIsLetGo() async throws {
        try await FileTree().withDirectory { root in
            let path = root.appending("lock")
            var first = try FileLock.acquire(path, contents: Array("first".utf8))
            #expect(first != nil)
            #expect(try FileLock.acquire(path, contents: Array("second".utf8)) == nil)
            #expect(try FileLock.holder(path) == Array("first".utf8))
            try first?.write(Array("1".utf8))
            #expect(try FileLock.holder(path) == Array("1".utf8))
            first = nil
            // A child that another test starts holds the lock, too, until its exec.
            try await eventually("the lock is free") { try FileLock.holder(path) == nil }
            #expect(try FileLock.acquire(path) != nil)
        }
    }

    @Test func noFileMeansNoHolder() async throws {
        try await FileTree().withDirectory { root throws in
            #expect(try FileLock.holder(root.appending("lock")) == nil)
            #expect(try FileTree(at: root) == [:])
        }
    }

    @Test func askingForTheHolderDoesNotKeepOthersOut() async throws {
        try await FileTree(["lock": ""]).withDirectory { root in
            let path = root.appending("lock")
            try await withThrowingTaskGroup { group in
                group.addTask { try await Blocking.run { for _ in 0..<2000 { _ = try FileLock.holder(path) } } }
                for _ in 0..<50 { #expect(try FileLock.acquire(path) != nil) }
                try await group.waitForAll()
            }
        }
    }

    @Test func anOpenFileIsLockedUntilItIsLetGo() async throws {
        try await FileTree(["a": "x"]).withDirectory { root in
            let directory = try Directory(root)
            var first: OpenFile? = try directory.open(writing: "a")
            #expect(try first?.lock() == true)
            #expect(try first?.lock() == true)
            let second = try directory.open(writing: "a")
            #expect(try !second.lock())
            first = nil
            try await eventually("no child of another test holds the lock") { try second.lock() }
        }
    }

    @Test func aDirectoryThatIsMissingIsAnError() {
        #expect(throws: SystemError.self) { try FileLock.acquire("/nowhere/lock") }
    }
}

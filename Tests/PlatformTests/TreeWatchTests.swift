import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(5))) struct TreeWatchTests {
    /// Events from the start of the watch up to the first that `isLast` accepts, or to their end.
    private func events(
        of watch: TreeWatch, until isLast: @escaping @Sendable (WatchEvent) throws -> Bool = { _ in false }
    ) async throws -> [WatchEvent] {
        let seen = Shared<[WatchEvent]>([])
        try await withLimit("the last event of a watch", seen: { "\(seen.value.suffix(5))" }) {
            for await event in watch.events {
                seen.change { $0.append(event) }
                if try isLast(event) { break }
            }
        }
        watch.stop()
        return seen.value
    }

    @Test func aFileIsModifiedWhileOpenAndWrittenWhenClosed() async throws {
        let tree: FileTree = ["sub": [:]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            try OpenFile(creating: root.appending("sub/a.jpg")).append([1])
            let seen = try await events(of: watch) { $0 == .written("sub/a.jpg") }
            #expect(seen.first == .modified("sub/a.jpg"))
        }
    }

    @Test func aFileRenamedInIsWritten() async throws {
        let tree: FileTree = ["sub": [:], ".part": "x"]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { $0.name.first != UInt8(ascii: ".") }
            try Directory(root).rename(".part", to: "sub/a.jpg")
            #expect(try await events(of: watch) { $0 == .written("sub/a.jpg") } == [.written("sub/a.jpg")])
        }
    }

    @Test func aDirectoryThatAppearsIsWatchedBeforeItIsTold() async throws {
        // Moved in by a rename, so that everything is there with the first event.
        try await FileTree(["outside": ["b": [:]], "root": [:]]).withDirectory { parent in
            let root = parent.appending("root")
            let watch = try TreeWatch(root: root) { _ in true }
            try Directory(parent).rename("outside", to: "root/a")
            let seen = try await events(of: watch) { event in
                if event == .directoryAppeared("a") { try OpenFile(creating: root.appending("a/b/c.jpg")).append([1]) }
                return event == .written("a/b/c.jpg")
            }
            #expect(seen.first == .directoryAppeared("a"))
        }
    }

    @Test func aDirectoryRenamedInsideIsWatchedUnderItsNewName() async throws {
        let tree: FileTree = ["old": ["deep": [:]]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            try Directory(root).rename("old", to: "new")
            let seen = try await events(of: watch) { event in
                if event == .directoryAppeared("new") {
                    try OpenFile(creating: root.appending("new/deep/c.jpg")).append([1])
                }
                return event == .written("new/deep/c.jpg")
            }
            #expect(seen.prefix(2) == [.directoryVanished("old"), .directoryAppeared("new")])
        }
    }

    @Test func aRemovedFileIsTold() async throws {
        let tree: FileTree = ["a.jpg": "x"]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            try Directory(root).remove(file: "a.jpg")
            #expect(try await events(of: watch) { $0 == .removed("a.jpg") } == [.removed("a.jpg")])
        }
    }

    @Test func nothingIsToldOfADirectoryNotEntered() async throws {
        let tree: FileTree = [".hidden": [:], "seen": [:]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { $0.name.first != UInt8(ascii: ".") }
            try OpenFile(creating: root.appending(".hidden/a.jpg")).append([1])
            try Directory(root).createDirectories(".also")
            try OpenFile(creating: root.appending("seen/b.jpg")).append([1])
            let seen = try await events(of: watch) { $0 == .written("seen/b.jpg") }
            #expect(seen.allSatisfy { $0 == .modified("seen/b.jpg") || $0 == .written("seen/b.jpg") })
        }
    }

    @Test func aRootThatGoesAwayEndsTheEvents() async throws {
        let tree: FileTree = ["root": ["a.jpg": "x"]]
        try await tree.withDirectory { parent in
            let watch = try TreeWatch(root: parent.appending("root")) { _ in true }
            try Directory(parent).rename("root", to: "elsewhere")
            #expect(try await events(of: watch) == [.rootVanished])
        }
    }

    @Test func aStoppedWatchEndsItsEvents() async throws {
        try await FileTree().withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            watch.stop()
            #expect(try await events(of: watch).isEmpty)
        }
    }

    @Test func aRootThatIsNotThereIsAnError() {
        let error = #expect(throws: SystemError.self) { try TreeWatch(root: "/nonexistent/root") { _ in true } }
        #expect(error?.isMissing == true)
    }

    @Test func aDirectoryMovedOutIsWatchedNoMore() async throws {
        let tree: FileTree = ["root": ["d": ["deep": [:]], "other": [:]]]
        try await tree.withDirectory { parent in
            let watch = try TreeWatch(root: parent.appending("root")) { _ in true }
            try Directory(parent).rename("root/d", to: "outside")
            let seen = try await events(of: watch) { event in
                if event == .directoryVanished("d") {
                    try OpenFile(creating: parent.appending("outside/deep/a")).append([1])
                    try OpenFile(creating: parent.appending("root/other/b")).append([1])
                }
                return event == .written("other/b")
            }
            #expect(Set(seen) == [.directoryVanished("d"), .modified("other/b"), .written("other/b")])
        }
    }

    @Test func aRootWhoseParentIsRenamedAwayVanished() async throws {
        try await FileTree(["above": ["root": [:]]]).withDirectory { base in
            let watch = try TreeWatch(root: base.appending("above/root")) { _ in true }
            try Directory(base).rename("above", to: "elsewhere")
            #expect(try await events(of: watch) == [.rootVanished])
        }
    }

    @Test func aSecondNameAndAnotherTimeAreModifications() async throws {
        try await FileTree(["a": "x"]).withDirectory { root in
            let watch = try TreeWatch(root: root) { $0 != "a" }
            try Directory(root).link("a", to: "b")
            #expect(try await events(of: watch) { $0 == .modified("b") } == [.modified("b")])
            let second = try TreeWatch(root: root) { _ in true }
            try OpenFile(reading: root.appending("b")).setModified(FileTime(nanoseconds: 5))
            #expect(try await events(of: second) { $0 == .modified("b") } == [.modified("b")])
        }
    }

    @Test func aBurstOfFilesIsToldWhole() async throws {
        try await FileTree().withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            let files = (0..<2000).map { FilePath("d/e/\($0)") }
            try Directory(root).createDirectories("d/e")
            for file in files { try OpenFile(creating: root.appending(file)).append([1]) }
            try OpenFile(creating: root.appending("last")).append([1])
            let seen = try await events(of: watch) { $0 == .written("last") }
            // A scan of the new directory finds what was made before the watch on it.
            let written = seen.compactMap { if case .written(let path) = $0 { path } else { nil } }
            #expect(seen.contains(.directoryAppeared("d")) || seen.contains(.directoryAppeared("d/e")))
            #expect(Set(written).subtracting(files) == ["last"])
            #expect(!seen.contains(.overflow))
        }
    }

    @Test func anOverflowIsToldAndWhatIsThereIsWatched() async throws {
        let most = String(
            decoding: try OpenFile(reading: "/proc/sys/fs/inotify/max_queued_events").readAll(), as: UTF8.self)
        let count = try #require(Int(most.dropLast()))
        try await FileTree(["d": ["0": "x"]]).withDirectory { root in
            // The watch's thread stops at the first event until the kernel's queue has overflowed.
            let gate = Monitor((isReached: false, isOpen: false))
            let watch = try TreeWatch(root: root) { path in
                guard path == "first" else { return true }
                gate.withLock { $0.isReached = true }
                gate.broadcast()
                return gate.wait(seconds: 100, while: { !$0.isOpen }) { _ in true }
            }
            try OpenFile(creating: root.appending("first")).append([1])
            try await eventually("the watch's thread is at the gate") { gate.withLock { $0.isReached } }
            // Each rename is two events.
            let directory = try Directory(root.appending("d"))
            for number in 0...(count / 2) {
                try directory.rename(FilePath("\(number % 2)"), to: FilePath("\((number + 1) % 2)"))
            }
            try Directory(root).rename("d", to: "e")
            gate.withLock { $0.isOpen = true }
            gate.broadcast()
            let seen = try await events(of: watch) { event in
                if event == .overflow { try OpenFile(creating: root.appending("e/after")).append([1]) }
                return event == .written("e/after")
            }
            #expect(seen.contains(.overflow))
        }
    }

    @Test func aUsedUpLimitIsToldOnce() async throws {
        let tree: FileTree = ["a": ["x": [:], "y": [:]], "b": [:], "c": [:], "d": [:]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root, notify: try Inotify(limit: 3)) { _ in true }
            try OpenFile(creating: root.appending("seen")).append([1])
            let seen = try await events(of: watch) { $0 == .written("seen") }
            let limits = seen.compactMap { if case .unwatched(_, let error) = $0 { error.code } else { nil } }
            #expect(limits == [ENOSPC])
        }
    }

    @Test func aRemovedTreeIsForgotten() async throws {
        let inner = FileTree(Dictionary(uniqueKeysWithValues: (0..<200).map { (FilePath("\($0)"), ["f": "x"]) }))
        try await FileTree(["d": .directory(inner)]).withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            TemporaryDirectory.remove(root.appending("d"))
            let seen = try await events(of: watch) { $0 == .directoryVanished("d") }
            #expect(seen.filter { if case .directoryVanished = $0 { true } else { false } }.count == 201)
        }
    }

    @Test func aWatchLetGoOfEndsItsThread() async throws {
        try await FileTree().withDirectory { root in
            let events = try TreeWatch(root: root) { _ in true }.events
            try await withLimit("the events of a watch that is gone end") {
                for await event in events { Issue.record("unexpected \(event)") }
            }
        }
    }
}

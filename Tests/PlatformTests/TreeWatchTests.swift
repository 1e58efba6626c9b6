import Platform
import TestSupport
import Testing

@Suite struct TreeWatchTests {
    /// Events from the start of the watch up to the first that `isLast` accepts.
    private func events(
        of watch: TreeWatch, until isLast: @Sendable (WatchEvent) -> Bool
    ) async -> [WatchEvent] {
        var seen: [WatchEvent] = []
        for await event in watch.events {
            seen.append(event)
            if isLast(event) { break }
        }
        watch.stop()
        return seen
    }

    @Test func aFileIsModifiedWhileOpenAndWrittenWhenClosed() async throws {
        let tree: FileTree = ["sub": [:]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            try OpenFile(creating: root.appending("sub/a.jpg")).append([1])
            let seen = await events(of: watch) { $0 == .written("sub/a.jpg") }
            #expect(seen.first == .modified("sub/a.jpg"))
        }
    }

    @Test func aFileRenamedInIsWritten() async throws {
        let tree: FileTree = ["sub": [:], ".part": "x"]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { $0.name.first != UInt8(ascii: ".") }
            try Directory(root).rename(".part", to: "sub/a.jpg")
            #expect(await events(of: watch) { $0 == .written("sub/a.jpg") } == [.written("sub/a.jpg")])
        }
    }

    @Test func aDirectoryThatAppearsIsWatchedBeforeItIsTold() async throws {
        try await FileTree().withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            var seen: [WatchEvent] = []
            try Directory(root).createDirectories("a/b")
            for await event in watch.events {
                seen.append(event)
                if event == .directoryAppeared("a") { try OpenFile(creating: root.appending("a/b/c.jpg")).append([1]) }
                if event == .written("a/b/c.jpg") { break }
            }
            watch.stop()
            #expect(seen.first == .directoryAppeared("a"))
        }
    }

    @Test func aDirectoryRenamedInsideIsWatchedUnderItsNewName() async throws {
        let tree: FileTree = ["old": ["deep": [:]]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            try Directory(root).rename("old", to: "new")
            var seen: [WatchEvent] = []
            for await event in watch.events {
                seen.append(event)
                if event == .directoryAppeared("new") {
                    try OpenFile(creating: root.appending("new/deep/c.jpg")).append([1])
                }
                if event == .written("new/deep/c.jpg") { break }
            }
            watch.stop()
            #expect(seen.prefix(2) == [.directoryVanished("old"), .directoryAppeared("new")])
        }
    }

    @Test func aRemovedFileIsTold() async throws {
        let tree: FileTree = ["a.jpg": "x"]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            try Directory(root).remove(file: "a.jpg")
            #expect(await events(of: watch) { $0 == .removed("a.jpg") } == [.removed("a.jpg")])
        }
    }

    @Test func nothingIsToldOfADirectoryNotEntered() async throws {
        let tree: FileTree = [".hidden": [:], "seen": [:]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root) { $0.name.first != UInt8(ascii: ".") }
            try OpenFile(creating: root.appending(".hidden/a.jpg")).append([1])
            try Directory(root).createDirectories(".also")
            try OpenFile(creating: root.appending("seen/b.jpg")).append([1])
            let seen = await events(of: watch) { $0 == .written("seen/b.jpg") }
            #expect(seen.allSatisfy { $0 == .modified("seen/b.jpg") || $0 == .written("seen/b.jpg") })
        }
    }

    @Test func aRootThatGoesAwayEndsTheEvents() async throws {
        let tree: FileTree = ["root": ["a.jpg": "x"]]
        try await tree.withDirectory { parent in
            let watch = try TreeWatch(root: parent.appending("root")) { _ in true }
            try Directory(parent).rename("root", to: "elsewhere")
            var seen: [WatchEvent] = []
            for await event in watch.events { seen.append(event) }
            #expect(seen == [.rootVanished])
        }
    }

    @Test func aStoppedWatchEndsItsEvents() async throws {
        try await FileTree().withDirectory { root in
            let watch = try TreeWatch(root: root) { _ in true }
            watch.stop()
            for await event in watch.events { Issue.record("unexpected \(event)") }
        }
    }

    @Test func aRootThatIsNotThereIsAnError() {
        let error = #expect(throws: SystemError.self) { try TreeWatch(root: "/nonexistent/root") { _ in true } }
        #expect(error?.isMissing == true)
    }
}

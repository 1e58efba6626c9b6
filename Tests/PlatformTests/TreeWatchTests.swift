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

    /// What is open below a mount keeps its disk from being unmounted.
    @Test func aWatchKeepsNothingOpenBelowItsTree() async throws {
        let tree: FileTree = ["tree": ["sub": [:]]]
        try await tree.withDirectory { folder in
            let root = folder.appending("tree")
            let watch = try TreeWatch(root: root) { _ in true }
            #expect(try OpenFiles.below(folder) == [])
            try Directory.create(at: root.appending("sub/new"))
            _ = try await events(of: watch) { $0 == .directoryAppeared("sub/new") }
            #expect(try OpenFiles.below(folder) == [])
        }
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Around the watched root.
        let tree: FileTree
        let root: FilePath
        let told: [WatchEvent]
        let change: @Sendable (Directory) throws -> Void

        init(
            _ fact: String, _ tree: FileTree, root: FilePath = "root", _ told: WatchEvent...,
            change: @escaping @Sendable (Directory) throws -> Void
        ) {
            (testDescription, self.tree, self.root, self.told, self.change) = (fact, tree, root, told, change)
        }
    }

    @Test(arguments: [
        Change("a file renamed in from elsewhere is written", ["x": "", "root": ["sub": [:]]], .written("sub/a")) {
            try $0.rename("x", to: "root/sub/a")
        },
        Change("so is one whose former name is not watched", ["root": ["sub": [:], ".part": ""]], .written("sub/a")) {
            try $0.rename("root/.part", to: "root/sub/a")
        },
        Change(
            "a file renamed inside is removed and written", ["root": ["sub": [:], "b": ""]], .removed("b"),
            .written("sub/a")
        ) { try $0.rename("root/b", to: "root/sub/a") },
        Change("a file renamed out is removed", ["root": ["a": ""]], .removed("a")) {
            try $0.rename("root/a", to: "x")
        },
        Change("a removed file is told", ["root": ["a": "x"]], .removed("a")) { try $0.remove(file: "root/a") },
        Change("a second name is one of a file that is whole", ["root": [".a": "x"]], .written("b")) {
            try $0.link("root/.a", to: "root/b")
        },
        Change("another time is a modification", ["root": ["b": "x"]], .modified("b")) {
            try $0.open(file: "root/b").setModified(FileTime(nanoseconds: 5))
        },
        Change("a root that is renamed away vanished", ["root": ["a": "x"]], .rootVanished) {
            try $0.rename("root", to: "elsewhere")
        },
        Change("so did one whose parent is renamed", ["above": ["root": [:]]], root: "above/root", .rootVanished) {
            try $0.rename("above", to: "elsewhere")
        },
        Change("a root that is removed vanished", ["root": [:]], .rootVanished) {
            try $0.remove(directory: "root")
        },
        Change(
            "so did one that is removed with its parent", ["above": ["root": [:]]], root: "above/root", .rootVanished
        ) {
            try $0.remove(directory: "above/root")
            try $0.remove(directory: "above")
        },
        Change("and one whose place another takes", ["root": [:], "other": ["a": ""]], .rootVanished) {
            try $0.rename("other", to: "root")
        },
        Change("what else comes and goes beside it is nothing", ["root": [".a": ""], "other": [:]], .written("b")) {
            try $0.remove(directory: "other")
            try $0.createDirectories("root.new")
            try $0.rename("root.new", to: "new")
            try $0.rename("root/.a", to: "root/b")
        },
    ])
    func aChangeIsTold(_ row: Change) async throws {
        try await row.tree.withDirectory { parent in
            let watch = try TreeWatch(root: parent.appending(row.root)) { $0.name.first != UInt8(ascii: ".") }
            try row.change(try Directory(parent))
            // Those of a root that vanished end by themselves.
            let last = row.told.last == .rootVanished ? nil : row.told.last
            #expect(try await events(of: watch) { $0 == last } == row.told)
        }
    }

    struct Move: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let from: FilePath
        let to: FilePath
        /// What is told of the renaming itself.
        let told: [WatchEvent]
        /// Files that are made then, of which the last is told.
        let files: [FilePath]
    }

    /// Renamed with all in it, so that everything is there with the first event.
    @Test(arguments: [
        Move(
            testDescription: "one that appears is watched before it is told", from: "outside", to: "root/a",
            told: [.directoryAppeared("a")], files: ["root/a/deep/c"]),
        Move(
            testDescription: "one renamed inside is watched under its new name", from: "root/d", to: "root/e",
            told: [.directoryVanished("d"), .directoryAppeared("e")], files: ["root/e/deep/c"]),
        Move(
            testDescription: "one renamed into another as well", from: "root/d", to: "root/other/d",
            told: [.directoryVanished("d"), .directoryAppeared("other/d")], files: ["root/other/d/deep/c"]),
        Move(
            testDescription: "one moved out is watched no more", from: "root/d", to: "elsewhere",
            told: [.directoryVanished("d")], files: ["elsewhere/deep/c", "root/other/c"]),
    ])
    func aDirectoryMoves(_ row: Move) async throws {
        let tree: FileTree = ["outside": ["deep": [:]], "root": ["d": ["deep": [:]], "other": [:]]]
        try await tree.withDirectory { parent in
            let root = parent.appending("root")
            let watch = try TreeWatch(root: root) { _ in true }
            try Directory(parent).rename(row.from, to: row.to)
            let last = try #require(row.files.last?.relative(to: "root"))
            let seen = try await events(of: watch) { event in
                if event == row.told.last {
                    for file in row.files { try OpenFile(creating: parent.appending(file)).append([1]) }
                }
                return event == .written(last)
            }
            // Writing is told once or twice, by how soon it is heard.
            #expect(
                seen.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == row.told + [
                    .modified(last), .written(last),
                ])
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

    /// A directory that is gone leaves its watch to one that had none.
    @Test func whatCouldNotBeWatchedIsWatchedOnceItCanBe() async throws {
        let tree: FileTree = ["a": ["x": [:]], "b": ["x": [:]], "c": ["x": [:]]]
        try await tree.withDirectory { root in
            let watch = try TreeWatch(root: root, notify: try Inotify(limit: 5)) { _ in true }
            #expect(!watch.watchMissing())
            let unwatched = Shared<FilePath?>(nil)
            let seen = try await events(of: watch) { event in
                switch event {
                case .unwatched(let path, _):
                    let missing = try #require(path.components.first)
                    unwatched.change { $0 = FilePath(bytes: missing) }
                    TemporaryDirectory.remove(root.appending(missing == Array("b".utf8) ? "a" : "b"))
                case .directoryVanished("a"), .directoryVanished("b"):
                    #expect(watch.watchMissing())
                    let name = try #require(unwatched.value)
                    try OpenFile(creating: root.appending(name).appending("x/after")).append([1])
                case .written(let path) where path.name == Array("after".utf8): return true
                default: break
                }
                return false
            }
            let name = try #require(unwatched.value)
            #expect(seen.contains(.written(name.appending("x/after"))))
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

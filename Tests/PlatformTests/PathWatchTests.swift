import Glibc
import TestSupport
import Testing

@testable import Platform

/// What happens to a path, and to the lock of the file there.
@Suite struct PathWatchTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isInPlace: Bool
        let change: @Sendable (Directory) throws -> Void
    }

    /// A file in `above/state`.
    private static func withFile(_ body: (_ top: Directory, _ file: FilePath) async throws -> Void) async throws {
        try await FileTree(["above": ["state": ["lock": ""]]]).withDirectory { root in
            try await body(try Directory(root), root.appending("above/state/lock"))
        }
    }

    @Test(arguments: [
        Row(testDescription: "the file is deleted", isInPlace: false) {
            try $0.open(directory: "above/state").remove(file: "lock")
        },
        Row(testDescription: "it is renamed", isInPlace: false) {
            try $0.open(directory: "above/state").rename("lock", to: "other")
        },
        Row(testDescription: "another one takes its name", isInPlace: false) {
            let state = try $0.open(directory: "above/state")
            try OpenFile(creating: state.path.appending("new")).append([1])
            try state.rename("new", to: "lock")
        },
        Row(testDescription: "its directory is deleted", isInPlace: false) {
            try Directory.removeTree(at: $0.path.appending("above/state"))
        },
        Row(testDescription: "its directory is renamed", isInPlace: false) {
            try $0.open(directory: "above").rename("state", to: "former")
        },
        Row(testDescription: "a directory above is renamed", isInPlace: false) { try $0.rename("above", to: "former") },
        Row(testDescription: "a directory above is renamed, and back", isInPlace: true) {
            try $0.rename("above", to: "former")
            try $0.rename("former", to: "above")
        },
        Row(testDescription: "it gets other rights", isInPlace: true) {
            #expect(chmod($0.path.appending("above/state/lock").display, 0o640) == 0)
        },
    ])
    func aChangeIsToldAndTheLockKnows(_ row: Row) async throws {
        try await Self.withFile { top, file in
            let lock = try #require(try FileLock.acquire(file))
            #expect(lock.isInPlace)
            let watch = try PathWatch(file)
            try row.change(top)
            try await withLimit("a change is told") { for await _ in watch.changes { break } }
            #expect(lock.isInPlace == row.isInPlace)
        }
    }

    @Test func whatIsWrittenToTheFileIsNoChange() async throws {
        try await Self.withFile { _, file in
            let notify = try Inotify()
            try notify.watchName(of: file)
            try OpenFile(appending: file).append([1])
            try OpenFile(creating: file.parent.appending("beside")).append([1])
            #expect(notify.read().isEmpty)
            #expect(chmod(file.display, 0o640) == 0)
            #expect(notify.read().count == 1, "so that the first look could have seen something")
        }
    }

    @Test func aWatchThatIsStoppedEnds() async throws {
        try await Self.withFile { _, file in
            let watch = try PathWatch(file)
            watch.stop()
            try await withLimit("the changes end") { for await _ in watch.changes {} }
        }
    }

    @Test func whereNothingIsNothingIsWatched() async throws {
        try await Self.withFile { _, file in
            #expect(throws: SystemError.self) { try PathWatch(file.appending("none")) }
        }
    }
}

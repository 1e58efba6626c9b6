import Fixtures
import Glibc
import Platform
import Queue
import TestSupport
import Testing

@testable import Restoring

/// A folder within the target that this user may not write.
@Suite struct ClosedFolderTests {
    /// A folder in which no name can be made in `closed` or below.
    private struct PartlyClosed: RestoreFolder {
        let base: LocalRestoreFolder
        let closed: FilePath

        private func check(_ path: FilePath) throws(SystemError) {
            guard path.relative(to: closed) != nil else { return }
            throw SystemError(call: "openat", code: EACCES, path: path)
        }

        func checkWriting() throws(SystemError) { try base.checkWriting() }
        func facts(of path: FilePath) throws(SystemError) -> FileFacts? { try base.facts(of: path) }
        func lists(_ path: FilePath) throws(SystemError) -> Bool { try base.lists(path) }
        func names(in path: FilePath) throws(SystemError) -> [FilePath] { try base.names(in: path) }
        func availableBytes() throws(SystemError) -> Int64 { try base.availableBytes() }
        func open(_ path: FilePath) throws(SystemError) -> OpenFile { try base.open(path) }
        func makeDirectories(_ path: FilePath) throws(SystemError) {
            if try base.facts(of: path) == nil { try check(path) }
            try base.makeDirectories(path)
        }
        func openPart(_ path: FilePath) throws(SystemError) -> OpenFile? {
            try check(path)
            return try base.openPart(path)
        }
        func cut(_ part: OpenFile, to size: Int64) throws(SystemError) { try base.cut(part, to: size) }
        func setModified(_ time: FileTime, of file: OpenFile) throws(SystemError) {
            try base.setModified(time, of: file)
        }
        func synchronize(_ file: OpenFile) throws(SystemError) { try base.synchronize(file) }
        func place(_ part: FilePath, as path: FilePath) throws(SystemError) { try base.place(part, as: path) }
        func remove(_ path: FilePath) throws(SystemError) { try base.remove(path) }
        func synchronize(directory path: FilePath) throws(SystemError) { try base.synchronize(directory: path) }
    }

    @Test(arguments: [
        Fact(
            "many files are one line", ["b/c.jpg", "b/d.jpg", "b/deep/e.jpg"],
            ["Pictures/b: Permission denied; so 3 files below it could not be written"]),
        Fact("one file is itself", ["b/c.jpg"], ["Pictures/b/c.jpg: Permission denied"]),
        Fact("none is none", [], []),
    ])
    func aClosedFolderIsOneLine(_ row: Fact<[FilePath], [String]>) async throws {
        try await RestoreBench.with(["Pictures": ["b": [:]]]) { bench throws in
            let folder = PartlyClosed(
                base: LocalRestoreFolder(try Directory(bench.directory)), closed: "Pictures/b")
            let things = try (row.input + ["a.jpg"]).map { try StoredThing($0, "hello") }
            let result = try await Restorer(bench.setup(BucketDouble(things), RestoreResumeTests.plain)) { folder }
                .run()
            #expect(result.restored == 1 && result.failed.count == row.input.count)
            #expect(result.problems == row.output)
        }
    }
}

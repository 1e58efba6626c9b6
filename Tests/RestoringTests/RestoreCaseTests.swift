import Fixtures
import Platform
import Records
import TestSupport
import Testing

@testable import Restoring

/// Files whose names differ in capitals only, on a disk where those are one name.
@Suite struct RestoreCaseTests {
    /// A folder that finds a file by its name in any letters, and keeps those that it was made with.
    private struct CarelessFolder: RestoreFolder {
        let folder: LocalRestoreFolder

        private func known(_ path: FilePath) -> FilePath {
            path.components.map(FilePath.init(bytes:)).reduce("") { place, name in
                let names = (try? folder.names(in: place)) ?? []
                return place.appending(names.first { $0.lowercased == name.lowercased } ?? name)
            }
        }

        func checkWriting() throws(SystemError) { try folder.checkWriting() }
        func facts(of path: FilePath) throws(SystemError) -> FileFacts? { try folder.facts(of: known(path)) }
        func lists(_ path: FilePath) -> Bool { known(path) == path }
        func names(in path: FilePath) throws(SystemError) -> [FilePath] { try folder.names(in: known(path)) }
        func availableBytes() throws(SystemError) -> Int64 { try folder.availableBytes() }
        func open(_ path: FilePath) throws(SystemError) -> OpenFile { try folder.open(known(path)) }
        func makeDirectories(_ path: FilePath) throws(SystemError) { try folder.makeDirectories(known(path)) }
        func openPart(_ path: FilePath) throws(SystemError) -> OpenFile? { try folder.openPart(known(path)) }
        func cut(_ part: OpenFile, to size: Int64) throws(SystemError) { try folder.cut(part, to: size) }
        func setModified(_ time: FileTime, of file: OpenFile) throws(SystemError) {
            try folder.setModified(time, of: file)
        }
        func synchronize(_ file: OpenFile) throws(SystemError) { try folder.synchronize(file) }
        func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
            try folder.place(known(part), as: known(path))
        }
        func remove(_ path: FilePath) throws(SystemError) { try folder.remove(known(path)) }
        func synchronize(directory path: FilePath) throws(SystemError) {
            try folder.synchronize(directory: known(path))
        }
    }

    private func restore(_ bench: RestoreBench, _ things: [StoredThing]) async throws -> RestoreResult {
        let directory = bench.directory
        let restorer = Restorer(bench.setup(BucketDouble(things)) { $0.concurrency = 1 }) {
            CarelessFolder(folder: LocalRestoreFolder(try Directory(directory)))
        }
        return try await restorer.run()
    }

    /// Neither is lost, and a second run finds both.
    @Test(arguments: [("A/1.png", "a/1.png"), ("1.png", "1.PNG")] as [(FilePath, FilePath)])
    func theSecondOfThemComesBeside(_ first: FilePath, _ second: FilePath) async throws {
        let things = try [StoredThing(first, "one"), StoredThing(second, "other")]
        try await RestoreBench.with { bench in
            let result = try await restore(bench, things)
            #expect(result.ending == .done && result.restored == 2 && result.renamed.count == 1)
            let problem = try #require(result.renamed.first).problem
            #expect(problem.contains(": something else has its name, so it is Pictures/"))
            #expect(Set(try bench.tree.files.values) == [Array("one".utf8), Array("other".utf8)])
            let again = try await restore(bench, things)
            #expect(again.ending == .done && again.alreadyThere == 2)
        }
    }

    /// A name that it has itself is no reason to take another one.
    @Test func aFileOfTheUsersStaysAsItIs() async throws {
        try await RestoreBench.with(["Pictures": ["1.png": "mine"]]) { bench in
            let result = try await restore(bench, [try StoredThing("1.png", "one")])
            #expect(
                result.refused.map(\.problem) == [
                    "Pictures/1.png: a different file is there, with 4 bytes instead of 3"
                ])
        }
    }

    /// One would take the other's part for a leftover.
    @Test func theyAreNotRestoredAtTheSameTime() {
        let tally = RestoreTally(isDryRun: false)
        #expect(tally.claim("A/Ö.png"))
        #expect(!tally.claim("a/ö.PNG"))
        #expect(tally.claim("a/o.png"))
        tally.release("A/Ö.png")
        #expect(tally.claim("a/ö.PNG"))
    }
}

extension FilePath {
    fileprivate var lowercased: String { display.lowercased() }
}

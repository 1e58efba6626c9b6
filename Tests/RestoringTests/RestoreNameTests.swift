import Fixtures
import Glibc
import Platform
import Records
import TestSupport
import Testing

@testable import Restoring

/// Names that a disk does not take, as exFAT and NTFS refuse a colon.
@Suite struct RestoreNameTests {
    /// A folder that takes no name which has other characters than those disks do, when it is made.
    private struct PickyFolder: ForwardingFolder {
        let inner: LocalRestoreFolder
        let made: Shared<[FilePath]>

        func folder(for call: String) -> any RestoreFolder { inner }

        private func check(_ path: FilePath, _ call: String) throws(SystemError) {
            made.change { $0.append(path) }
            if path.plain != nil { throw SystemError(call: call, code: EINVAL, path: path) }
        }
        func makeDirectories(_ path: FilePath) throws(SystemError) {
            try check(path, "mkdirat")
            try inner.makeDirectories(path)
        }
        func openPart(_ path: FilePath) throws(SystemError) -> OpenFile? {
            try check(path, "openat")
            return try inner.openPart(path)
        }
        func place(_ part: FilePath, as path: FilePath) throws(SystemError) {
            try check(path, "renameat2")
            try inner.place(part, as: path)
        }
    }

    private func restore(_ bench: RestoreBench, _ bucket: BucketDouble) async throws -> RestoreResult {
        let directory = bench.directory
        let restorer = Restorer(bench.setup(bucket) { $0.concurrency = 1 }) {
            PickyFolder(inner: LocalRestoreFolder(try Directory(directory)), made: Shared([]))
        }
        return try await restorer.run()
    }

    static let names: [(FilePath, FilePath)] = [
        ("12:00:30.jpg", "12\u{FF1A}00\u{FF1A}30.jpg"), ("trip: Rome/a.jpg", "trip\u{FF1A} Rome/a.jpg"),
        ("a\"b*c<d>e?f\\g|h.jpg", "a\u{FF02}b\u{FF0A}c\u{FF1C}d\u{FF1E}e\u{FF1F}f\u{FF3C}g\u{FF5C}h.jpg"),
        ("a\nb\u{7F}.jpg", "a\u{240A}b\u{2421}.jpg"),
        // Windows opens no file whose name ends so.
        ("a.jpg.", "a.jpg\u{FF0E}"), ("a.jpg ", "a.jpg\u{2420}"), ("trip. /a. b..", "trip.\u{2420}/a. b.\u{FF0E}"),
        ("a: b.", "a\u{FF1A} b\u{FF0E}"),
        (FilePath(bytes: [0x61, 0xE9, 0x2E, 0x6A, 0x70, 0x67]), "a\u{FFFD}.jpg"),
    ]

    /// The file is fetched once, and a second run finds it.
    @Test(arguments: names)
    func itComesUnderANameLikeIt(_ name: FilePath, _ like: FilePath) async throws {
        let bucket = BucketDouble([try StoredThing(name, "one")])
        try await RestoreBench.with { bench in
            let result = try await restore(bench, bucket)
            #expect(result.ending == .done && result.restored == 1, "\(result)")
            let (wanted, place) = (FilePath("Pictures").appending(name), FilePath("Pictures").appending(like))
            #expect(
                result.renamed.map(\.problem) == [
                    "\(wanted.display): the disk takes no such name, so it is \(place.display)"
                ])
            #expect(try bench.tree.files == [place: Array("one".utf8)])
            let again = try await restore(bench, bucket)
            #expect(again.ending == .done && again.alreadyThere == 1)
            #expect(bucket.calls(.get).count == 1)
            #expect(try bench.tree.files == [place: Array("one".utf8)])
        }
    }

    /// Elsewhere each has its own, and nothing stays of the look at what the disk takes.
    @Test(arguments: names)
    func aDiskThatTakesTheNameGetsIt(_ name: FilePath, _ like: FilePath) async throws {
        try await RestoreBench.with { bench in
            let result = try await bench.restore(BucketDouble([try StoredThing(name, "one")]))
            #expect(result.ending == .done && result.renamed.isEmpty)
            #expect(try bench.tree.files == [FilePath("Pictures").appending(name): Array("one".utf8)])
        }
    }

    /// Neither takes the other's place.
    @Test func aFileThatHasTheNameLikeItStays() async throws {
        let things = Self.names[0]
        let bucket = BucketDouble([try StoredThing(things.0, "one"), try StoredThing(things.1, "other")])
        try await RestoreBench.with { bench in
            let result = try await restore(bench, bucket)
            #expect(result.restored == 1 && result.refused.count == 1)
            #expect(try bench.tree.files.count == 1)
        }
    }

    /// A name that has nothing to be replaced is not looked at before.
    @Test func anUsualNameIsNotTried() async throws {
        let made = Shared<[FilePath]>([])
        try await RestoreBench.with { bench in
            let directory = bench.directory
            let restorer = Restorer(bench.setup(BucketDouble([try StoredThing("ä b.jpg", "one")]))) {
                PickyFolder(inner: LocalRestoreFolder(try Directory(directory)), made: made)
            }
            #expect(try await restorer.run().restored == 1)
            #expect(made.value.count { $0.isPart } == 1)
        }
    }
}

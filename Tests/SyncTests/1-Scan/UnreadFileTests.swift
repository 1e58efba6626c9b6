import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing

@testable import Catalog
@testable import Sync

/// A name that is listed is there, whatever a look at it says: disks that are failing refuse looks at single files.
@Suite struct UnreadFileTests {
    @Test(
        arguments: [
            ("EIO: the disk is failing", 5), ("EACCES: the file is another user's", 13),
            ("ESTALE: the share has forgotten it", 116),
        ] as [(String, Int32)])
    func aFileThatCannotBeLookedAtIsNotGone(_ row: (why: String, code: Int32)) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let observation = Observation(name: FilePath("a.jpg").name, size: 7, modifiedAt: FileTime(nanoseconds: 1))
            _ = try await library.merge(observation, at: "a.jpg", root: root.id, origin: .backlog, now: Items.now)

            let failure = SystemError(call: "fstatat", code: row.code)
            let found = [DirectoryListing.Entry(name: FilePath("a.jpg").name, kind: .file, failure: failure)]
            #expect(try await absent(found, in: library, root.id) == 0)
            let unlisted = try await library.unlistedDirectories()
            #expect(unlisted.map(\.path) == ["/home/Pictures"], "what was not looked at is not known")
            #expect(unlisted.first?.reason == "\(failure.reason): a.jpg")
            let ofNoKind = [DirectoryListing.Entry(name: FilePath("a.jpg").name, kind: .other, failure: failure)]
            #expect(try await absent(ofNoKind, in: library, root.id) == 0, "the file system tells no kinds")
            #expect(try await absent([], in: library, root.id) == 1, "not listed: gone")
            #expect(try await library.unlistedDirectories().isEmpty)
        }
    }

    /// Two walks of one root at once: the other one has listed what this one could not.
    @Test(arguments: [(["2024"], 0), ([], 1)] as [([FilePath], Int)])
    func belowADirectoryThatAWalkCouldNotListNothingIsGone(_ row: (failed: [FilePath], missing: Int)) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let observation = Observation(name: FilePath("a.jpg").name, size: 7, modifiedAt: FileTime(nanoseconds: 1))
            _ = try await library.merge(
                observation, at: "2024/05/a.jpg", root: root.id, origin: .backlog, now: Items.now)
            let missing = try await library.missDirectories(
                of: root.id, below: "", notIn: ["", "2024"], failed: Set(row.failed))
            #expect(missing == row.missing)
        }
    }

    /// Another look has found a file, and its directory, behind the back of a walk that had begun before.
    @Test(arguments: [true, false])
    func whatIsFoundDuringAWalkIsNotMissedByIt(isFoundBefore: Bool) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let observation = Observation(name: FilePath("a.jpg").name, size: 7, modifiedAt: FileTime(nanoseconds: 1))
            let looks = ["", "2024"].map { path in
                DirectoryObservation(path: path, files: [observation], leftOut: ["hidden": 2])
            }
            let before = await library.beginWalk()
            _ = try await library.merge(looks, root: root.id, origin: .arrival, at: Items.now)
            let after = await library.beginWalk()
            let (walk, expected) = isFoundBefore ? (after, 1) : (before, 0)
            let place = try #require(try await library.asset(root: root.name, path: "a.jpg")).place
            #expect(try await library.miss([place], by: walk) == expected)
            let missing = try await library.missDirectories(of: root.id, below: "", notIn: [""], by: walk)
            #expect(missing == expected)
            #expect(try await library.counts().leftOut == (isFoundBefore ? 2 : 4), "as the other look has noted")
        }
    }

    /// Two sparse files can claim more bytes than a sum holds; then no count of the library would be right again.
    @Test(arguments: [
        Fact("as large as a file may be", Observation.mostBytes, true),
        Fact("a byte more", Observation.mostBytes + 1, false),
        Fact("as large as a file system makes one", .max, false),
    ])
    func aFileThatIsLargerThanAnyStorageTakesIsNotRead(_ fact: Fact<Int64, Bool>) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            let facts = FileFacts(kind: .file, size: fact.input, modifiedAt: FileTime(nanoseconds: 1))
            let found = ["a.jpg", "b.jpg"].map {
                DirectoryListing.Entry(name: FilePath($0).name, kind: .file, facts: facts)
            }
            #expect(try await absent(found, in: library, root.id) == 0)
            let counts = try await library.counts()
            #expect(counts.waiting == (fact.output ? 2 : 0))
            #expect(counts.bytesToStore == (fact.output ? 2 * fact.input : 0))
            let reasons = try await library.unlistedDirectories().map(\.reason)
            #expect(reasons == (fact.output ? [] : ["File too large: a.jpg"]))
        }
    }

    /// What could not be looked at may be a directory, and is walked as one: a file must not count as deleted for that.
    @Test(arguments: [("a.jpg", Asset.State.seen), ("b.jpg", .gone), ("c.jpg", .gone)] as [(FilePath, Asset.State)])
    func aFileThatIsWalkedLikeADirectoryStays(_ row: (path: FilePath, state: Asset.State)) async throws {
        try await FileTree(["Pictures": ["a.jpg": "a", "b.jpg": "b", "c.jpg": "c"]]).withDirectory { folder in
            let gallery = folder.appending("Pictures")
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = Root(known: try await library.root(at: gallery).root)
            let scanner = Scanner(library: library, wake: WakeEvent()) { Date() }
            _ = try await scanner.scan(root, origin: .backlog)
            for name: FilePath in ["b.jpg", "c.jpg"] { try Directory(gallery).remove(file: name) }
            try Directory.create(at: gallery.appending("c.jpg"))
            _ = try await scanner.scan(root, below: row.path, origin: .backlog)
            #expect(try await library.asset(root: root.name, path: row.path)?.state == row.state)
        }
    }

    /// How many files a look at the root misses that lists these entries.
    private func absent(_ entries: [DirectoryListing.Entry], in library: Library, _ root: Int64) async throws -> Int {
        var look = Scanner.Look()
        let listing = DirectoryListing(path: "", entries: entries, place: DirectoryPlace(device: 1, inode: 1))
        look.add(listing, below: "", IgnoreRules(), fresh: FileTime(nanoseconds: 0)..<FileTime(nanoseconds: 1))
        return try await library.merge(look.directories, root: root, origin: .backlog, at: Items.now).absent.count
    }
}

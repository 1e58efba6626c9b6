import Catalog
import Configuration
import Database
import Foundation
import Gallery
import Platform
import Reconciling
import Records
import Reporting
import Supabase
import TestSupport
import Testing
import Transfer

/// Objects that went while nothing of this program knew: what a look at the whole bucket finds.
@Suite struct BucketLookTests {
    private static let day = 86_400.0
    private static let tree: FileTree = ["a.jpg": "one", "b.jpg": "two", "c.jpg": "three"]

    @Test(arguments: [(day * 6, false), (day * 8, true)])
    func whatWasDeletedByHandIsStoredAgainOnceAWeek(_ later: Double, _ isStored: Bool) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            var fixture = fixture
            fixture.equip = { $0.clock = { Date() + later } }
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/a.jpg"] == (isStored ? Array("one".utf8) : nil))
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.count("POST", "/object/list-v2/media") == 0)
        }
    }

    /// A week is counted from the last comparison, whichever command made it.
    @Test func afterAVerificationTheBucketIsNotComparedAgain() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            var fixture = fixture
            fixture.equip = { $0.clock = { Date() + Self.day * 6 } }
            _ = try await fixture.verify()
            fixture.equip = { $0.clock = { Date() + Self.day * 8 } }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.count("POST", "/object/list-v2/media") == 0)
        }
    }

    /// A storage on this computer was found to have lost objects.
    @Test func aBucketInDoubtIsComparedAtOnceAndOnce() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            var fixture = fixture
            fixture.equip = { $0.isBucketDoubtful = true }
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
            fixture.equip = { _ in }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.count("POST", "/object/list-v2/media") == 0)
        }
    }

    @Test func whatHoldsOtherBytesIsOnlyTold() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try await fixture.put(Array("ONE".utf8), at: "Pictures/a.jpg", replacing: true)
            var fixture = fixture
            fixture.equip = { $0.clock = { Date() + Self.day * 8 } }
            let ending = try await fixture.sync()
            #expect(ending == .someDifferent(1))
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("ONE".utf8))
            let found = try await fixture.run { try await $0.library.discrepancies() }
            #expect(found.byKind == [.different: 1])
        }
    }

    /// Many that are missing at once may be a wrong answer, or meant: the user decides.
    @Test func moreThanTheBrakeLetsPassIsOnlyTold() async throws {
        let names = (0..<60).map { "\($0).jpg" }
        let tree = FileTree(Dictionary(uniqueKeysWithValues: names.map { (FilePath($0), .file(Array($0.utf8))) }))
        try await AgentFixture.with(tree) { fixture in
            try await fixture.pass()
            for name in names { try await fixture.storage.delete(bucket: "media", key: "Pictures/\(name)") }
            var fixture = fixture
            fixture.equip = { $0.clock = { Date() + Self.day * 8 } }
            let ending = try await fixture.sync()
            #expect(ending == .someDifferent(60))
            #expect(try await fixture.objects().isEmpty)
            let found = try await fixture.run { try await $0.library.discrepancies() }
            #expect(found.byKind == [.missing: 60])
        }
    }

    /// A disk's backup brings back a file, and the library of before the file was deleted and pruned.
    @Test func aLibraryFromABackupIsComparedAtOnce() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            let (files, library) = (FileManager.default, try fixture.locations.library.display)
            let backup = library + ".backup"
            try files.copyItem(atPath: library, toPath: backup)
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.pass()
            _ = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            #expect(try await fixture.objects()["Pictures/a.jpg"] == nil)

            try fixture.write("one", to: "a.jpg")
            for end in ["", "-wal", "-shm"] where files.fileExists(atPath: library + end) {
                try files.removeItem(atPath: library + end)
            }
            try files.copyItem(atPath: backup, toPath: library)
            try await fixture.pass()
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.count("POST", "/object/list-v2/media") == 0)
        }
    }
}

/// What is stored, and a library that does not know it: files are asked about before they are sent.
@Suite struct UnknownObjectTests {
    private static let tree: FileTree = ["a.jpg": "one", "b.jpg": "two"]

    /// The state's directory went, as with a computer that was set up anew.
    @Test func nothingIsSentOnceMoreAfterTheStateWasLost() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            try fixture.write("three", to: "c.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads == ["/object/media/Pictures/c.jpg"])
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    /// A verification looks at no disk, so it cannot know which files lack a receipt.
    @Test func neitherAfterAVerification() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            for _ in 1...2 { _ = try await fixture.verify() }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// Files that a first run did not come to are asked about by the next one, too.
    @Test func neitherAfterARunThatWasCutOff() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            try await fixture.killedPass(at: "/object/info/", hasEffect: false)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys().count == 2)
        }
    }

    /// A state that came back from a backup, which was made before `path` was stored with "three".
    private func withBackup(
        storing path: FilePath, _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            let (files, state) = (FileManager.default, try fixture.locations.state.display)
            try files.copyItem(atPath: state, toPath: state + ".backup")
            try fixture.write("three", to: path)
            try await fixture.pass()
            try files.removeItem(atPath: state)
            try files.copyItem(atPath: state + ".backup", toPath: state)
            try await body(fixture)
        }
    }

    /// What was stored after the backup was made.
    @Test(arguments: [false, true]) func neitherAfterABackupCameBack(_ isWatching: Bool) async throws {
        try await withBackup(storing: "c.jpg") { fixture in
            let asked = try await fixture.requests {
                guard isWatching else { return try await fixture.pass() }
                try await fixture.watching { agent in
                    _ = try await agent.report("all are stored") { $0.assets.stored == 3 }
                }
            }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    /// The root is the empty place of a disk that is not mounted yet, as a new library cannot know.
    @Test(arguments: [true, false]) func neitherBeforeItsDiskIsThere(isVerified: Bool) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            let names = ["a.jpg", "b.jpg"]
            let folder = try Directory(fixture.gallery.parent)
            for name in names { try folder.rename(FilePath("Pictures/\(name)"), to: FilePath(name)) }
            try await fixture.pass()
            if isVerified { _ = try await fixture.verify() }
            for name in names { try folder.rename(FilePath(name), to: FilePath("Pictures/\(name)")) }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// The bucket was compared before all files were looked at.
    @Test(arguments: [true, false]) func neitherAfterABackupAndLess(isVerified: Bool) async throws {
        try await withBackup(storing: "c.jpg") { fixture in
            if isVerified {
                _ = try await fixture.verify()
            } else {
                let folder = fixture.gallery.appending("empty")
                try FileManager.default.createDirectory(atPath: folder.display, withIntermediateDirectories: false)
                _ = try await fixture.run { try await $0.sync([folder]) }
            }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    /// Its files were not looked at when the bucket was compared.
    @Test func neitherWhereARootWasAwayAtFirst() async throws {
        try await withBackup(storing: "c.jpg") { fixture in
            let (files, gallery) = (FileManager.default, fixture.gallery.display)
            try files.moveItem(atPath: gallery, toPath: gallery + ".away")
            let ending = try await fixture.run { try await $0.sync([]) }
            #expect(ending.kind == .temporary)
            try files.moveItem(atPath: gallery + ".away", toPath: gallery)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
        }
    }

    /// The file is again as the library knows it, and not as it was stored last; the backup may be older than any look.
    @Test(arguments: [true, false])
    func whatIsStoredIsNotBelievedAfterABackupCameBack(_ hasLooked: Bool) async throws {
        try await withBackup(storing: "a.jpg") { fixture in
            try fixture.write("one", to: "a.jpg")
            if !hasLooked {
                try Connection(path: fixture.locations.library.display).execute("DELETE FROM facts WHERE name = 'look'")
            }
            try await fixture.pass()
            #expect(try await fixture.objects().values.contains(Array("one".utf8)))
            let (result, ending) = try await fixture.verify()
            #expect(result.count(.unknown) == 1 && result.count(.different) == 0 && ending == .done)
        }
    }

    /// Nor is anything asked once that is over, and where a bucket is empty.
    @Test func nothingIsAskedOfABucketThatHoldsNothingUnknown() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            let first = try await fixture.requests { try await fixture.pass() }
            #expect(first.questions.isEmpty && first.uploads.count == 2)
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            let second = try await fixture.requests { try await fixture.pass() }
            #expect(second.questions == ["a.jpg", "b.jpg"] && second.uploads.isEmpty)
            _ = try await fixture.verifiedKeys()
            try fixture.write("three", to: "c.jpg")
            let third = try await fixture.requests { try await fixture.pass() }
            #expect(third.questions.isEmpty && third.uploads.count == 1)
        }
    }
}

/// Objects of this computer that a lost library knew alone.
@Suite struct OrphanTests {
    /// What a repair finds of a file that was deleted before the library was lost, and what `prune` does with it then.
    @Test func whatOnlyTheLostLibraryKnewIsPrunedAfterARepair() async throws {
        let tree: FileTree = ["a.jpg": "one", "folder": ["gone.jpg": "two"]]
        try await AgentFixture.with(tree) { fixture in
            try await fixture.pass()
            let stored = try await fixture.storage.info(bucket: "media", key: "Pictures/folder/gone.jpg")
            _ = try await fixture.storage.upload(
                .bytes(Array("small".utf8)), bucket: "media", key: ".thumbnails/256/Pictures/folder/gone.jpg.jpg",
                contentType: "image/jpeg", metadata: stored.metadata ?? [:])
            try await fixture.put(Array("theirs".utf8), at: "Pictures/theirs.jpg")
            try await fixture.put(Array("theirs".utf8), at: "Other/theirs.jpg")
            try Directory(fixture.gallery.appending("folder")).remove(file: "gone.jpg")
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            try await fixture.pass()
            let before = try await fixture.verify().result
            #expect(before.count(.unknown) == 4 && before.count(.leftover) == 0)
            let listed = try await fixture.run(.steering) { try await $0.prune(deleting: false) }.result
            #expect(listed.objects.isEmpty)

            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.count(.unknown) == 2 && result.count(.leftover) == 2 && ending == .done)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 1)
            let pruned = try await fixture.run(.steering) { try await $0.prune(deleting: true) }.result
            #expect(
                pruned.objects.map(\.key).sorted() == [
                    ".thumbnails/256/Pictures/folder/gone.jpg.jpg", "Pictures/folder/gone.jpg",
                ])
            #expect(
                Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/theirs.jpg", "Other/theirs.jpg"])
        }
    }

    /// A repair before the first sync with a new library knows no file, or the root and none of its files.
    @Test(arguments: [true, false]) func whatIsStillHereIsNoOrphan(isRootKnown: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "folder": ["b.jpg": "two"]]) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            if isRootKnown { _ = try await fixture.run(.steering) { try await $0.library.root(at: fixture.gallery) } }
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.count(.unknown) == 2 && result.count(.leftover) == 0 && ending == .done)
            let pruned = try await fixture.run(.steering) { try await $0.prune(deleting: true) }.result
            #expect(pruned.objects.isEmpty)
            #expect(try await fixture.objects().keys.count == 2)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
        }
    }

    /// A file that came after the last sync, or one on a disk that is away: the library knows neither.
    @Test(arguments: [true, false]) func whatTheNextSyncMayFindIsNoOrphan(isDiskHere: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            let folder = try Directory(fixture.gallery.parent)
            try folder.rename("Pictures/b.jpg", to: "b.jpg")
            try await fixture.pass()
            let (from, target): (FilePath, FilePath) =
                isDiskHere ? ("b.jpg", "Pictures/b.jpg") : ("Pictures/a.jpg", "a.jpg")
            try folder.rename(from, to: target)
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.count(.unknown) == 1 && result.count(.leftover) == 0 && ending == .done)
            let pruned = try await fixture.run(.steering) { try await $0.prune(deleting: true) }.result
            #expect(pruned.objects.isEmpty)
            if !isDiskHere {
                try folder.rename("a.jpg", to: "Pictures/a.jpg")
                try folder.rename("b.jpg", to: "Pictures/b.jpg")
            }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(Set(asked.uploads).isSubset(of: ["/object/media/Pictures/b.jpg"]))
            #expect(try await fixture.run(.steering) { try await $0.report(.summary) }.assets.stored == 2)
        }
    }

    /// As with any file that is only in storage.
    @Test func anotherPhotoOfItsNameHasItSetAside() async throws {
        try await AgentFixture.with(["a.jpg": "one", "z.jpg": "other"]) { fixture in
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            try await fixture.pass()
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.count(.leftover) == 1 && ending == .done)
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            let texts = Set(try await fixture.objects().values.map { String(decoding: $0, as: UTF8.self) })
            #expect(texts == ["one", "two", "other"])
            #expect(try await fixture.run(.steering) { try await $0.report(.summary) }.besides.remoteOnly == 1)
        }
    }

    /// The file was edited while no library knew it: it lies beside its earlier version, which prune lists.
    @Test func anEarlierVersionIsListedAndNeverReplaced() async throws {
        try await AgentFixture.with(["a.jpg": "one", "z.jpg": "other"]) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.count(.leftover) == 1 && ending == .done)
            let listed = try await fixture.run(.steering) { try await $0.prune(deleting: false) }
            #expect(listed.result.objects.map(\.key) == ["Pictures/a.jpg"] && listed.result.kept.isEmpty)
            try fixture.write("three", to: "a.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects().values.contains(Array("one".utf8)))
            let pruned = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            #expect(pruned.result.objects.count == 1 && pruned.ending == .done)
            let texts = Set(try await fixture.objects().values.map { String(decoding: $0, as: UTF8.self) })
            #expect(!texts.contains("one") && texts.isSuperset(of: ["three", "other"]))
        }
    }
}

import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Reporting
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing

/// What happens to objects of other clients, and to ours that were changed.
@Suite struct ConflictTests {
    private static let theirs = Array("theirs".utf8)

    /// A fixture whose bucket holds an object of another client as `Pictures/a.jpg`.
    private func withForeign(
        _ onForeign: Settings.OnForeign, _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(["a.jpg": "mine"]) { fixture in
            var fixture = fixture
            fixture.settings.upload.onForeign = onForeign
            try await fixture.storage.createBucket("media")
            try await fixture.put(Self.theirs, at: "Pictures/a.jpg")
            try await body(fixture)
        }
    }

    @Test func aForeignObjectStaysAndOursGoesBeside() async throws {
        try await withForeign(.keepBoth) { fixture in
            try await fixture.pass()
            let beside = "Pictures/a--\(SHA256.hash("mine".utf8).hexadecimal.prefix(8)).jpg"
            #expect(
                try await fixture.objects() == ["Pictures/a.jpg": Self.theirs, beside: Array("mine".utf8)])
            // A second pass finds the receipt of the object that was stored beside it.
            let again = try await fixture.requests { try await fixture.pass() }
            #expect(again.uploads.isEmpty)
        }
    }

    /// A restore gives an object that lay beside another program's the name of its key, and its user may copy that file.
    @Test(arguments: [false, true])
    func aFileIsStoredThoughAnotherHasTheNameOfAnObjectBesideIt(isOtherWaiting: Bool) async throws {
        let other = "a--\(SHA256.hash("mine".utf8).hexadecimal.prefix(8)).jpg"
        try await AgentFixture.with(FileTree([FilePath(other): "mine"])) { fixture in
            var hasty = fixture
            hasty.settings.sync.patience = .zero
            _ = try await fixture.requests(failing: {
                isOtherWaiting && $0.path.hasPrefix("/object/media/") ? .unavailable(retryAfter: 0) : nil
            }) { _ = try await hasty.sync() }
            try fixture.write("mine", to: "a.jpg")
            try await fixture.pass()
            #expect(try await Set(fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/\(other)"])
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            for name in ["a.jpg", other] {
                let receipts = try await library.fileRecord(root: "Pictures", path: FilePath(name))?.receipts
                #expect(receipts?.map(\.key.text) == ["Pictures/\(name)"])
            }
        }
    }

    /// What becomes of one of two files.
    enum Change: CaseIterable { case none, edit, editOther, delete, deleteOther }

    /// One has the very name of the object that holds the other's bytes beside another program's, as after a restore.
    @Test(arguments: [true, false], Change.allCases)
    func twoFilesOfOneObjectStayStored(isBesideFirst: Bool, _ change: Change) async throws {
        for isWaiting in [false, true] {
            try await keepTwoFilesOfOneObject(isBesideFirst, isWaiting, change)
        }
    }

    private func keepTwoFilesOfOneObject(_ isBesideFirst: Bool, _ isWaiting: Bool, _ change: Change) async throws {
        try await AgentFixture.with([:]) { fixture in
            try await fixture.storage.createBucket("media")
            try await fixture.put(Self.theirs, at: "Pictures/a.jpg")
            let other = FilePath("a--\(SHA256.hash("mine".utf8).hexadecimal.prefix(8)).jpg")
            var hasty = fixture
            hasty.settings.sync.patience = .zero
            for name in isBesideFirst ? ["a.jpg", other] : [other, "a.jpg"] {
                try fixture.write("mine", to: name)
                // The first stays in the queue meanwhile.
                _ = try await fixture.requests(failing: {
                    isWaiting && $0.path.hasSuffix("/\(other)") ? .unavailable(retryAfter: 0) : nil
                }) { _ = try await hasty.sync() }
            }
            try await fixture.pass()
            let changed = [.editOther, .deleteOther].contains(change) ? other : "a.jpg"
            switch change {
            case .none: break
            case .edit, .editOther: try fixture.write("changed", to: changed)
            case .delete, .deleteOther: try Directory(fixture.gallery).remove(file: changed)
            }
            try await fixture.pass()
            _ = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            try await fixture.pass()
            let (result, ending) = try await fixture.verify(percent: 100)
            #expect(result.findings.map(\.problem) == [.unknown] && ending == .done, "\(result.findings)")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            let before = try await fixture.objects()
            try FileManager.default.removeItem(atPath: try fixture.locations.library.display)
            try await fixture.pass()
            #expect(try await Set(fixture.objects().keys).isSuperset(of: before.keys))
            let texts = Set(try await fixture.objects().values.map { String(decoding: $0, as: UTF8.self) })
            let isEdited = [.edit, .editOther].contains(change)
            #expect(texts == (isEdited ? ["theirs", "mine", "changed"] : ["theirs", "mine"]))
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            for name in [FilePath("a.jpg"), other] where ![.delete, .deleteOther].contains(change) || name != changed {
                let record = try #require(try await library.fileRecord(root: "Pictures", path: name))
                let own = record.receipts.filter { $0.role == .original && $0.sha256 == record.asset.sha256 }
                #expect(own.count == 1, "\(name) is \(record.asset.state), \(record.receipts)")
            }
        }
    }

    /// A restore brings back what is stored of a deleted file, by the name of the object beside another one.
    @Test(arguments: [true, false], [true, false])
    func aFileWithTheNameOfItsObjectIsStoredByIt(isBesideTheirs: Bool, comesBack: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "keep.jpg": "kept"]) { fixture in
            if isBesideTheirs {
                try await fixture.storage.createBucket("media")
                try await fixture.put(Self.theirs, at: "Pictures/a.jpg")
            }
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            // Another photo gets the name of the deleted one, and is deleted, too.
            for text in isBesideTheirs ? [] : ["two"] {
                try gallery.remove(file: "a.jpg")
                try await fixture.pass()
                try fixture.write(text, to: "a.jpg")
                try await fixture.pass()
            }
            try gallery.remove(file: "a.jpg")
            try await fixture.pass()
            let name = FilePath("a--\(SHA256.hash("one".utf8).hexadecimal.prefix(8)).jpg")
            try fixture.write("one", to: name)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            if comesBack {
                try fixture.write("two", to: "a.jpg")
                try await fixture.pass()
            }
            _ = try await fixture.run(.steering) { try await $0.prune(deleting: true) }
            #expect(try await fixture.objects()["Pictures/\(name)"] == Array("one".utf8))
            let found = try await fixture.verify(percent: 100).result.findings.map(\.problem)
            #expect(found == (isBesideTheirs ? [.unknown] : []))
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let record = try #require(try await library.fileRecord(root: "Pictures", path: name))
            #expect(record.receipts.filter { $0.role == .original }.map(\.key.text) == ["Pictures/\(name)"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0 && report.assets.stored == (comesBack ? 3 : 2))
        }
    }

    @Test func withFailTheFileFailsWithItsReason() async throws {
        try await withForeign(.fail) { fixture in
            let (ending, report) = try await fixture.run {
                (try await $0.sync([fixture.gallery]), try await $0.report(.summary))
            }
            #expect(ending == .someFailed(1))
            #expect(report.failures.map(\.code) == ["object.foreign"])
            #expect(try await fixture.objects() == ["Pictures/a.jpg": Self.theirs])
        }
    }

    @Test func onlyReplaceReplaces() async throws {
        try await withForeign(.replace) { fixture in
            try await fixture.pass()
            #expect(try await fixture.objects() == ["Pictures/a.jpg": Array("mine".utf8)])
        }
    }

    @Test(arguments: Settings.OnForeign.allCases)
    func anObjectReplacedBehindOurBackIsTheirs(_ onForeign: Settings.OnForeign) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.upload.onForeign = onForeign
            _ = try await fixture.sync()
            try await fixture.put(Self.theirs, at: "Pictures/a.jpg", replacing: true)
            try fixture.write("two", to: "a.jpg")
            _ = try await fixture.sync()
            let left = try await fixture.objects()["Pictures/a.jpg"]
            #expect(left == (onForeign == .replace ? Array("two".utf8) : Self.theirs))
        }
    }

    @Test func aChangedFileGoesBesideItsOlderSelfWhereBothAreKept() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.upload.onChange = .keepBoth
            for text in ["one", "two", "three"] {
                try fixture.write(text, to: "a.jpg")
                try await fixture.pass()
            }
            // Looking at them renews the receipts of the older ones too.
            _ = try await fixture.verify()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let record = try #require(try await library.fileRecord(root: "Pictures", path: "a.jpg"))
            #expect(record.receipts.count == 3)
            #expect(record.receipts.first?.sha256 == SHA256.hash("three".utf8).hexadecimal)
            let texts = Set(try await fixture.objects().values.map { String(decoding: $0, as: UTF8.self) })
            #expect(texts == ["one", "two", "three"])
        }
    }

    /// Its former content is that of another file, so that the object under its usual key need not be set aside.
    @Test func aFileThatComesBackIsNotSentAgainWhereBothAreKept() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.upload.onChange = .keepBoth
            try await fixture.pass()
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            TemporaryDirectory.remove(fixture.gallery.appending("a.jpg"))
            try await fixture.pass()
            try fixture.write("two", to: "a.jpg")
            let again = try await fixture.requests { try await fixture.pass() }
            #expect(again.changes.isEmpty)
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            #expect(try await library.counts().stored == 2)
        }
    }

    @Test(arguments: Settings.OnChange.allCases)
    func whatLiesBesideAForeignObjectIsReplacedLikeAnyOther(_ onChange: Settings.OnChange) async throws {
        try await withForeign(.keepBoth) { fixture in
            var fixture = fixture
            fixture.settings.upload.onChange = onChange
            for text in ["mine", "two", "three", "three"] {
                try fixture.write(text, to: "a.jpg")
                try await fixture.pass()
            }
            let kept = onChange == .replace ? ["three"] : ["mine", "three", "two"]
            let texts = try await fixture.objects().values.map { String(decoding: $0, as: UTF8.self) }.sorted()
            #expect(texts == (kept + ["theirs"]).sorted())
            #expect(try fixture.audit().count { $0.contains("\"action\":\"pruned\"") } == 3 - kept.count)
            let again = try await fixture.requests { try await fixture.pass() }
            #expect(again.changes.isEmpty)
        }
    }

    /// Versions that were kept on purpose stay when the setting changes.
    @Test func aKeptVersionStaysOnceChangesReplace() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.upload.onChange = .keepBoth
            try await fixture.pass()
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            fixture.settings.upload.onChange = .replace
            try fixture.write("three", to: "a.jpg")
            try await fixture.pass()
            #expect(
                try await fixture.objects() == [
                    "Pictures/a.jpg": Array("three".utf8),
                    "Pictures/a--\(SHA256.hash("two".utf8).hexadecimal.prefix(8)).jpg": Array("two".utf8),
                ])
        }
    }

    @Test func theSameBytesFromElsewhereAreTakenWithoutSending() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            _ = try await fixture.sync()
            TemporaryDirectory.remove(fixture.folder.appending("s"))
            try await fixture.pass()
            #expect(try await fixture.objects().count == 1)
        }
    }
}

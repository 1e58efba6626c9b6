import Catalog
import Configuration
import Database
import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
import Reporting
import Serving
import StorageServer
import Supabase
import Sync
import TestSupport
import Testing

@testable import Gallery

/// What becomes of pictures whose settings change while they are owed or wait.
@Suite struct ThumbnailsOffTests {
    private func withPictures(_ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.thumbnails.enabled = true
            fixture.equip = { setup in
                // As the command does.
                setup.workers = setup.settings.thumbnails.enabled ? PainterDouble() : nil
            }
            try await body(fixture)
        }
    }

    /// Passes until the original is stored and its picture waits, for storage or, with a budget, for room.
    private func queuePicture(of fixture: AgentFixture) async throws {
        var hasty = fixture
        hasty.settings.sync.patience = .zero
        _ = try await hasty.requests(failing: {
            $0.path.contains("/.thumbnails/") ? .unavailable(retryAfter: 0) : nil
        }) { [hasty] in
            try await eventually("its picture waits") {
                _ = try await hasty.sync()
                let queued = try QueueStore(state: hasty.locations.state).load().entries
                let library = try #require(try Library.existing(at: hasty.locations.library))
                guard let asset = try await library.asset(root: "Pictures", path: "a.jpg") else { return false }
                return try await (queued + library.blocked(of: asset.place)).contains {
                    $0.isOpen && $0.role != .original && $0.lastError != nil
                }
            }
        }
    }

    private static func picture(_ size: Int, of name: String = "a.jpg") -> String {
        ".thumbnails/\(size)/Pictures/\(name).jpg"
    }

    @Test func aFileThatCameWithThumbnailsOffGetsItsPictureOnceTheyAreOn() async throws {
        try await withPictures { fixture in
            var off = fixture
            off.settings.thumbnails.enabled = false
            try await fixture.pass()
            try fixture.write("other", to: "b.jpg")
            try await off.pass()
            #expect(try await fixture.objects()[Self.picture(512, of: "b.jpg")] == nil)
            let owed = try await off.run(.steering) { try await $0.report(.summary).picturesOwed }
            #expect(owed == 0)
            let due = try await fixture.run(.steering) { try await $0.report(.summary).picturesOwed }
            #expect(due == 1)
            try await fixture.pass()
            #expect(try await fixture.objects()[Self.picture(512, of: "b.jpg")] != nil)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
        }
    }

    /// The pictures' uploads fail for a while, and the settings change before the next run.
    @Test(arguments: [[], [256], [512]])
    func aWaitingPictureThatIsNotAskedForAnyMoreIsNotSent(_ sizes: [Int]) async throws {
        try await withPictures { fixture in
            var changed = fixture
            try await queuePicture(of: fixture)
            if sizes.isEmpty {
                changed.settings.thumbnails.enabled = false
            } else {
                changed.settings.thumbnails.sizes = sizes
            }
            let asked = try await fixture.requests { try await changed.pass() }
            #expect(asked.uploads.filter { $0.contains(".thumbnails") }.count == sizes.count)
            #expect(Set(try await fixture.objects().keys) == Set(["Pictures/a.jpg"] + sizes.map { Self.picture($0) }))
            let library = try #require(try Library.existing(at: fixture.locations.library))
            let record = try #require(try await library.fileRecord(root: "Pictures", path: "a.jpg"))
            #expect(![.wanted, .lost].contains(record.pictures))
            // With the former settings it is made again.
            try await fixture.pass()
            #expect(try await fixture.objects()[Self.picture(512)] != nil)
        }
    }

    /// Both would be stored otherwise, and the former one would show what the file no longer holds.
    @Test(arguments: [false, true])
    func aPictureThatWaitsKeepsItsFormat(isKeptByLibrary: Bool) async throws {
        try await withPictures { fixture in
            var (former, changed) = (fixture, fixture)
            former.settings.thumbnails.format = .webp
            if isKeptByLibrary { former.settings.destination.storageBudget = .bytes(5) }
            try await queuePicture(of: former)
            changed.settings.thumbnails.format = .jpeg
            TemporaryDirectory.remove(try fixture.locations.thumbnails)
            let keys = try await changed.run(.steering) { agent in
                let asset = try #require(try await agent.library.asset(root: "Pictures", path: "a.jpg"))
                try await agent.pipeline.picture(asset)
                let items = try await agent.queue.unfinished() + agent.library.blocked(of: asset.place)
                return items.filter { $0.role != .original }.map(\.objectKey.text)
            }
            #expect(Set(keys) == [".thumbnails/512/Pictures/a.jpg.webp"])
        }
    }

    /// Its picture failed because it was empty, and it was written while thumbnails were off.
    @Test func aFileThatWasFilledWithThumbnailsOffGetsItsPictureOnceTheyAreOn() async throws {
        try await withPictures { fixture in
            var off = fixture
            off.settings.thumbnails.enabled = false
            try fixture.write("", to: "a.jpg")
            try await fixture.pass()
            try fixture.write("filled", to: "a.jpg")
            try await off.pass()
            try await fixture.pass()
            #expect(try await fixture.objects()[Self.picture(512)] != nil)
        }
    }

    /// Other sizes are made for every folder that takes part, and for the others once they do again.
    @Test(arguments: [false, true])
    func noPictureIsSentOfAFolderThatIsLeftOut(isLost: Bool) async throws {
        try await withPictures { fixture in
            var (fixture, less) = (fixture, fixture)
            let other = fixture.folder.appending("Other")
            try Directory.create(at: other)
            try OpenFile(creating: other.appending("b.jpg")).write(Array("two".utf8), at: 0)
            fixture.settings.roots = [Settings.Root(path: fixture.gallery), Settings.Root(path: other)]
            less.settings.roots = [Settings.Root(path: fixture.gallery)]
            let whole = fixture
            try await whole.run { agent in _ = try await agent.sync([]) }
            if isLost {
                let key = ".thumbnails/512/Other/b.jpg.jpg"
                try await fixture.storage.delete(bucket: "media", key: key)
                try Connection(path: fixture.locations.library.display).execute(
                    "DELETE FROM receipts WHERE key = '\(key)'; UPDATE assets SET thumbnails = 1")
            }
            less.settings.thumbnails.sizes = [256]
            let part = less
            let asked = try await fixture.requests {
                try await part.run { agent in _ = try await agent.sync([]) }
            }
            #expect(!asked.uploads.contains { $0.contains("/Other/") })
            try await whole.run { agent in _ = try await agent.sync([]) }
            #expect(try await fixture.objects()[".thumbnails/512/Other/b.jpg.jpg"] != nil)
        }
    }

    /// "why" and "status" promise no picture that will not be made.
    @Test func aPictureThatIsOwedIsOwedNoMoreWithThumbnailsOff() async throws {
        try await withPictures { fixture in
            var (late, off) = (fixture, fixture)
            late.equip = { $0.workers = PictureTests.LatePainter { false } }
            off.settings.thumbnails.enabled = false
            _ = try await late.sync()
            let library = try #require(try Library.existing(at: fixture.locations.library))
            let before = try await library.fileRecord(root: "Pictures", path: "a.jpg")
            #expect(before?.pictures == .wanted)
            try await off.pass()
            let after = try await library.fileRecord(root: "Pictures", path: "a.jpg")
            #expect(after?.pictures == .unwanted)
            try await fixture.pass()
            #expect(try await fixture.objects()[Self.picture(512)] != nil)
        }
    }
}

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
@testable import Narration

/// Thumbnails that are made again until they are stored.
@Suite struct PictureTests {
    private func withPictures(_ tree: FileTree, _ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(tree) { fixture in
            var fixture = fixture
            fixture.settings.thumbnails.enabled = true
            fixture.equip = { $0.workers = PainterDouble() }
            try await body(fixture)
        }
    }

    @Test func aPictureLostOnItsWayIsMadeAgain() async throws {
        try await withPictures(["a.jpg": "one"]) { fixture in
            let cache = try fixture.locations.thumbnails
            let isLost = Shared(false)
            let asked = try await fixture.requests(failing: { request in
                guard request.path.hasPrefix("/object/media/.thumbnails/"), !isLost.value else { return nil }
                isLost.change { $0 = true }
                TemporaryDirectory.remove(cache)
                return .unavailable(retryAfter: 0)
            }) { try await fixture.pass() }
            #expect(asked.uploads.count { $0.contains(".thumbnails") } == 2)
            #expect(
                Set(try await fixture.objects().keys) == ["Pictures/a.jpg", ".thumbnails/512/Pictures/a.jpg.jpg"])
        }
    }

    /// Its original is stored, so nothing but the queue told that it was to be sent; and the first agent that finds the
    /// queue so may die before it has looked for what is missing.
    @Test(arguments: [false, true], [false, true])
    func aPictureThatWaitedInALostQueueIsMadeAgain(isDamaged: Bool, doesAgentDie: Bool) async throws {
        try await withPictures(["a.jpg": "one"]) { fixture in
            var hasty = fixture
            (hasty.settings.sync.patience, hasty.settings.scan.settle) = (.zero, .zero)
            _ = try await fixture.requests(failing: {
                $0.path.contains("/.thumbnails/") ? .unavailable(retryAfter: 0) : nil
            }) { _ = try await hasty.sync() }
            let state = try Directory(fixture.locations.state)
            for name in try state.names() where name.display.hasPrefix("queue") {
                try state.remove(file: name)
                if isDamaged { try OpenFile(creating: state.path.appending(name)).write(Array("{\n".utf8), at: 0) }
            }
            if doesAgentDie { _ = try await fixture.agent() }
            try await fixture.pass()
            #expect(
                Set(try await fixture.objects().keys) == ["Pictures/a.jpg", ".thumbnails/512/Pictures/a.jpg.jpg"])
        }
    }

    /// A thumbnail beside another would be that of no version, and stay when its photo is pruned.
    @Test func whereBothVersionsAreKeptThereIsOneThumbnail() async throws {
        try await withPictures(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.upload.onChange = .keepBoth
            try await fixture.pass()
            let before = try await fixture.objects()
            try fixture.write("another", to: "a.jpg")
            try await fixture.pass()
            let after = try await fixture.objects()
            let key = ".thumbnails/512/Pictures/a.jpg.jpg"
            #expect(after.keys.filter { $0.hasPrefix(".thumbnails") } == [key])
            #expect(after[key] != before[key])
            #expect(after.count == 3)
        }
    }

    @Test func soundInAMoviesContainerIsStoredAndMissesNoPicture() async throws {
        try await AgentFixture.with(["a.mp4": "....ftypisom"]) { fixture in
            var fixture = fixture
            fixture.settings.thumbnails.enabled = true
            fixture.equip = { $0.workers = PainterDouble(findsSound: true) }
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.mp4"])
            let report = try await fixture.run(.steering) { try await $0.report(.details) }
            #expect(report.picturesOwed == 0)
            let library = try #require(try Library.existing(at: fixture.locations.library))
            let record = try #require(try await library.fileRecord(root: "Pictures", path: "a.mp4"))
            #expect(report.kinds.map(\.name) == ["audio"])
            #expect(record.pictures == .unwanted)
            #expect(record.note == "Sound only")
        }
    }

    /// Workers that cannot be started while something else needs the memory.
    struct LatePainter: MediaExamining {
        let isThere: @Sendable () -> Bool

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            guard isThere() else { return .unavailable("no memory for a process") }
            return await PainterDouble().examine(file, job)
        }

        func tend() async {}
    }

    /// Workers of which the first is slow, and that count what they are asked for.
    private struct SlowPainter: MediaExamining {
        let asked = Shared(0)
        let isHeld = Shared(true)

        func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
            let isFirst = asked.value == 0
            asked.change { $0 += 1 }
            if isFirst { try? await eventually("it may go on") { !isHeld.value } }
            return await PainterDouble().examine(file, job)
        }

        func tend() async {}
    }

    /// A film takes longer than its original waits for it, and a pass looks for what has no picture yet.
    @Test func picturesThatAreBeingMadeAreNotMadeTwice() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            fixture.settings.thumbnails.enabled = true
            let painter = SlowPainter()
            fixture.equip = { $0.workers = painter }
            try await fixture.run(.steering) { agent in
                let asset = try #require(try await agent.library.asset(root: "Pictures", path: "a.jpg"))
                async let isMade: Void = agent.pipeline.picture(asset)
                try await eventually("it is being made") { painter.asked.value == 1 }
                try await agent.pipeline.picture(asset)
                painter.isHeld.change { $0 = false }
                try await isMade
                #expect(painter.asked.value == 1)
                // What is not there once it has ended is made.
                try await agent.pipeline.picture(asset)
                #expect(await agent.queue.all().count { $0.role != .original } == 1)
            }
        }
    }

    @Test func aPictureThatNoWorkerCouldMakeIsMadeByTheNextPass() async throws {
        try await withPictures(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let isThere = Shared(false)
            fixture.equip = { $0.workers = LatePainter { isThere.value } }
            _ = try await fixture.sync()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets.stored == 1)
            #expect(report.picturesOwed == 1)
            isThere.change { $0 = true }
            try await fixture.pass()
            #expect(
                Set(try await fixture.objects().keys) == ["Pictures/a.jpg", ".thumbnails/512/Pictures/a.jpg.jpg"])
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let record = try #require(try await library.fileRecord(root: "Pictures", path: "a.jpg"))
            #expect(record.pictures == .made)
            #expect(record.note == "Named like JPEG, but its bytes are not")
        }
    }

    /// A folder that has a file's name for a while is not that file, so nothing is concluded from it.
    @Test func aFileWhoseNameAFolderHadMeanwhileHasItsPicture() async throws {
        try await withPictures(["a.jpg": "one"]) { fixture in
            var early = fixture
            early.equip = { $0.workers = LatePainter { false } }
            _ = try await early.sync()
            try await fixture.run(.steering) { agent in
                let asset = try #require(try await agent.library.asset(root: "Pictures", path: "a.jpg"))
                try Directory(fixture.gallery).rename("a.jpg", to: "b.jpg")
                try Directory.create(at: fixture.gallery.appending("a.jpg"))
                try await agent.pipeline.picture(asset)
                try Directory.removeTree(at: fixture.gallery.appending("a.jpg"))
                try Directory(fixture.gallery).rename("b.jpg", to: "a.jpg")
            }
            try await fixture.pass()
            #expect(
                Set(try await fixture.objects().keys) == ["Pictures/a.jpg", ".thumbnails/512/Pictures/a.jpg.jpg"])
        }
    }

    /// Earlier versions wrote down a crash where another program had killed the worker.
    @Test func aPictureWhoseWorkerWasKilledUnderAnEarlierVersionIsMade() async throws {
        try await withPictures(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            var early = fixture
            early.equip = { $0.workers = LatePainter { false } }
            _ = try await early.sync()
            try Connection(path: fixture.locations.library.display).execute(
                """
                UPDATE assets SET thumbnails = 3, note = 'No thumbnail: the decoder crashed (signal ' ||
                    CASE WHEN name = CAST('a.jpg' AS BLOB) THEN '9)' ELSE '11)' END
                """)
            try await fixture.pass()
            let pictures = try await fixture.objects().keys.filter { $0.hasPrefix(".thumbnails") }
            #expect(pictures == [".thumbnails/512/Pictures/a.jpg.jpg"])
        }
    }

    @Test func originalsAreStoredThoughTheCacheTakesNothing() async throws {
        try await withPictures(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            let cache = try fixture.locations.thumbnails
            try Directory.create(at: cache.parent)
            try OpenFile(creating: cache).write(Array("no folder".utf8), at: 0)
            try await fixture.pass()
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.assets.stored == 2 && report.picturesOwed == 2)
            let words = "No thumbnail: the thumbnail cache \(cache) cannot be used: File exists"
            #expect(report.picturesTrouble == words)
            let named = "\(words): 2 files, such as Pictures/a.jpg"
            #expect(report.notes.suffix(2) == ["2 stored files lack a thumbnail: the next sync makes it", named])
            var state = WatchState()
            state.add(report)
            #expect(state.conditions[.pictures]?.sentence == "2 stored files lack a thumbnail. \(words).")
            TemporaryDirectory.remove(cache)
            try await fixture.pass()
            #expect(try await fixture.objects().count == 4)
            let after = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(after.picturesOwed == 0 && after.picturesTrouble == nil)
        }
    }

    @Test func aFileThatIsAwayWhileItsPictureIsSentGetsItOnceItIsBack() async throws {
        try await withPictures(["b.jpg": "other"]) { fixture in
            try await fixture.pass()
            try fixture.write("one", to: "a.jpg")
            var (early, away) = (fixture, fixture)
            early.equip = { $0.workers = LatePainter { false } }
            _ = try await early.sync()
            away.equip = { setup in
                setup.workers = LatePainter { [folder = fixture.folder] in
                    (try? Directory(folder).rename("Pictures/a.jpg", to: "away.jpg")) != nil
                }
            }
            _ = try await away.sync()
            let picture = ".thumbnails/512/Pictures/a.jpg.jpg"
            #expect(try await fixture.objects()[picture] == nil)
            try Directory(fixture.folder).rename("away.jpg", to: "Pictures/a.jpg")
            try await fixture.pass()
            #expect(try await fixture.objects()[picture] != nil)
        }
    }

    /// As an earlier version left it: counted as made, without a receipt or an object.
    @Test func aPictureThatAnEarlierVersionLostIsCountedAndMade() async throws {
        try await withPictures(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            try await fixture.pass()
            let key = ".thumbnails/512/Pictures/b.jpg.jpg"
            try await fixture.storage.delete(bucket: "media", key: key)
            try Connection(path: fixture.locations.library.display).execute(
                "DELETE FROM receipts WHERE key = '\(key)'; DELETE FROM facts WHERE name = 'pictures'")
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.picturesOwed == 1)
            #expect(report.reasons().first?.kind == .someFailed)
            try await fixture.pass()
            #expect(try await fixture.objects().count == 4)
            let after = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(after.picturesOwed == 0)
        }
    }

    /// Its item was in the queue alone, where the library counts it as made.
    @Test func aPictureThatADamagedQueueForgotIsMadeAgain() async throws {
        try await withPictures(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            let key = ".thumbnails/512/Pictures/a.jpg.jpg"
            try await fixture.storage.delete(bucket: "media", key: key)
            try Connection(path: fixture.locations.library.display).execute("DELETE FROM receipts WHERE key = '\(key)'")
            try await fixture.pass()
            #expect(try await fixture.objects()[key] == nil)
            try fixture.damageQueue()
            try await fixture.pass()
            #expect(try await fixture.objects()[key] != nil)
        }
    }

    /// It made the same picture, and met in the queue the item that was about to go.
    @Test func aPictureThatAnotherTaskCountsAsMadeWhileItsItemGoesIsMadeAgain() async throws {
        try await withPictures(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            let key = ".thumbnails/512/Pictures/a.jpg.jpg"
            try await fixture.storage.delete(bucket: "media", key: key)
            TemporaryDirectory.remove(try fixture.locations.thumbnails)
            let item = Item(
                root: "Pictures", path: "a.jpg", role: .thumbnail(512), contentType: "image/jpeg", size: 3,
                sha256: SHA256.hash("one".utf8).hexadecimal, modifiedAt: FileTime(nanoseconds: 0), bucket: "media",
                objectKey: ObjectKey(text: key), now: Date())
            try await fixture.run(.steering) { _ = try await $0.queue.add(item, origin: .backlog, now: Date()) }
            let database = try Connection(path: fixture.locations.library.display)
            try database.execute("DELETE FROM receipts WHERE key = '\(key)'")
            try database.execute(
                """
                CREATE TRIGGER meanwhile AFTER UPDATE OF thumbnails ON assets
                WHEN old.thumbnails = 2 AND new.thumbnails = 1 AND NOT EXISTS (SELECT 1 FROM facts WHERE name = 'meanwhile')
                BEGIN
                    UPDATE assets SET thumbnails = 2;
                    INSERT INTO facts (name, value) VALUES ('meanwhile', 'done');
                END
                """)
            try await fixture.pass()
            let wasCounted = try database.exists("SELECT 1 FROM facts WHERE name = 'meanwhile'")
            #expect(wasCounted)
            #expect(try await fixture.objects()[key] != nil)
        }
    }

    /// The run that moved the original ended before its picture was moved, and the next picture differs.
    @Test func aPictureOfAFormerNameGoesThoughAnotherRunMovedItsOriginal() async throws {
        try await withPictures(["a.jpg": "one", "b.jpg": "other"]) { fixture in
            try await fixture.pass()
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            var blind = fixture
            blind.settings.sync.patience = .zero
            _ = try await fixture.requests(failing: { request in
                request.path.contains("/.thumbnails/") ? .drop(afterReading: 0) : nil
            }) { _ = try await blind.sync() }
            #expect(try await fixture.objects()["Pictures/c.jpg"] == Array("one".utf8))
            try fixture.write("another", to: "c.jpg")
            try await fixture.pass()
            let names = ["b", "c"].flatMap { ["Pictures/\($0).jpg", ".thumbnails/512/Pictures/\($0).jpg.jpg"] }
            #expect(try await fixture.verifiedKeys() == Set(names))
        }
    }

    @Test func pictureAndOriginalTakeTheirNewNameTogether() async throws {
        try await withPictures(["a.jpg": "one", "b.jpg": "other", "c.jpg": "one"]) { fixture in
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            for name in ["a", "b", "c"] { try gallery.rename(FilePath("\(name).jpg"), to: FilePath("new \(name).jpg")) }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            let names = ["a", "b", "c"].flatMap {
                ["Pictures/new \($0).jpg", ".thumbnails/512/Pictures/new \($0).jpg.jpg"]
            }
            #expect(Set(try await fixture.objects().keys) == Set(names))
        }
    }
}

import Configuration
import Fixtures
import Foundation
import Platform
import Reconciling
import Records
import Reporting
import Serving
import StorageServer
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Gallery
@testable import Queue
@testable import Roots

/// A photo that was deleted here is only in storage; another one that gets its name, as from a camera that counts from 1
/// again, never takes its place there.
@Suite struct LastCopyTests {
    private static func beside(_ text: String) -> String {
        "Pictures/a--\(SHA256.hash(text.utf8).hexadecimal.prefix(8)).jpg"
    }

    /// "one" was stored and deleted, and then came what each test makes of it.
    private func withDeleted(_ body: (inout AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(["a.jpg": "one", "z.jpg": "other"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.pass()
            try await body(&fixture)
        }
    }

    /// One pass, with `step` after the first request that `isAwaited` accepts and before the agent hears its answer.
    private func pass(
        _ fixture: AgentFixture, onceAnswered isAwaited: @escaping @Sendable (HTTPRequest) -> Bool,
        _ step: @escaping @Sendable (AgentFixture) async throws -> Void
    ) async throws {
        let line = SteppedTransport(server: fixture.client)
        line.after.change {
            $0 = { request in
                guard isAwaited(request) else { return }
                line.after.change { $0 = { _ in } }
                try await step(fixture)
            }
        }
        var stepped = fixture
        stepped.equip = { $0.transport = line }
        try await stepped.pass()
    }

    private func texts(_ fixture: AgentFixture) async throws -> [String: String] {
        try await fixture.objects().filter { $0.key != "Pictures/z.jpg" }.mapValues {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func itIsSetAsideForAnotherPhotoOfItsName() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "two", Self.beside("one"): "one"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 1 && report.assets.stored == 2)
            let again = try await fixture.requests { try await fixture.pass() }
            #expect(again.changes.isEmpty)
        }
    }

    /// To make room for it, what lay under its new name was deleted; that deletion is expected for hours.
    @Test func neitherIsOneThatWasRenamedInAnothersPlace() async throws {
        try await AgentFixture.with(["0.jpg": "one", "a.jpg": "second"]) { fixture in
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            try gallery.rename("a.jpg", to: "z.jpg")
            try gallery.rename("0.jpg", to: "a.jpg")
            try await fixture.pass()
            try gallery.remove(file: "a.jpg")
            try await fixture.pass()
            try fixture.write("three", to: "a.jpg")
            try await fixture.pass()
            let left = try await texts(fixture)
            #expect(left == ["Pictures/a.jpg": "three", Self.beside("one"): "one"])
        }
    }

    /// Its content was stored under the name of the other one, as while the network is away between two renames.
    @Test func neitherIsOneThatWasDeletedUnderANameItWasNotStoredBy() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "second", "z.jpg": "other"]) { fixture in
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            try gallery.rename("a.jpg", to: "x.jpg")
            try gallery.rename("b.jpg", to: "a.jpg")
            try gallery.rename("x.jpg", to: "b.jpg")
            try await fixture.run(.steering) { try await $0.pause() }
            let paused = try await fixture.paused(untilQueued: 2)
            try gallery.remove(file: "b.jpg")
            _ = try await paused.sync()
            let told = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(told.besides.remoteOnly == 1)
            _ = try await fixture.run(.steering) { try await $0.resume() }
            try await fixture.pass()
            let left = try await texts(fixture)
            #expect(left == ["Pictures/a.jpg": "second", Self.beside("one"): "one"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 1)
        }
    }

    @Test func bothCountOnceTheOtherPhotoIsGoneToo() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.pass()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 2 && report.assets.stored == 1)
            let listed = try await fixture.run(.steering) { try await $0.prune(deleting: false) }.result.objects
            #expect(listed.count == 2)
        }
    }

    @Test func whyTellsOfBoth() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let known = try #require(try await library.roots().first)
            let told = try await Explanation(
                of: fixture.gallery.appending("a.jpg"), root: (Root(known: known), "a.jpg"), library: library,
                items: []
            ).decisions.filter { $0.contains("is stored as") }
            #expect(told.count == 2)
            #expect(told.contains { $0.hasPrefix("The file is stored as Pictures/a.jpg, 3 B,") })
            #expect(
                told.contains { $0.hasPrefix("An earlier file of its name is stored as \(Self.beside("one")), 3 B,") })
        }
    }

    /// It changes like any other file: of its own versions the newest is kept.
    @Test func theOtherPhotoIsReplacedWhenItChanges() async throws {
        try await withDeleted { fixture in
            for text in ["two", "three"] {
                try fixture.write(text, to: "a.jpg")
                try await fixture.pass()
            }
            try await fixture.pass()
            let left = try await texts(fixture)
            #expect(left == ["Pictures/a.jpg": "three", Self.beside("one"): "one"])
        }
    }

    @Test(arguments: [false, true])
    func pruneListsItAndDeletesItAlone(isDeleting: Bool) async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            let (result, ending) = try await fixture.run(.steering) { try await $0.prune(deleting: isDeleting) }
            #expect(ending == .done && result.kept.isEmpty)
            #expect(result.objects.map(\.key) == [Self.beside("one")])
            let left = ["Pictures/a.jpg": "two"]
            let all = left.merging([Self.beside("one"): "one"]) { $1 }
            #expect(try await texts(fixture) == (isDeleting ? left : all))
            try await fixture.pass()
            #expect(try await texts(fixture) == (isDeleting ? left : all))
        }
    }

    /// The file that was gone is back: it is stored, and changes like any other.
    @Test func whatComesBackAsItWasIsOneFile() async throws {
        try await withDeleted { fixture in
            try fixture.write("one", to: "a.jpg")
            try await fixture.pass()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0 && report.assets.stored == 2)
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "two"])
        }
    }

    /// Both are to be kept, so the other one takes room of its own.
    @Test func whereBothDoNotFitTheOtherPhotoWaits() async throws {
        try await withDeleted { fixture in
            fixture.settings.destination.storageBudget = .bytes(12)
            try fixture.write("three!", to: "a.jpg")
            guard case .full = try await fixture.sync() else { return #expect(Bool(false), "14 bytes have no room") }
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "one"])
            fixture.settings.destination.storageBudget = .bytes(14)
            try await fixture.pass()
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "three!", Self.beside("one"): "one"])
        }
    }

    /// As when the user puts the deleted photo back in the other's place: the file has one object then, under its own key.
    @Test func whatWasSetAsideComesBackInTheOthersPlace() async throws {
        try await withDeleted { fixture in
            for text in ["two", "one"] {
                try fixture.write(text, to: "a.jpg")
                try await fixture.pass()
            }
            try await fixture.pass()
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "one"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0 && report.assets.stored == 2)
        }
    }

    /// The very file is put back, as from a trash: its object is moved, which takes no room.
    @Test(arguments: [true, false])
    func whatWasSetAsideComesBackToAFullStorage(isReplaced: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "z.jpg": "other"]) { fixture in
            var fixture = fixture
            try await fixture.pass()
            let folder = try Directory(fixture.gallery.parent)
            let file = FilePath(bytes: fixture.gallery.name).appending("a.jpg")
            try folder.rename(file, to: "trash.jpg")
            try await fixture.pass()
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            if !isReplaced {
                try Directory(fixture.gallery).rename("a.jpg", to: "b.jpg")
                try await fixture.pass()
            }
            try folder.rename("trash.jpg", to: file)
            fixture.settings.destination.storageBudget = .bytes(11)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            let other = isReplaced ? [:] : ["Pictures/b.jpg": "two"]
            #expect(try await texts(fixture) == other.merging(["Pictures/a.jpg": "one"]) { $1 })
            let again = try await fixture.requests { try await fixture.pass() }
            #expect(again.changes.isEmpty)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0 && report.assets.stored == (isReplaced ? 2 : 3))
        }
    }

    /// It was sent again under its own key, and what was set aside could not be looked at afterwards; then it is renamed,
    /// and another photo gets its name before it is stored by the new one.
    @Test func whatWasSetAsideAndNeededNoMoreIsKeptAgain() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            try fixture.write("one", to: "a.jpg")
            let (aside, isSent) = (Self.beside("one"), Shared(false))
            let relocations: [Substring] = ["/object/move", "/object/copy"]
            _ = try await fixture.requests(
                failing: {
                    if $0.method == "POST", $0.path == "/object/media/Pictures/a.jpg" { isSent.change { $0 = true } }
                    return relocations.contains($0.path) || isSent.value && $0.path.hasSuffix(aside) ? .denied : nil
                }
            ) { try await fixture.pass() }
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "one", aside: "one"])
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            try fixture.write("three", to: "a.jpg")
            var hasty = fixture
            hasty.settings.sync.patience = .zero
            hasty.settings.scan.settle = .zero
            let unready = hasty
            _ = try await fixture.requests(
                failing: {
                    if $0.path == "/object/copy" { return .denied }
                    return $0.path.hasSuffix("/c.jpg") ? .unavailable(retryAfter: 0) : nil
                }
            ) { _ = try await unready.sync() }
            let left = try await texts(fixture)
            #expect(left == ["Pictures/a.jpg": "three", aside: "one"])
            for _ in 0..<2 { try await fixture.pass() }
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "three", "Pictures/c.jpg": "one"])
        }
    }

    /// The other photo has another name by then: what "restore" brings has the file's own name only under its own key.
    @Test func whatWasSetAsideComesBackToAFreeName() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            try Directory(fixture.gallery).rename("a.jpg", to: "b.jpg")
            try await fixture.pass()
            try fixture.write("one", to: "a.jpg")
            for _ in 0..<2 { try await fixture.pass() }
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "one", "Pictures/b.jpg": "two"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0 && report.assets.stored == 3)
        }
    }

    /// "restore" brings it by the name that it has in storage, where another photo has its own.
    @Test func whatComesBackBesideTheOtherPhotoIsAFileOfItsOwn() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            let name = String(Self.beside("one").dropFirst("Pictures/".count))
            try fixture.write("one", to: FilePath(name))
            let sent = try await fixture.requests { try await fixture.pass() }
            #expect(sent.changes.isEmpty)
            #expect(try await fixture.run(.steering) { try await $0.prune(deleting: false) }.result.objects.isEmpty)
            try Directory(fixture.gallery).remove(file: FilePath(name))
            try await fixture.pass()
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 1 && report.assets.stored == 2)
            let listed = try await fixture.run(.steering) { try await $0.prune(deleting: false) }.result.objects
            #expect(listed.map(\.key) == [Self.beside("one")])
            #expect(listed.map(\.path) == [Self.beside("one")] && !listed[0].isSetAside)
        }
    }

    /// Storage has the other photo by then, and no receipt says so.
    @Test func whatComesBackWhileTheOtherPhotoIsSentHasItsOwnKey() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            let isSent: @Sendable (HTTPRequest) -> Bool = {
                $0.method == .post && $0.url.hasSuffix("/object/media/Pictures/a.jpg")
            }
            try await pass(fixture, onceAnswered: isSent) { try $0.write("one", to: "a.jpg") }
            try await fixture.pass()
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "one"])
        }
    }

    /// Another program stores something there at that very moment.
    @Test func whatTakesTheNameThatWasFreedStays() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "a.jpg")
            // The question whether the name is free follows the move.
            let isMoved = Shared(false)
            let isFree: @Sendable (HTTPRequest) -> Bool = { request in
                if request.url.hasSuffix("/object/move") { isMoved.change { $0 = true } }
                return isMoved.value && request.url.hasSuffix("/object/info/authenticated/media/Pictures/a.jpg")
            }
            try await pass(fixture, onceAnswered: isFree) {
                try await $0.put(Array("theirs".utf8), at: "Pictures/a.jpg")
            }
            let expected = ["Pictures/a.jpg": "theirs", Self.beside("one"): "one", Self.beside("two"): "two"]
            #expect(try await texts(fixture) == expected)
        }
    }

    /// The other one's object is moved there, and not sent once more.
    @Test func itIsSetAsideForAStoredPhotoThatGetsItsName() async throws {
        try await withDeleted { fixture in
            try fixture.write("two", to: "b.jpg")
            try await fixture.pass()
            try Directory(fixture.gallery).rename("b.jpg", to: "a.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "two", Self.beside("one"): "one"])
        }
    }

    /// Where storage has the former photo under another name as well, its own place is free.
    @Test func whatIsStoredUnderAnotherNameIsNoLastCopy() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one"]) { fixture in
            try await fixture.pass()
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.pass()
            try fixture.write("two", to: "a.jpg")
            try await fixture.pass()
            #expect(try await texts(fixture) == ["Pictures/a.jpg": "two", "Pictures/b.jpg": "one"])
            // That one is kept for it from then on.
            try fixture.write("three", to: "b.jpg")
            try await fixture.pass()
            let left = try await texts(fixture)
            #expect(left == ["Pictures/a.jpg": "two", "Pictures/b.jpg": "three", "Pictures/b--7692c3ad.jpg": "one"])
        }
    }

    /// Each name's object is replaced at the same time as the other's, and neither may count on that.
    @Test func ofTwoPhotosWithOneContentOneStaysWhereOthersGetBothNames() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one", "z.jpg": "other"]) { fixture in
            try await fixture.pass()
            for name in ["a.jpg", "b.jpg"] as [FilePath] { try Directory(fixture.gallery).remove(file: name) }
            try await fixture.pass()
            for name in ["a.jpg", "b.jpg"] as [FilePath] { try fixture.write("new \(name.display)", to: name) }
            try await fixture.pass()
            try await fixture.pass()
            #expect(try await texts(fixture).values.filter { $0 == "one" }.count == 1)
        }
    }

    /// Its former name is taken before it is stored by the new one, and it is gone before a scan sees that.
    @Test func whatIsStoredUnderAFormerNameStaysWhereThatIsTaken() async throws {
        try await AgentFixture.with(["a.jpg": "one", "z.jpg": "other"]) { fixture in
            try await fixture.pass()
            try await fixture.run(.steering) { try await $0.pause() }
            let gallery = try Directory(fixture.gallery)
            try gallery.rename("a.jpg", to: "c.jpg")
            try fixture.write("three!", to: "a.jpg")
            _ = try await fixture.paused(untilQueued: 2)
            _ = try await fixture.run(.steering) { try await $0.resume() }
            let line = SteppedTransport(server: fixture.client)
            line.after.change {
                $0 = { _ in
                    if FileManager.default.fileExists(atPath: fixture.gallery.appending("c.jpg").display) {
                        try gallery.remove(file: "c.jpg")
                    }
                }
            }
            var stepped = fixture
            stepped.equip = { $0.transport = line }
            try await stepped.pass()
            try await fixture.pass()
            let left = try await texts(fixture)
            #expect(left["Pictures/a.jpg"] == "three!" && left.values.contains("one"))
        }
    }

    /// Two photos swap their names while storage is away, and one is deleted before the scan has seen that of the other.
    @Test func whatIsDeletedUnderASwappedNameStays() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two!", "z.jpg": "other"]) { fixture in
            try await fixture.pass()
            try await fixture.run(.steering) { try await $0.pause() }
            let gallery = try Directory(fixture.gallery)
            // The scan sees "two!" as a.jpg while b.jpg is there.
            try gallery.remove(file: "a.jpg")
            try fixture.write("two!", to: "a.jpg")
            _ = try await fixture.paused(untilQueued: 1)
            try gallery.remove(file: "a.jpg")
            try fixture.write("one", to: "b.jpg")
            try await fixture.run(.steering) { agent in
                let library = agent.library
                let root = try #require(try await library.roots().first)
                _ = try await library.merge(nil, at: "a.jpg", root: root.id, origin: .arrival, now: Date())
                try await library.commit()
            }
            _ = try await fixture.run(.steering) { try await $0.resume() }
            for _ in 0..<2 { try await fixture.pass() }
            let left = try await texts(fixture)
            #expect(left["Pictures/b.jpg"] == "one" && left.values.contains("two!"))
        }
    }

    /// A card was emptied after it was stored, and the camera has begun to count anew: nothing stored has changed.
    @Test func theBrakeIsNotOnForPhotosOfNewFiles() async throws {
        let names = (0..<60).map { FilePath("\($0).jpg") }
        try await AgentFixture.with([:]) { fixture in
            for name in names { try fixture.write("old \(name.display)", to: name) }
            try await fixture.pass()
            for name in names.dropFirst() { try Directory(fixture.gallery).remove(file: name) }
            try await fixture.pass()
            for name in names.dropFirst() { try fixture.write("new \(name.display)", to: name) }
            try await fixture.pass()
            #expect(try await fixture.objects().count == 60 + 59)
        }
    }
}

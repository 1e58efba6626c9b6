import Configuration
import Fixtures
import FoundationEssentials
import Platform
import Records
import Reporting
import Roots
import Sync
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Gallery

/// A root whose directory was renamed, and whose new place the configuration names.
@Suite struct RenamedRootTests {
    /// - Parameter name: What the configuration calls it.
    private func renamed(
        name: String? = "Pictures", _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            let photos = fixture.folder.appending("Photos")
            try Directory(fixture.folder).rename("Pictures", to: "Photos")
            var renamed = AgentFixture(
                folder: fixture.folder, gallery: photos, server: fixture.server, client: fixture.client,
                faults: fixture.faults)
            renamed.settings = fixture.settings
            renamed.settings.roots = [Settings.Root(path: photos, name: name)]
            try await body(renamed)
        }
    }

    private func sync(_ fixture: AgentFixture) async throws {
        #expect(try await fixture.run { try await $0.sync([]) } == .done)
    }

    @Test(arguments: ["Pictures", nil])
    func itGoesOnAsTheRootThatItWas(name: String?) async throws {
        try await renamed(name: name) { fixture in
            try fixture.write("new", to: "b.jpg")
            let asked = try await fixture.requests { try await sync(fixture) }
            #expect(asked.uploads == ["/object/media/Pictures/b.jpg"])
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.roots.map(\.path) == [fixture.gallery.display])
            #expect(report.besides.remoteOnly + report.besides.gone == 0)
        }
    }

    /// What a check, a report and a dry run say before the first sync.
    @Test func itIsTheRootThatItWasAlsoForThoseThatOnlyLook() async throws {
        try await renamed { fixture in
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let found = try await RenamedRoots(library: library, configured: fixture.settings.roots).roots()
            #expect(found.map(\.name) == ["Pictures"] && found.map(\.path) == [fixture.gallery])
            #expect(fixture.settings.namesNotTaken(by: found).isEmpty)
            #expect(try await library.roots().map(\.path) != [fixture.gallery], "nothing is written")
        }
    }

    /// A copy is another directory, and so is one beside the former.
    @Test(arguments: [true, false])
    func anotherDirectoryIsAnotherRoot(isCopy: Bool) async throws {
        try await renamed { fixture in
            if isCopy {
                try Directory(fixture.folder).rename("Photos", to: "away")
                try Directory.create(at: fixture.gallery)
                try fixture.write("one", to: "a.jpg")
            } else {
                try Directory.create(at: fixture.folder.appending("Pictures"))
            }
            try await sync(fixture)
            #expect(try await fixture.objects().keys.contains("Pictures-2/a.jpg"))
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            let note =
                "\(fixture.gallery.display) is the root Pictures-2, since the name Pictures belongs to the one that was at "
            #expect(report.notes.contains { $0.hasPrefix(note) }, "\(report.notes)")
        }
    }

    /// What is at the new place when the first agent starts, before the disk with the root comes there.
    enum Before: CaseIterable { case nothing, mountPoint }

    /// A disk that is mounted elsewhere now, or renamed, and is away while the agent starts.
    @Test(arguments: Before.allCases, ["Pictures", nil])
    func itIsTheRootThatItWasWhereItComesLater(before: Before, name: String?) async throws {
        // Without a name, an empty directory is a new root.
        if before == .mountPoint, name == nil { return }
        try await renamed(name: name) { fixture in
            var fixture = fixture
            fixture.equip = {
                $0.time = DateClock(now: { Date() }, sleep: { _ in try await Task.sleep(for: .milliseconds(10)) })
            }
            try fixture.write("new", to: "b.jpg")
            let folder = try Directory(fixture.folder)
            try folder.rename("Photos", to: "away")
            if before == .mountPoint { try Directory.create(at: fixture.gallery) }
            let place = fixture.gallery
            try await fixture.watching { agent in
                let report = try await agent.report("it waits") { $0.agent.paused }
                #expect(report.agent.reason?.hasPrefix(place.display) ?? false)
                if before == .mountPoint { try Directory.removeTree(at: place) }
                try folder.rename("away", to: "Photos")
                _ = try await agent.report("it is stored") { $0.assets.stored == 2 }
            }
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// Such as one whose directory was renamed before the first agent had looked at it.
    @Test func aRootInWhichNoFileWasSeenIsWhereTheConfigurationSays() async throws {
        try await renamed { fixture in
            let library = try Library(path: fixture.locations.library)
            _ = try await library.addRoot(at: fixture.folder.appending("New"), name: "New")
            try await library.close()
            var other = fixture
            other.settings.roots.append(Settings.Root(path: fixture.folder.appending("Newer"), name: "New"))
            try Directory.create(at: fixture.folder.appending("Newer"))
            try OpenFile(creating: fixture.folder.appending("Newer/c.jpg")).append(Array("three".utf8))
            try await sync(other)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "New/c.jpg"])
        }
    }

    /// As after `init` at the new place: the former one is named as missing, and nothing is stored twice.
    @Test func itGoesOnWhereTheConfigurationNamesBothPlaces() async throws {
        try await renamed(name: nil) { fixture in
            var both = fixture
            let former = fixture.folder.appending("Pictures")
            both.settings.roots.insert(Settings.Root(path: former), at: 0)
            let ending = try await both.run { try await $0.sync([]) }
            #expect("\(ending)".hasPrefix("\(former.display) is not there. Create it"))
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg"])
        }
    }

    /// A new directory may get the inode number of one that was deleted, which the name in the configuration would deny.
    @Test func otherFilesInTheSameDirectoryAreAnotherRoot() async throws {
        try await renamed(name: nil) { fixture in
            try fixture.write("another", to: "a.jpg")
            try await sync(fixture)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Photos/a.jpg"])
        }
    }

    /// Otherwise the files of a folder would be those of two roots.
    @Test func aRootThatWasMovedIntoAnotherOneIsAPartOfThat() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            let moved = AgentFixture(
                folder: fixture.folder, gallery: fixture.folder.appending("Moved"), server: fixture.server,
                client: fixture.client, faults: fixture.faults)
            try Directory.create(at: moved.gallery)
            try moved.write("two", to: "b.jpg")
            var both = fixture
            both.settings.roots = [Settings.Root(path: fixture.gallery), Settings.Root(path: moved.gallery)]
            try await sync(both)
            try Directory(fixture.folder).rename("Moved", to: "Pictures/Moved")
            both.settings.roots = [Settings.Root(path: fixture.gallery.appending("Moved"))]
            try await sync(both)
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            #expect(try await library.roots().map(\.path) == [fixture.gallery, moved.gallery])
            #expect(try await fixture.objects().keys.contains("Pictures/Moved/b.jpg"))
        }
    }
}

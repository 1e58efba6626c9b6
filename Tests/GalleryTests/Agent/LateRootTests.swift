import Catalog
import Configuration
import Database
import Foundation
import Gallery
import Platform
import Records
import Reporting
import TestSupport
import Testing
import Text

/// A configured directory that is not there when the agent starts, as on a disk that is mounted after the login.
@Suite struct LateRootTests {
    @Test func aWatchWaitsForItAndSaysSo() async throws {
        try await AgentFixture.with([:]) { fixture in
            let disk = fixture.folder.appending("disk")
            var fixture = fixture
            fixture.settings.roots = [.init(path: disk)]
            fixture.equip = {
                $0.time = DateClock(now: { Date() }, sleep: { _ in try await Task.sleep(for: .milliseconds(10)) })
            }
            try await fixture.watching { agent in
                let report = try await agent.report("it waits") { $0.agent.paused }
                #expect(report.agent.reason == "\(disk.display) is not there")
                try Directory.create(at: disk)
                try OpenFile(creating: disk.appending("a.jpg")).append([1])
                let after = try await agent.report("it is stored") { $0.assets.stored == 1 }
                #expect(!after.agent.paused)
            }
        }
    }

    /// Such as below a share whose server has gone, or in another user's directory: the others are watched all the same.
    @Test func oneThatCannotBeLookedForKeepsNoOtherFromBeingWatched() async throws {
        try await AgentFixture.with(["a.jpg": .file([1])]) { fixture in
            let loop = fixture.folder.appending("loop")
            try Directory(fixture.folder).createLink("loop", to: "loop")
            let disk = loop.appending("disk")
            var fixture = fixture
            fixture.settings.roots = [.init(path: fixture.gallery), .init(path: disk)]
            fixture.equip = {
                $0.time = DateClock(now: { Date() }, sleep: { _ in try await Task.sleep(for: .milliseconds(10)) })
            }
            try await fixture.watching { agent in
                let report = try await agent.report("the other is stored") { $0.assets.stored == 1 }
                #expect(
                    report.agent.reason
                        == "\(disk.display) cannot be looked for: Too many levels of symbolic links")
                try Directory(loop.parent).remove(file: "loop")
                try Directory.create(at: disk)
                try OpenFile(creating: disk.appending("b.jpg")).append([2])
                let after = try await agent.report("it is stored") { $0.assets.stored == 2 }
                #expect(!after.agent.paused)
            }
        }
    }

    /// One folder of it is tried first, before the whole was ever looked at.
    @Test func aPartOfAConfiguredRootIsNoRootOfItsOwn() async throws {
        try await AgentFixture.with(["2024": ["a.jpg": "one"], "2025": ["b.jpg": "two"]]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [.init(path: fixture.gallery)]
            let part = fixture.gallery.appending("2024")
            let first = try await fixture.run { try await $0.sync([part]) }
            #expect(first == .done)
            #expect(try await fixture.objects().keys.sorted() == ["Pictures/2024/a.jpg"])
            let second = try await fixture.run { try await $0.sync([]) }
            #expect(second == .done)
            #expect(try await fixture.objects().keys.sorted() == ["Pictures/2024/a.jpg", "Pictures/2025/b.jpg"])
        }
    }

    @Test func oneDirectoryIsNotTwoRoots() async throws {
        try await AgentFixture.with(["a.jpg": .file([1])]) { fixture in
            let link = fixture.folder.appending("link")
            try Directory(fixture.folder).createLink("link", to: fixture.gallery)
            var fixture = fixture
            fixture.settings.roots = [.init(path: fixture.gallery), .init(path: link)]
            let ending = try await fixture.run { try await $0.sync([]) }
            #expect(ending.kind == .needsHuman)
            #expect(ending.description.hasPrefix("\(link) and \(fixture.gallery) are one directory, and"))
            #expect(try await fixture.objects().isEmpty)
        }
    }

    /// On the command line, where symlinks are followed, a root is known by another path.
    @Test func aRootIsNamedByItsDirectory() async throws {
        try await AgentFixture.with(["a.jpg": .file([1]), "in": ["b.jpg": .file([2])]]) { fixture in
            let link = fixture.folder.appending("link")
            try Directory(fixture.folder).createLink("link", to: fixture.gallery)
            var fixture = fixture
            fixture.settings.roots = [.init(path: link)]
            let target = try fixture.gallery.resolved()
            #expect(try await fixture.run { try await $0.sync([target.appending("in")]) } == .done)
            #expect(try await fixture.objects().keys.sorted() == ["link/in/b.jpg"])
            #expect(try await fixture.run { try await $0.sync([target]) } == .done)
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            #expect(try await fixture.objects().keys.sorted() == ["link/a.jpg", "link/in/b.jpg"])
        }
    }

    /// Earlier versions knew a root by the path as it was written.
    @Test func aRootIsTheSameOnceItsPathIsSpeltPlainly() async throws {
        try await AgentFixture.with(["a.jpg": .file([1])]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [.init(path: fixture.gallery)]
            try await fixture.pass()
            try Connection(path: fixture.locations.library.display).execute(
                "UPDATE roots SET path = CAST('\(fixture.folder)/./Pictures' AS BLOB)")
            let asked = try await fixture.requests {
                let ending = try await fixture.run { try await $0.sync([]) }
                #expect(ending == .done)
            }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.objects().keys.sorted() == ["Pictures/a.jpg"])
        }
    }

    @Test func aPassDoesNotWait() async throws {
        try await AgentFixture.with([:]) { fixture in
            var fixture = fixture
            fixture.settings.roots = [.init(path: fixture.folder.appending("disk"))]
            let ending = try await fixture.run { agent in try await agent.sync([]) }
            #expect(ending.kind == .needsHuman)
        }
    }

    @Test func aConfiguredFolderThatWasNeverThereKeepsNoOtherFromBeingStored() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let absent = fixture.folder.appending("usb")
            fixture.settings.roots = [fixture.gallery, absent].map { Settings.Root(path: $0) }
            let (ending, run) = try await fixture.run { agent in
                (try await agent.sync([]), try await agent.report(.summary).lastRun)
            }
            let advice = "Create it, mount its disk, or take it out of the configuration"
            #expect(ending == .absent("\(absent.display) is not there. \(advice), then run \"gallery-sync sync\""))
            #expect(run?.ending == .temporary && run?.awaitsDisk == true)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg"])
            try Directory.create(at: absent)
            try OpenFile(creating: absent.appending("b.jpg")).append(Array("two".utf8))
            #expect(try await fixture.run { try await $0.sync([]) } == .done)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "usb/b.jpg"])
        }
    }
}

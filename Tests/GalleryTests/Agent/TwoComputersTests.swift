import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Reconciling
import Records
import Reporting
import TestSupport
import Testing
import Text

/// Two computers that store folders of one name, with equal files, under the same prefix.
@Suite struct TwoComputersTests {
    private static let names = ["edited", "renamed", "deleted", "kept"]
    private static let tree = FileTree(
        Dictionary(uniqueKeysWithValues: names.map { (FilePath("\($0).jpg"), .file(Array($0.utf8))) }))
    private static let stored = Dictionary(
        uniqueKeysWithValues: names.map { ("Pictures/\($0).jpg", Array($0.utf8)) })

    /// The first computer has stored its files, and the second has found them stored.
    private func withBoth(_ body: (_ first: AgentFixture, _ second: AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(Self.tree) { first in
            try await first.pass()
            let second = try first.another(with: Self.tree)
            try await second.pass()
            #expect(try await second.verifiedKeys() == Set(Self.stored.keys))
            try await body(first, second)
        }
    }

    private func change(_ fixture: AgentFixture) throws {
        try fixture.write("edited anew", to: "edited.jpg")
        let gallery = try Directory(fixture.gallery)
        try gallery.rename("renamed.jpg", to: "new name.jpg")
        try gallery.remove(file: "deleted.jpg")
    }

    /// Each start said it, for good, until the state was named.
    @Test func aStateThatWasCopiedIsToldOfOnce() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            let said = Shared<[String]>([])
            fixture.equip = { $0.log = Log(level: .warning) { line in said.change { $0.append(line.message) } } }
            try await fixture.pass()
            for former in ["studio", "studio", "attic"] {
                let library = try Library(path: fixture.locations.library)
                try await library.setFact("computer.former", to: former)
                try await library.close()
                try await fixture.pass()
            }
            let told = said.value.filter { $0.hasPrefix("This profile came from another computer") }
            #expect(told.map { $0.contains("studio") } == [true, false])
        }
    }

    private static let beside = "Pictures/edited--\(SHA256.hash("edited anew".utf8).hexadecimal.prefix(8)).jpg"

    @Test func theSecondLeavesTheObjectsOfTheFirst() async throws {
        try await withBoth { first, second in
            try change(second)
            let asked = try await first.requests { try await second.pass() }
            #expect(asked.uploads == ["/object/media/\(Self.beside)"])
            for isDeleting in [false, true] {
                let (pruned, _) = try await second.run(.steering) { try await $0.prune(deleting: isDeleting) }
                #expect(pruned.objects.isEmpty && pruned.kept.map(\.key) == ["Pictures/deleted.jpg"])
            }

            var expected = Self.stored
            expected[Self.beside] = Array("edited anew".utf8)
            expected["Pictures/new name.jpg"] = Array("renamed".utf8)
            #expect(try await first.objects() == expected)
            let ending = try await first.verify().ending
            #expect(ending == .done)
            let report = try await second.run { try await $0.report(.summary) }
            #expect(report.assets.stored == 3 && report.besides.remoteOnly == 0)
            // What is the other computer's is none of its business any more.
            let again = try await second.run(.steering) { try await $0.prune(deleting: true) }
            #expect(again.result.kept.isEmpty && again.ending == .done)
        }
    }

    @Test func theFirstGoesOnWithItsOwn() async throws {
        try await withBoth { first, second in
            try change(first)
            try await first.pass()
            _ = try await first.run(.steering) { try await $0.prune(deleting: true) }
            #expect(
                try await first.objects() == [
                    "Pictures/edited.jpg": Array("edited anew".utf8), "Pictures/kept.jpg": Array("kept".utf8),
                    "Pictures/new name.jpg": Array("renamed".utf8),
                ])
        }
    }

    @Test func whatTheFirstChangedIsStoredBesideForTheSecond() async throws {
        try await withBoth { first, second in
            try first.write("edited anew", to: "edited.jpg")
            try await first.pass()
            let result = try await second.verify(repairing: true).result
            #expect(result.queued == 1)
            let beside = "Pictures/edited--\(SHA256.hash("edited".utf8).hexadecimal.prefix(8)).jpg"
            var expected = Self.stored
            expected["Pictures/edited.jpg"] = Array("edited anew".utf8)
            expected[beside] = Array("edited".utf8)
            #expect(try await first.objects() == expected)
        }
    }

    @Test func underTheNameOfTheFirstTheSecondTakesItsPlace() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            var fixture = fixture
            fixture.settings.upload.computer = "laptop"
            try await fixture.pass()
            let second = try fixture.another(with: Self.tree)
            try await second.pass()
            try change(second)
            try await second.pass()
            _ = try await second.run(.steering) { try await $0.prune(deleting: true) }
            #expect(
                try await second.objects() == [
                    "Pictures/edited.jpg": Array("edited anew".utf8), "Pictures/kept.jpg": Array("kept".utf8),
                    "Pictures/new name.jpg": Array("renamed".utf8),
                ])
        }
    }

    /// What the server says of an object whose bytes are gone would prove it again; also where the clock was set back.
    @Test(arguments: [(true, 0), (false, 0), (true, -3_600)])
    func whatADownloadFoundWrongIsStoredBeside(_ isDamaged: Bool, _ later: Double) async throws {
        try await withBoth { first, second in
            var second = second
            second.equip = { $0.clock = { Date() + later } }
            if isDamaged { try first.rot(Array("kept".utf8)) }
            let beside = "Pictures/kept--\(SHA256.hash("kept".utf8).hexadecimal.prefix(8)).jpg"
            let asked = try await first.requests {
                let (result, ending) = try await second.verify(percent: 100, repairing: true)
                #expect(result.queued == (isDamaged ? 1 : 0) && ending == .done)
            }
            #expect(asked.uploads.contains("/object/media/\(beside)") == isDamaged)
            #expect(try await first.objects()[beside] == (isDamaged ? Array("kept".utf8) : nil))
            #expect(try await second.verify(percent: 100).ending == .done)
        }
    }

    /// The first may delete and move what is its own; the second asks for it once a day.
    @Test(arguments: [(3_600.0, false), (90_000, true)])
    func whatTheFirstDeletesTheSecondStoresAgain(_ later: Double, _ isStored: Bool) async throws {
        try await withBoth { first, second in
            let gallery = try Directory(first.gallery)
            try gallery.remove(file: "deleted.jpg")
            try gallery.rename("renamed.jpg", to: "new name.jpg")
            try await first.pass()
            _ = try await first.run(.steering) { try await $0.prune(deleting: true) }
            #expect(try await first.objects()["Pictures/deleted.jpg"] == nil)
            var second = second
            second.equip = { $0.clock = { Date() + later } }
            try await second.pass()
            for name in ["deleted", "renamed"] {
                #expect(try await first.objects()["Pictures/\(name).jpg"] == (isStored ? Array(name.utf8) : nil))
            }
            // What it stored itself is there.
            let asked = try await first.requests { try await second.pass() }
            #expect(asked.uploads.isEmpty)
        }
    }

    /// Another file with the same bytes is not copied from an object that is known to be rotten.
    @Test func whatIsKnownToBeWrongIsNotCopied() async throws {
        try await withBoth { first, second in
            try first.rot(Array("kept".utf8))
            #expect(try await second.verify(percent: 100).ending == .someFailed(1))
            try second.write("kept", to: "copy.jpg")
            let asked = try await first.requests {
                let ending = try await second.sync()
                #expect(ending == .someDifferent(1))
            }
            #expect(asked.count("POST", "/object/copy") == 0)
            #expect(try await first.objects()["Pictures/copy.jpg"] == Array("kept".utf8))
        }
    }

    /// The user wants the bytes to be sent: the other computer's object is not for this one to replace.
    @Test func whatIsSentAnewGoesBesideTheObjectOfTheFirst() async throws {
        try await withBoth { first, second in
            var selection = Selection()
            (selection.which, selection.isForced) = (.all, true)
            let wanted = selection
            try await second.run { agent in
                _ = try await agent.beginReupload(wanted)
                #expect(try await agent.sync([]) == .done)
            }
            var expected = Self.stored
            for (key, bytes) in Self.stored {
                let digest = SHA256.hash(bytes).hexadecimal.prefix(8)
                expected["\(key.dropLast(4))--\(digest).jpg"] = bytes
            }
            #expect(try await first.objects() == expected)
        }
    }

    @Test func aStateThatWasLostHasTheNameOfTheFormer() async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try FileManager.default.removeItem(atPath: try fixture.locations.state.display)
            try await fixture.pass()
            try fixture.write("edited anew", to: "edited.jpg")
            try await fixture.pass()
            var expected = Self.stored
            expected["Pictures/edited.jpg"] = Array("edited anew".utf8)
            #expect(try await fixture.objects() == expected)
        }
    }
}

extension AgentFixture {
    /// Another computer with a folder of the same name, which stores at the same place.
    func another(with tree: FileTree) throws -> AgentFixture {
        let home = folder.appending("another")
        let gallery = home.appending("Pictures")
        try Directory.create(at: home)
        try Directory.create(at: gallery)
        try tree.write(to: gallery)
        var another = AgentFixture(folder: home, gallery: gallery, server: server, client: client, faults: faults)
        another.settings = settings
        return another
    }
}

import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Records
import Reporting
import Serving
import StorageServer
import Supabase
import Sync
import TestSupport
import Testing
import Transfer
import Uploading

/// Renamed and duplicated files, whose bytes are stored already.
@Suite struct RenameTests {
    private static func tree(_ count: Int) -> FileTree {
        var tree = FileTree()
        for number in 0..<count { tree.nodes[FilePath("\(number).jpg")] = .file(Array("picture \(number)".utf8)) }
        return tree
    }

    @Test func aHundredRenamedFilesSendNoBody() async throws {
        try await AgentFixture.with(Self.tree(100)) { fixture in
            try await fixture.pass()
            let before = try await fixture.objects()
            let gallery = try Directory(fixture.gallery)
            try Directory.create(at: fixture.gallery.appending("2026"))
            for number in 0..<100 {
                try gallery.rename(FilePath("\(number).jpg"), to: FilePath("2026/new \(number).jpg"))
            }

            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(asked.count("POST", "/object/move") == 100)
            let after = try await fixture.objects()
            #expect(Set(after.keys) == Set((0..<100).map { "Pictures/2026/new \($0).jpg" }))
            #expect(Set(after.values) == Set(before.values))
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 100))
            #expect(report.besides == Report.Besides())
            #expect(try fixture.audit().count { $0.contains("\"action\":\"moved\"") } == 100)
            let again = try await fixture.requests { try await fixture.pass() }
            #expect(again.changes.isEmpty)
        }
    }

    @Test func aRenameSeenByTheWatchMovesTheObject() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            let asked = try await fixture.requests {
                _ = try await fixture.run(.watch) { agent in
                    _ = try await agent.sync([fixture.gallery])
                    try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
                    return try await agent.report("the object has moved") {
                        $0.recent.isEmpty && $0.assets.stored == 2 && $0.queue.completed >= 3
                    }
                }
            }
            #expect(asked.uploads.isEmpty)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    @Test func aSecondPathIsACopyWithItsOwnTimeAndPath() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            _ = try await fixture.sync()
            try fixture.write("one", to: "b.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(asked.count("POST", "/object/copy") == 1)
            #expect(try await fixture.objects().count == 2)
            let info = try await fixture.storage.info(bucket: "media", key: "Pictures/b.jpg")
            let metadata = try #require(ObjectMetadata(info.metadata))
            #expect(metadata.path == "b.jpg")
            #expect(metadata.mtime == (try FileFacts(of: fixture.gallery.appending("b.jpg")).modifiedAt))
            #expect(metadata.sha256 == SHA256.hash("one".utf8).hexadecimal)
        }
    }

    @Test func aCopyWhoseTwinIsNotInTheBucketAnyMoreIsSentAndThatIsReported() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            try fixture.write("one", to: "c.jpg")
            let asked = try await fixture.requests {
                let ending = try await fixture.sync()
                #expect(ending == .someDifferent(1))
            }
            #expect(asked.uploads.count == 1)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/b.jpg", "Pictures/c.jpg"])
            let found = try await fixture.run { try await $0.library.discrepancies() }
            #expect(found.byKind == [.missing: 1])
        }
    }

    @Test func ofTwentyEqualNewFilesOneIsSent() async throws {
        let names = (0..<20).map { FilePath("\($0).jpg") }
        try await AgentFixture.with(FileTree(Dictionary(uniqueKeysWithValues: names.map { ($0, "equal") }))) {
            fixture in
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.count == 1)
            #expect(asked.count("POST", "/object/copy") == 19)
            let objects = try await fixture.objects()
            #expect(objects.count == 20)
            #expect(objects.values.allSatisfy { $0 == Array("equal".utf8) })
        }
    }

    @Test func ofEqualNewFilesAllAreSentWhereCopyingIsNotPermitted() async throws {
        try await AgentFixture.with(["a.jpg": "equal", "b.jpg": "equal", "c.jpg": "equal"]) { fixture in
            let asked = try await fixture.requests(
                failing: { $0.path == "/object/copy" ? .denied : nil }
            ) { try await fixture.pass() }
            #expect(asked.uploads.count == 3)
        }
    }

    @Test func whereMovingIsNotPermittedItIsCopiedAndTheOldOneListed() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            let asked = try await fixture.requests(
                failing: { $0.path == "/object/move" ? .denied : nil }
            ) { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(
                Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Pictures/b.jpg", "Pictures/c.jpg"])
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 1)
            #expect(report.assets == Report.Assets(stored: 2))
        }
    }

    @Test func whereNothingOfItIsPermittedTheBytesAreSent() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            let asked = try await fixture.requests(
                failing: { ["/object/move", "/object/copy"].contains($0.path) ? .denied : nil }
            ) { try await fixture.pass() }
            #expect(asked.uploads.count == 1)
            #expect(try await fixture.objects()["Pictures/c.jpg"] == Array("one".utf8))
        }
    }

    @Test func aForeignObjectIsNeverMoved() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try await fixture.put(Array("xyz".utf8), at: "Pictures/a.jpg", replacing: true)
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            try await fixture.pass()
            let objects = try await fixture.objects()
            #expect(objects["Pictures/a.jpg"] == Array("xyz".utf8))
            #expect(objects["Pictures/c.jpg"] == Array("one".utf8))
        }
    }

    @Test func nothingIsMovedOutOfARootThatIsAway() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            _ = try await fixture.sync()
            let other = fixture.folder.appending("Other")
            try Directory.create(at: other)
            try OpenFile(creating: other.appending("a.jpg")).append(Array("one".utf8))
            // An unmounted disk leaves an empty directory.
            try Directory(fixture.gallery).remove(file: "a.jpg")
            #expect(try await fixture.run { try await $0.sync([other]) } == .done)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/a.jpg", "Other/a.jpg"])
        }
    }

    /// The local state from before the rename, storage from after it: what a kill in between leaves.
    @Test func aKillBetweenMoveAndReceiptConverges() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            try await fixture.storage.move(bucket: "media", from: "Pictures/a.jpg", to: "Pictures/c.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(Set(try await fixture.objects().keys) == ["Pictures/b.jpg", "Pictures/c.jpg"])
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 2))
            #expect(report.besides == Report.Besides())
        }
    }

    /// The run is killed before the answer to a move, some after it was tried again; then the file is renamed again.
    @Test(
        arguments: ["a.jpg", "d.jpg"] as [FilePath],
        [(true, .seconds(1)), (true, .milliseconds(1)), (false, .seconds(1)), (false, .milliseconds(1))]
            as [(Bool, Duration)])
    func aFileThatMovesOnAfterAMoveWithoutAnAnswerTakesItsObjectAlong(
        _ last: FilePath, _ killed: (hasEffect: Bool, retry: Duration)
    ) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            try gallery.rename("a.jpg", to: "c.jpg")
            try await fixture.killedPass(at: "/object/move", hasEffect: killed.hasEffect, retry: killed.retry)
            let middle = killed.hasEffect ? "Pictures/c.jpg" : "Pictures/a.jpg"
            #expect(Set(try await fixture.objects().keys) == ["Pictures/b.jpg", middle])

            try gallery.rename("c.jpg", to: last)
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.objects()["Pictures/\(last.display)"] == Array("one".utf8))
            #expect(try await fixture.verifiedKeys().count == 2)
            // Attempts for the intermediate name are kept for a while; a later pass forgets them.
            try await fixture.later.pass()
            #expect(try await fixture.attempts() == 0)
        }
    }

    /// The same bytes are stored as another version, which has no receipt.
    @Test func whatWasSentAgainUnheardMovesWithItsFile() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            let info = try await fixture.storage.info(bucket: "media", key: "Pictures/a.jpg")
            _ = try await fixture.storage.upload(
                .bytes(Array("one".utf8)), bucket: "media", key: "Pictures/a.jpg", contentType: "image/jpeg",
                metadata: info.metadata ?? [:], replacing: true)
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            try fixture.write("other", to: "b.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads == ["/object/media/Pictures/b.jpg"])
            #expect(try await fixture.verifiedKeys() == ["Pictures/b.jpg", "Pictures/c.jpg"])
        }
    }

    /// A copy that was made, but not yet verified when the run ended.
    @Test func whatWasStoredAndIsNotThereAnyMoreIsCopiedAgain() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try fixture.write("one", to: "b.jpg")
            try await fixture.killedPass(at: "/object/info/authenticated/media/Pictures/b.jpg", hasEffect: false)
            try await fixture.storage.delete(bucket: "media", key: "Pictures/b.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg"])
        }
    }

    /// `b.jpg`, which is stored, has got the name of `a.jpg`, whose older object is in storage though its file is gone.
    ///
    /// Storage has the older bytes under another name, too: else they would stay where they are.
    private static func withFormerName(_ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(["a.jpg": "older", "keep.jpg": "older"]) { fixture in
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            try gallery.remove(file: "a.jpg")
            try fixture.write("newer", to: "b.jpg")
            try await fixture.pass()
            try gallery.rename("b.jpg", to: "a.jpg")
            try await body(fixture)
        }
    }

    /// Each run but the first is killed at another one of the requests that delete and move.
    @Test(arguments: ["", "/object/media", "/object/move"], [true, false])
    func aFileThatTakesAFormerNameMovesOverTheOlderObject(_ killedAt: String, _ hasEffect: Bool) async throws {
        try await Self.withFormerName { fixture in
            if !killedAt.isEmpty { try await fixture.killedPass(at: killedAt, hasEffect: hasEffect) }
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/keep.jpg"])
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("newer".utf8))
        }
    }

    @Test func anObjectThatALateDeletionTakesAwayIsStoredAgain() async throws {
        try await Self.withFormerName { fixture in
            let line = LateLine(fixture.client) { $0.method == .delete }
            try await fixture.over(line).pass()
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("newer".utf8))
            // What was asked about before the deletion took effect is asked about again.
            try await fixture.pass()
            try await fixture.expectStoredAgain("Pictures/a.jpg", after: line)
            #expect(try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/keep.jpg"])
            try await fixture.expectNothingLate()
        }
    }

    /// The name that the file takes holds what an attempt without an answer has left, of which there is no receipt.
    @Test func anObjectThatALateDeletionOfALeftoverTakesAwayIsStoredAgain() async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.verify.readBack = .never
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            try fixture.write("two", to: "b.jpg")
            try await fixture.killedPass(at: "/object/media/Pictures/b.jpg")
            try gallery.remove(file: "b.jpg")
            try fixture.write("newer", to: "c.jpg")
            try await fixture.pass()
            try gallery.rename("c.jpg", to: "b.jpg")
            let line = LateLine(fixture.client) { $0.method == .delete }
            try await fixture.over(line).pass()
            #expect(try await fixture.objects()["Pictures/b.jpg"] == Array("newer".utf8))
            try await fixture.expectStoredAgain("Pictures/b.jpg", after: line)
            try await fixture.expectNothingLate()
        }
    }

    /// A copy is back under the old name, and counts as stored by the receipt of the object that is moved away.
    @Test func theObjectThatALateMoveTakesFromAFileThatIsBackIsStoredAgain() async throws {
        try await AgentFixture.with(["a.jpg": "one", "keep.jpg": "kept"]) { fixture in
            try await fixture.pass()
            try Directory(fixture.gallery).rename("a.jpg", to: "b.jpg")
            // The move arrives once its attempt was seen to have moved nothing.
            var line = LateLine(fixture.client) { $0.url.hasSuffix("/object/move") }
            line.meanwhile = { [fixture] in try fixture.write("one", to: "a.jpg") }
            line.arrivesAfter = { $0.method == .get && $0.url.hasSuffix("/media/Pictures/b.jpg") }
            try await fixture.over(line).pass()
            #expect(line.hasHeld)
            try await fixture.pass()
            try await fixture.later.pass()
            #expect(
                try await fixture.verifiedKeys() == ["Pictures/a.jpg", "Pictures/b.jpg", "Pictures/keep.jpg"])
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
            try await fixture.expectNothingLate()
        }
    }

    /// The object under the name it returns to still exists, so nothing is moved.
    @Test func aFileThatIsBackUnderANameThatKeptItsObjectLeavesNoneBehind() async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "one", "keep.jpg": "kept"]) { fixture in
            try await fixture.pass()
            let gallery = try Directory(fixture.gallery)
            try gallery.rename("b.jpg", to: "away")
            try await fixture.pass()
            try gallery.remove(file: "a.jpg")
            try gallery.rename("away", to: "b.jpg")
            let asked = try await fixture.requests { try await fixture.pass() }
            #expect(asked.uploads.isEmpty)
            #expect(try await fixture.verifiedKeys() == ["Pictures/b.jpg", "Pictures/keep.jpg"])
            // The last object stays when the file is deleted.
            try gallery.remove(file: "b.jpg")
            try await fixture.pass()
            #expect(try await fixture.verifiedKeys() == ["Pictures/b.jpg", "Pictures/keep.jpg"])
        }
    }

    /// Each run loses the answer, or also the effect, of another request of a rename and a copy.
    @Test(arguments: 0..<9, [true, false])
    func whicheverRequestIsLostItConverges(_ lost: Int, _ hasEffect: Bool) async throws {
        try await AgentFixture.with(["a.jpg": "one", "b.jpg": "two"]) { fixture in
            _ = try await fixture.sync()
            try Directory(fixture.gallery).rename("a.jpg", to: "c.jpg")
            try fixture.write("two", to: "d.jpg")
            let number = Shared(0)
            let asked = try await fixture.requests(failing: { _ in
                let isLost = number.change { number in
                    defer { number += 1 }
                    return number == lost
                }
                return isLost ? (hasEffect ? .cutAnswer(after: 0) : .drop(afterReading: 0)) : nil
            }) { _ = try await fixture.sync() }
            try await fixture.pass()
            let expected = ["b.jpg": "two", "c.jpg": "one", "d.jpg": "two"]
            let objects = try await fixture.objects()
            for (name, text) in expected { #expect(objects["Pictures/\(name)"] == Array(text.utf8)) }
            #expect(objects.count == 3)
            // A lost answer may cost an upload; a lost request may not.
            if !hasEffect { #expect(asked.uploads.isEmpty) }
            let report = try await fixture.run { try await $0.report(.summary) }
            #expect(report.assets == Report.Assets(stored: 3))
            #expect(report.besides == Report.Besides())
        }
    }
}

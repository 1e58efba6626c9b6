import Catalog
import Configuration
import Database
import Foundation
import Platform
import Queue
import Reconciling
import Records
import Reporting
import Roots
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Text
import Transfer

@testable import Gallery

@Suite struct VerifyTests {
    private static let tree: FileTree = ["a.jpg": "one", "b.jpg": "two", "c.jpg": "three", "d.jpg": "four"]

    private func withStored(_ body: (AgentFixture) async throws -> Void) async throws {
        try await AgentFixture.with(Self.tree) { fixture in
            try await fixture.pass()
            try await body(fixture)
        }
    }

    private func found(_ result: VerifyResult) -> [String] {
        result.findings.map { "\($0.problem.rawValue) \($0.key)" }.sorted()
    }

    @Test(arguments: [nil, 100.0])
    func whatWasStoredIsFoundAsItWas(_ percent: Double?) async throws {
        try await withStored { fixture in
            let (result, ending) = try await fixture.verify(percent: percent)
            #expect(ending == .done)
            #expect(result.findings.isEmpty)
            #expect(result.checked == 4)
            #expect(result.sampled == (percent == nil ? 0 : 4))
        }
    }

    /// Deletes, truncates and replaces objects, and adds one of another client.
    private func damage(_ fixture: AgentFixture) async throws {
        try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
        try await fixture.put(Array("tw".utf8), at: "Pictures/b.jpg", replacing: true)
        try await fixture.put(Array("THREE".utf8), at: "Pictures/c.jpg", replacing: true)
        try await fixture.put(Array("theirs".utf8), at: "Pictures/z.jpg")
    }

    @Test func whatIsGoneLeavesItsRoomInTheBudget() async throws {
        try await AgentFixture.with(["a.jpg": .file([UInt8](repeating: 7, count: 600))]) { fixture in
            var fixture = fixture
            fixture.settings.destination.storageBudget = .bytes(1_000)
            try await fixture.pass()
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.queued == 1)
            #expect(ending == .done)
            #expect(try await fixture.objects().count == 1)
        }
    }

    @Test func itFindsExactlyWhatWasDoneBehindItsBack() async throws {
        try await withStored { fixture in
            try await damage(fixture)
            let (result, ending) = try await fixture.verify()
            #expect(ending == .someFailed(3))
            #expect(
                found(result) == [
                    "different Pictures/b.jpg", "different Pictures/c.jpg", "missing Pictures/a.jpg",
                    "unknown Pictures/z.jpg",
                ])
        }
    }

    /// A request to move an object was given up; it arrives after the earlier requests were asked about.
    @Test func whatIsMovedBeforeTheBucketIsListedIsNoLeftover() async throws {
        try await withStored { fixture in
            let (former, key) = (ObjectKey(text: "Pictures/d.jpg"), ObjectKey(text: "Pictures/0.jpg"))
            let name = fixture.destination.name
            do {
                let library = try Library(path: fixture.locations.library)
                let receipt = try #require(try await library.receipt(destination: name, key: former))
                try await library.noteMove(of: receipt, to: key, at: Date())
                try await library.close()
            }
            let line = SteppedTransport(server: fixture.client)
            line.before.change {
                $0 = { request in
                    guard request.url.contains("/object/list") else { return }
                    line.before.change { $0 = { _ in } }
                    try await fixture.storage.move(bucket: "media", from: former.text, to: key.text)
                }
            }
            var stepped = fixture
            stepped.equip = { $0.transport = line }
            let (result, ending) = try await stepped.verify()
            #expect(found(result) == [] && ending == .done)
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let receipt = try await library.receipt(destination: name, key: key)
            #expect(receipt?.sha256 == SHA256.hash("four".utf8).hexadecimal)
            #expect(try await library.receipt(destination: name, key: former) == nil)
        }
    }

    private func report(_ fixture: AgentFixture) async throws -> Report {
        try await fixture.run(.steering) { try await $0.report(.summary) }
    }

    @Test func whatWasFoundIsReportedUntilItIsRepaired() async throws {
        try await withStored { fixture in
            try await damage(fixture)
            _ = try await fixture.verify()
            let before = try await report(fixture)
            let words = "All 4 files are stored, but 1 stored object is missing, 2 different, as was seen "
            #expect(before.headline.hasPrefix(words), "\(before.headline)")
            #expect(before.reasons().map(\.next) == ["Run \"gallery-sync verify --repair\"."])
            _ = try await fixture.verify(repairing: true)
            let after = try await report(fixture)
            #expect(after.headline == "All 4 files are stored.")
            #expect(after.reasons().isEmpty)
        }
    }

    @Test func repairingHealsItAndLeavesWhatIsNotOurs() async throws {
        try await withStored { fixture in
            try await damage(fixture)
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.queued == 3)
            #expect(ending == .done)
            let objects = try await fixture.objects()
            #expect(objects["Pictures/a.jpg"] == Array("one".utf8))
            #expect(objects["Pictures/b.jpg"] == Array("tw".utf8))
            #expect(objects["Pictures/z.jpg"] == Array("theirs".utf8))
            let texts = Set(objects.values.map { String(decoding: $0, as: UTF8.self) })
            #expect(texts.isSuperset(of: ["one", "two", "three", "four"]))
            let again = try await fixture.verify()
            #expect(again.ending == .done)
            #expect(again.result.count(.unknown) == 3)
        }
    }

    /// The server's disk has flipped a bit, and the server says of the object what it always said.
    @Test(arguments: ["Pictures/a.jpg", ".thumbnails/512/Pictures/a.jpg.jpg"])
    func aRottenObjectIsStoredAgain(_ key: String) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            var fixture = fixture
            fixture.settings.thumbnails.enabled = true
            fixture.equip = { $0.workers = PainterDouble() }
            try await fixture.pass()
            let stored = try await fixture.objects()
            try fixture.rot(#require(stored[key]))
            _ = try await fixture.verify(percent: 100)
            // A listing shows nothing of it, so it is downloaded again.
            let look = try await fixture.verify()
            #expect(found(look.result) == ["different \(key)"] && look.ending == .someFailed(1))
            #expect(look.result.sampled == 1)
            let next = try await report(fixture).reasons().map(\.next)
            #expect(next == ["Run \"gallery-sync verify --deep 100 --repair\"."])
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(found(result) == ["different \(key)"])
            #expect(result.queued == 1 && ending == .done)
            #expect(try await fixture.objects() == stored)
            #expect(try await report(fixture).reasons().isEmpty)
            #expect(try await fixture.verify(percent: 100).ending == .done)
        }
    }

    /// After a crash of the computer that keeps a second copy: one request tells it, and the object is stored again.
    @Test(arguments: [0, 2] as [Int64])
    func anObjectThatLostBytesIsStoredAgain(_ left: Int64) async throws {
        try await AgentFixture.with(["a.jpg": "one"]) { fixture in
            try await fixture.pass()
            try fixture.rot(Array("one".utf8), cutTo: left)
            let asked = try await fixture.requests {
                let result = try await fixture.verify(percent: 100).result
                #expect(found(result) == ["different Pictures/a.jpg"])
            }
            #expect(asked.count("GET", "/object/authenticated/media/Pictures/a.jpg") == 1)
            #expect(try await fixture.verify(percent: 100, repairing: true).ending == .done)
            #expect(try await fixture.objects()["Pictures/a.jpg"] == Array("one".utf8))
        }
    }

    /// Between the look that found it wrong and its repair; by another item, or by the same one once more.
    @Test(arguments: [(false, false), (true, true), (false, true)])
    func anObjectThatWasStoredAnewMeanwhileIsNotAskedFor(_ isByAnother: Bool, _ isAnew: Bool) async throws {
        try await withStored { fixture in
            try await fixture.run(.steering) { agent in
                let (key, bucket) = (ObjectKey(root: "Pictures", path: "a.jpg"), fixture.settings.destination.bucket)
                let receipt = try #require(
                    try await agent.library.receipt(destination: fixture.destination.name, key: key))
                let found = Receipt(
                    destination: receipt.destination, key: key, role: .original,
                    item: isByAnother ? ItemIdentifier(at: Date()) : receipt.item, sha256: receipt.sha256,
                    size: receipt.size, objectID: receipt.objectID, version: isAnew ? "former" : receipt.version,
                    eTag: receipt.eTag, updatedAt: receipt.updatedAt, verifiedAt: receipt.verifiedAt)
                let held = try await fixture.storage.info(bucket: bucket, key: key.text)
                let repair = ObjectRepair(agent.reconciling)
                var result = VerifyResult()
                try await repair.mend(found, held, by: repair.sendableAsset(of: receipt), &result)
                #expect(result.queued == (isAnew ? 0 : 1))
                let asset = try await agent.library.asset(root: "Pictures", path: "a.jpg")
                #expect(asset?.state == (isAnew ? .stored : .seen))
            }
        }
    }

    /// All that is left of it: a film with one wrong bit can still be watched.
    @Test func aRottenObjectWithoutAFileStays() async throws {
        try await withStored { fixture in
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.pass()
            try fixture.rot(Array("one".utf8))
            let (result, ending) = try await fixture.verify(percent: 100, repairing: true)
            #expect(result.unrepairable == 1 && result.dropped == 0 && ending == .someFailed(1))
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let known = try #require(try await library.roots().first)
            let told = try await Explanation(
                of: fixture.gallery.appending("a.jpg"), root: (Root(known: known), "a.jpg"), library: library, items: []
            )
            #expect(told.decisions.last == "But a look showed that it has other bytes now.")
            let after = try await report(fixture)
            #expect(after.besides.remoteOnly == 1 && after.reasons().count == 1)
            try fixture.write("uno", to: "a.jpg")
            _ = try await fixture.sync()
            #expect(try await fixture.objects().count == 5, "it is set aside for another file of its name")
        }
    }

    /// The file went since the last look at the disk.
    @Test func whatIsToBeSentAgainIsLookedForOnTheDisk() async throws {
        try await withStored { fixture in
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.dropped == 1 && result.queued == 0 && ending == .done)
        }
    }

    /// What was asked for twice in vain, as while the server is busy, says nothing of the object.
    @Test(arguments: [true, false])
    func anObjectThatIsNotAnsweredForIsNotDoubted(_ isHere: Bool) async throws {
        try await withStored { fixture in
            if !isHere {
                try Directory(fixture.gallery).remove(file: "a.jpg")
                try await fixture.pass()
            }
            _ = try await fixture.requests(failing: { request in
                request.path == "/object/authenticated/media/Pictures/a.jpg" ? .unavailable(retryAfter: 0) : nil
            }) {
                let (result, ending) = try await fixture.verify(percent: 100, repairing: true)
                #expect(found(result) == ["unreadable Pictures/a.jpg"])
                #expect(result.queued + result.dropped + result.unrepairable == 0 && ending == .someFailed(1))
            }
            #expect(try await report(fixture).reasons().isEmpty)
            #expect(try await fixture.verify(percent: 100).ending == .done)
        }
    }

    @Test func anAnswerThatWasCutOffIsAskedForOnceMore() async throws {
        try await withStored { fixture in
            let times = Shared(0)
            _ = try await fixture.requests(failing: { request in
                guard request.path == "/object/authenticated/media/Pictures/a.jpg" else { return nil }
                times.change { $0 += 1 }
                return times.value == 1 ? .unavailable(retryAfter: 0) : nil
            }) {
                let ending = try await fixture.verify(percent: 100).ending
                #expect(ending == .done)
            }
            #expect(times.value == 2)
        }
    }

    @Test func aReceiptWhoseFileAndObjectAreGoneIsDropped() async throws {
        try await withStored { fixture in
            try Directory(fixture.gallery).remove(file: "a.jpg")
            try await fixture.pass()
            try await fixture.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.dropped == 1 && result.queued == 0)
            #expect(ending == .done)
            let again = try await fixture.verify()
            #expect(again.ending == .done && again.result.checked == 3)
            let report = try await fixture.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0)
        }
    }

    /// An older library with a newer bucket: receipts that were lost with a broken disk.
    @Test func aFilesRightContentWithoutAReceiptGetsOneAndNoBody() async throws {
        try await withStored { fixture in
            try Connection(path: fixture.locations.library.display).execute(
                "DELETE FROM receipts WHERE key = 'Pictures/a.jpg'")
            let before = try await fixture.verify()
            #expect(found(before.result) == ["leftover Pictures/a.jpg"])
            let (result, ending) = try await fixture.verify(repairing: true)
            #expect(result.proven == 1 && ending == .done)
            let again = try await fixture.verify()
            #expect(again.result.findings.isEmpty && again.result.checked == 4)
        }
    }

    @Test func anObjectThatCannotBeReadIsNamedAndTheOthersAreLookedAt() async throws {
        try await withStored { fixture in
            _ = try await fixture.requests(failing: { request in
                request.path == "/object/authenticated/media/Pictures/b.jpg" ? .unavailable(retryAfter: 0) : nil
            }) {
                let (result, ending) = try await fixture.verify(percent: 100)
                #expect(found(result) == ["unreadable Pictures/b.jpg"])
                #expect(result.sampled == 4 && result.isComplete)
                #expect(ending == .someFailed(1))
            }
        }
    }

    @Test func anotherDestinationThanTheProfilesIsRefused() async throws {
        try await withStored { fixture in
            for isRepairing in [false, true] {
                let ending = try await fixture.elsewhere.verify(repairing: isRepairing).ending
                guard case .needsHuman = ending else {
                    Issue.record("\(ending)")
                    continue
                }
            }
            let pruned = try await fixture.elsewhere.run(.steering) { try await $0.prune(deleting: false).ending }
            guard case .needsHuman = pruned else { return #expect(Bool(false), "\(pruned)") }
        }
    }

    @Test func aListingThatGoesInCirclesEndsIt() async throws {
        try await withStored { fixture in
            let page = #"{"hasNext":true,"nextCursor":"same","folders":[],"objects":[{"name":"Pictures/a.jpg"}]}"#
            _ = try await fixture.requests(failing: { request in
                guard request.path == "/object/list-v2/media" else { return nil }
                return .answer(
                    Response(
                        status: 200, headers: ["content-type": "application/json"], body: .bytes(Array(page.utf8))))
            }) {
                let (result, ending) = try await fixture.verify()
                #expect(!result.isComplete)
                guard case .temporary(let reason) = ending else { return #expect(Bool(false), "\(ending)") }
                #expect(reason.contains("circles"))
            }
        }
    }

    @Test func bytesChangedUnderAnUnchangedTimeAreDamageAndNotSent() async throws {
        try await withStored { fixture in
            let path = fixture.gallery.appending("a.jpg")
            let before = try FileFacts(of: path).modifiedAt
            try fixture.write("0ne", to: "a.jpg")
            try Directory(fixture.gallery).open(writing: "a.jpg").setModified(before)
            let asked = try await fixture.requests {
                let (result, ending) = try await fixture.verify(percent: 100)
                #expect(ending == .someFailed(1))
                #expect(found(result) == ["damaged Pictures/a.jpg"])
                let next = try await fixture.sync()
                #expect(next == .someDifferent(1))
            }
            #expect(asked.uploads.isEmpty)
            #expect(try await report(fixture).reasons().first?.message.hasPrefix("The bytes of 1 file changed") == true)
            try fixture.write("one", to: "a.jpg")
            try Directory(fixture.gallery).open(writing: "a.jpg").setModified(before)
            _ = try await fixture.verify(percent: 100)
            #expect(try await report(fixture).reasons().isEmpty)
        }
    }

    @Test func aChangedFileThatWaitsForItsScanIsNoDamage() async throws {
        try await withStored { fixture in
            try fixture.write("other", to: "a.jpg")
            let (result, _) = try await fixture.verify(percent: 100)
            #expect(result.findings.isEmpty)
        }
    }

    @Test func theVolumeIsKnownBeforehandAndTheSampleIsTheSame() async throws {
        try await withStored { fixture in
            var order = VerifyOrder()
            order.percent = 100
            let wanted = order
            let volume = try await fixture.run(.steering) { try await $0.verifyVolume(wanted) }
            #expect(volume.objects == 4 && volume.total == 4 && volume.bytes == 15)
            let (result, _) = try await fixture.verify(percent: 100)
            #expect(result.sampledBytes == volume.bytes)
        }
    }

    @Test func aStorageThatCannotBeReachedIsNoFinding() async throws {
        try await withStored { fixture in
            _ = try await fixture.requests(failing: { _ in .unavailable(retryAfter: 0) }) {
                let (result, ending) = try await fixture.verify()
                #expect(result.findings.isEmpty)
                guard case .temporary = ending else {
                    Issue.record("\(ending)")
                    return
                }
            }
        }
    }
}

extension AgentFixture {
    /// The same profile with another bucket in its settings.
    fileprivate var elsewhere: AgentFixture {
        var other = self
        let before = equip
        let destination = Destination(endpoint: destination.endpoint, bucket: "other", isLocal: true)
        other.equip = { setup in
            before(&setup)
            setup.destination = destination
        }
        return other
    }
}

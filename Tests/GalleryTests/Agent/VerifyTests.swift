import Catalog
import Configuration
import Database
import Foundation
import Gallery
import Platform
import Reporting
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing

@Suite struct VerifyTests {
    private static let tree: FileTree = ["a.jpg": "one", "b.jpg": "two", "c.jpg": "three", "d.jpg": "four"]

    private func withStored(_ body: (Workshop) async throws -> Void) async throws {
        try await Workshop.with(Self.tree) { workshop in
            try await workshop.pass()
            try await body(workshop)
        }
    }

    private func verify(
        _ workshop: Workshop, percent: Double? = nil, repairing: Bool = false
    ) async throws -> (result: VerifyResult, ending: Ending) {
        var order = VerifyOrder()
        order.percent = percent
        order.isRepairing = repairing
        let wanted = order
        return try await workshop.run(repairing ? .pass : .steering) { try await $0.verify(wanted) }
    }

    private func found(_ result: VerifyResult) -> [String] {
        result.findings.map { "\($0.problem.rawValue) \($0.key)" }.sorted()
    }

    @Test(arguments: [nil, 100.0])
    func whatWasStoredIsFoundAsItWas(_ percent: Double?) async throws {
        try await withStored { workshop in
            let (result, ending) = try await verify(workshop, percent: percent)
            #expect(ending == .done)
            #expect(result.findings.isEmpty)
            #expect(result.checked == 4)
            #expect(result.sampled == (percent == nil ? 0 : 4))
        }
    }

    /// Deleted, shortened, replaced by as many bytes, and put there by somebody.
    private func damage(_ workshop: Workshop) async throws {
        try await workshop.storage.delete(bucket: "media", key: "Pictures/a.jpg")
        try await workshop.put(Array("tw".utf8), at: "Pictures/b.jpg", replacing: true)
        try await workshop.put(Array("THREE".utf8), at: "Pictures/c.jpg", replacing: true)
        try await workshop.put(Array("theirs".utf8), at: "Pictures/z.jpg")
    }

    @Test func whatIsGoneLeavesItsRoomInTheBudget() async throws {
        try await Workshop.with(["a.jpg": .file([UInt8](repeating: 7, count: 600))]) { workshop in
            var workshop = workshop
            workshop.settings.destination.storageBudget = .bytes(1_000)
            try await workshop.pass()
            try await workshop.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            let (result, ending) = try await verify(workshop, repairing: true)
            #expect(result.queued == 1)
            #expect(ending == .done)
            #expect(try await workshop.objects().count == 1)
        }
    }

    @Test func itFindsExactlyWhatWasDoneBehindItsBack() async throws {
        try await withStored { workshop in
            try await damage(workshop)
            let (result, ending) = try await verify(workshop)
            #expect(ending == .someFailed(3))
            #expect(
                found(result) == [
                    "different Pictures/b.jpg", "different Pictures/c.jpg", "missing Pictures/a.jpg",
                    "unknown Pictures/z.jpg",
                ])
        }
    }

    @Test func repairingHealsItAndLeavesWhatIsNotOurs() async throws {
        try await withStored { workshop in
            try await damage(workshop)
            let (result, ending) = try await verify(workshop, repairing: true)
            #expect(result.queued == 3)
            #expect(ending == .done)
            let objects = try await workshop.objects()
            #expect(objects["Pictures/a.jpg"] == Array("one".utf8))
            #expect(objects["Pictures/b.jpg"] == Array("tw".utf8))
            #expect(objects["Pictures/z.jpg"] == Array("theirs".utf8))
            let texts = Set(objects.values.map { String(decoding: $0, as: UTF8.self) })
            #expect(texts.isSuperset(of: ["one", "two", "three", "four"]))
            let again = try await verify(workshop)
            #expect(again.ending == .done)
            #expect(again.result.count(.unknown) == 3)
        }
    }

    @Test func aReceiptWhoseFileAndObjectAreGoneIsDropped() async throws {
        try await withStored { workshop in
            try Directory(workshop.gallery).remove(file: "a.jpg")
            try await workshop.pass()
            try await workshop.storage.delete(bucket: "media", key: "Pictures/a.jpg")
            let (result, ending) = try await verify(workshop, repairing: true)
            #expect(result.dropped == 1 && result.queued == 0)
            #expect(ending == .done)
            let again = try await verify(workshop)
            #expect(again.ending == .done && again.result.checked == 3)
            let report = try await workshop.run(.steering) { try await $0.report(.summary) }
            #expect(report.besides.remoteOnly == 0)
        }
    }

    /// The library of before with the bucket of after: receipts that a broken disk took.
    @Test func aFilesRightContentWithoutAReceiptGetsOneAndNoBody() async throws {
        try await withStored { workshop in
            try Connection(path: workshop.locations.library.display).execute(
                "DELETE FROM receipts WHERE key = 'Pictures/a.jpg'")
            let before = try await verify(workshop)
            #expect(found(before.result) == ["leftover Pictures/a.jpg"])
            let (result, ending) = try await verify(workshop, repairing: true)
            #expect(result.proven == 1 && ending == .done)
            let again = try await verify(workshop)
            #expect(again.result.findings.isEmpty && again.result.checked == 4)
        }
    }

    @Test func anObjectThatCannotBeReadIsNamedAndTheOthersAreLookedAt() async throws {
        try await withStored { workshop in
            _ = try await workshop.requests(failing: { request in
                request.path == "/object/authenticated/media/Pictures/b.jpg" ? .unavailable(retryAfter: 0) : nil
            }) {
                let (result, ending) = try await verify(workshop, percent: 100)
                #expect(found(result) == ["unreadable Pictures/b.jpg"])
                #expect(result.sampled == 4 && result.isComplete)
                #expect(ending == .someFailed(1))
            }
        }
    }

    @Test func anotherDestinationThanTheProfilesIsRefused() async throws {
        try await withStored { workshop in
            for order in [VerifyOrder(), VerifyOrder(repairing: true)] {
                let ending = try await workshop.elsewhere.run(.steering) { try await $0.verify(order).ending }
                guard case .needsHuman = ending else {
                    Issue.record("\(ending)")
                    continue
                }
            }
            let pruned = try await workshop.elsewhere.run(.steering) { try await $0.prune(deleting: false).ending }
            guard case .needsHuman = pruned else { return #expect(Bool(false), "\(pruned)") }
        }
    }

    @Test func aListingThatGoesInCirclesEndsIt() async throws {
        try await withStored { workshop in
            let page = #"{"hasNext":true,"nextCursor":"same","folders":[],"objects":[{"name":"Pictures/a.jpg"}]}"#
            _ = try await workshop.requests(failing: { request in
                guard request.path == "/object/list-v2/media" else { return nil }
                return .answer(
                    Response(
                        status: 200, headers: ["content-type": "application/json"], body: .bytes(Array(page.utf8))))
            }) {
                let (result, ending) = try await verify(workshop)
                #expect(!result.isComplete)
                guard case .temporary(let reason) = ending else { return #expect(Bool(false), "\(ending)") }
                #expect(reason.contains("circles"))
            }
        }
    }

    @Test func bytesChangedUnderAnUnchangedTimeAreDamageAndNotSent() async throws {
        try await withStored { workshop in
            let path = workshop.gallery.appending("a.jpg")
            let before = try FileFacts(of: path).modifiedAt
            try workshop.write("0ne", to: "a.jpg")
            try Directory(workshop.gallery).open(writing: "a.jpg").setModified(before)
            let asked = try await workshop.requests {
                let (result, ending) = try await verify(workshop, percent: 100)
                #expect(ending == .someFailed(1))
                #expect(found(result) == ["damaged Pictures/a.jpg"])
                try await workshop.pass()
            }
            #expect(asked.uploads.isEmpty)
        }
    }

    @Test func aChangedFileThatWaitsForItsScanIsNoDamage() async throws {
        try await withStored { workshop in
            try workshop.write("other", to: "a.jpg")
            let (result, _) = try await verify(workshop, percent: 100)
            #expect(result.findings.isEmpty)
        }
    }

    @Test func theVolumeIsKnownBeforehandAndTheSampleIsTheSame() async throws {
        try await withStored { workshop in
            var order = VerifyOrder()
            order.percent = 100
            let wanted = order
            let volume = try await workshop.run(.steering) { try await $0.verifyVolume(wanted) }
            #expect(volume.objects == 4 && volume.total == 4 && volume.bytes == 15)
            let (result, _) = try await verify(workshop, percent: 100)
            #expect(result.sampledBytes == volume.bytes)
        }
    }

    @Test func aStorageThatCannotBeReachedIsNoFinding() async throws {
        try await withStored { workshop in
            _ = try await workshop.requests(failing: { _ in .unavailable(retryAfter: 0) }) {
                let (result, ending) = try await verify(workshop)
                #expect(result.findings.isEmpty)
                guard case .temporary = ending else {
                    Issue.record("\(ending)")
                    return
                }
            }
        }
    }
}

extension VerifyOrder {
    fileprivate init(repairing: Bool) {
        self.init()
        isRepairing = repairing
    }
}

extension Workshop {
    /// The same profile with another bucket in its settings.
    fileprivate var elsewhere: Workshop {
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

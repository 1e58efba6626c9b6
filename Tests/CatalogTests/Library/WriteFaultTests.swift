import Database
import Fixtures
import Foundation
import MediaModel
import Platform
import Queue
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Tables

/// Every act that writes is tried with a failure at each of its writes: what is there agrees, and doing it again ends
/// as if nothing had failed.
@Suite struct WriteFaultTests {
    struct Act: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let perform: @Sendable (Shelf) async throws -> Void

        init(_ name: String, _ perform: @escaping @Sendable (Shelf) async throws -> Void) {
            (testDescription, self.perform) = (name, perform)
        }
    }

    // Made once, so that every run writes the same.
    private static let stored = Shelf.item("stored.jpg")
    private static let other = Shelf.item("other.jpg")
    private static let picture = Shelf.item("stored.jpg", role: .thumbnail(512))
    private static let queued = Shelf.item("queued.jpg")
    private static let gone = Shelf.item("gone.jpg")
    private static let lost = Shelf.item("lost.jpg")
    private static let renamed = Shelf.item("renamed.jpg", content: "gone.jpg")
    private static let changed = Shelf.item("stored.jpg", content: "changed")
    private static let later = Shelf.now + 3_600
    private static let failure = Item.Failure(code: .http(413), message: "too large", retryable: false)

    /// Files in all that may happen to them: stored, on its way, waiting here, gone with its object, cancelled, held.
    private static func fill(_ path: FilePath) async throws {
        let shelf = try await Shelf(at: path)
        try await shelf.store(stored)
        try await shelf.store(other)
        try await shelf.store(picture)
        try await shelf.store(gone)
        try await shelf.miss("gone.jpg")
        for item in [queued, lost, renamed] { try await shelf.library.see(item, below: shelf.root) }
        try await shelf.see("seen.jpg")
        try await shelf.see("cancelled.jpg")
        try await shelf.library.exclude([try await shelf.asset("cancelled.jpg")])
        try await shelf.see("held.jpg")
        try await shelf.library.mark("held.jpg", as: .held)
        try await shelf.library.setPictures(of: try await shelf.asset("stored.jpg").place, to: .made)
        try await shelf.library.noteAttempt(lost, destination: Shelf.destination)
        _ = try await shelf.library.keep(
            blocked: [Items.with(queued) { ($0.blocked, $0.lastAttemptAt) = (.budget, Shelf.now) }],
            destination: Shelf.destination)
        try await shelf.library.settle(blockedBut: [], destination: Shelf.destination)
        try await shelf.library.noteDeletion(of: [other.objectKey], destination: Shelf.destination, at: Shelf.now)
        let empty = try await shelf.library.root(at: "/media/Empty").root
        _ = try await shelf.library.merge(
            Shelf.observation("a.jpg"), at: "a.jpg", root: empty.id, origin: .backlog, now: Shelf.now)
        try await shelf.library.rememberScan(of: "/media/Empty", at: Shelf.now)
        try await shelf.library.close()
    }

    private static let acts: [Act] = ofFiles + ofObjects + ofOrders + ofRoots

    private static let ofFiles = [
        Act("a walk finds files new, changed, back and missing") { shelf in
            let look = DirectoryObservation(
                path: "",
                files: [
                    Shelf.observation("cancelled.jpg"), Shelf.observation("gone.jpg"),
                    Shelf.observation("new.jpg"), Shelf.observation("queued.jpg", after: 5),
                    Shelf.observation("stored.jpg", size: 8),
                ], leftOut: ["hidden": 2])
            let changes = try await shelf.library.merge(
                [look], root: shelf.root.id, origin: .backlog, at: later)
            _ = try await shelf.library.miss(changes.absent)
            try await shelf.library.commit()
        },
        Act("a walk does not meet a directory any more") { shelf in
            _ = try await shelf.library.missDirectories(of: shelf.root.id, below: "", notIn: [])
            try await shelf.library.commit()
        },
        Act("files are taken to be read") { shelf in
            _ = try await shelf.library.take(10)
            try await shelf.library.commit()
        },
        Act("a file was read") { shelf in
            let asset = try await shelf.asset("seen.jpg")
            try await shelf.library.settle(
                asset,
                as: .identified(sha256: Shelf.hash("seen"), type: "image/jpeg", next: .queued, note: "odd"))
            var facts = MediaFacts(kind: .photo, type: .jpeg)
            facts.camera = "One"
            try await shelf.library.setFacts(facts, of: Shelf.hash("seen"), in: asset)
            try await shelf.library.setPictures(of: asset.place, to: .made)
            try await shelf.library.commit()
        },
        Act("a cancelled file has another name") { shelf in
            let asset = try await shelf.asset("seen.jpg")
            let file = try OpenFile(reading: "/dev/null")
            let identity = try #require(
                MediaIdentity(header: [0xFF, 0xD8, 0xFF, 0xE0], fileExtension: Array("jpg".utf8)))
            _ = try await shelf.library.exclude(
                IdentifiedAsset(asset: asset, identity: identity, sha256: Shelf.hash("seen"), file: file),
                insteadOf: RootedPath(root: "Pictures", path: "cancelled.jpg"))
            try await shelf.library.commit()
        },
    ]

    private static let ofObjects = [
        Act("an object is stored in place of another, one beside it, and one was moved") { shelf in
            try await shelf.see("stored.jpg", after: 1)
            try await shelf.library.record(
                [changed, queued, renamed].map { (Shelf.receipt($0, verified: later), $0) },
                moved: [renamed.id: Shelf.receipt(gone)])
        },
        Act("an object is not there") { shelf in
            try await shelf.library.forget(Shelf.receipt(stored))
            try await shelf.library.forget(Shelf.receipt(gone))
            try await shelf.library.forget(Shelf.receipt(picture))
            try await shelf.library.commit()
        },
        Act("an object holds other bytes") { try await $0.library.disprove(Shelf.receipt(stored)) },
        Act("an object holds other bytes, again and again") {
            try await $0.library.disprove(Shelf.receipt(stored), failure: failure)
        },
        Act("an object is moved, and that is found out later") { shelf in
            try await shelf.library.noteMove(
                of: renamed, from: gone.objectKey, destination: Shelf.destination, at: later)
            let moves = try await shelf.library.unsettledMoves(from: gone.objectKey, destination: Shelf.destination)
            guard let move = moves.first else { return }
            let held = HeldObject(id: "n", size: 7, eTag: nil, version: "w", updatedAt: nil)
            guard try await shelf.library.receipt(destination: Shelf.destination, key: gone.objectKey) != nil else {
                return
            }
            try await shelf.library.settle(moved: move, from: Shelf.receipt(gone), held: held, at: later)
            try await shelf.library.commit()
        },
        Act("an object whose file is gone gets its receipt") { shelf in
            try await shelf.library.adopt(
                Shelf.receipt(lost), of: try await shelf.asset("lost.jpg").place)
        },
        Act("a file has its former bytes again") { shelf in
            try await shelf.library.change("UPDATE assets SET sha256 = x'00' WHERE sha256 IS NOT NULL")
            let asset = try await shelf.asset(stored.filePath)
            try await shelf.library.renewReceipt(of: asset, content: stored.sha256, at: later)
            try await shelf.library.commit()
        },
        Act("other bytes are sent over an object") {
            try await $0.library.noteReplacement(by: changed, destination: Shelf.destination)
        },
        Act("other bytes were sent over an object when the agent ended") { shelf in
            try await shelf.library.noteReplacement(by: changed, destination: Shelf.destination)
            try await shelf.library.noteCutShortReplacements()
            try await shelf.library.commit()
        },
        Act("an object is to be deleted") {
            try await $0.library.noteDeletion(of: [gone.objectKey], destination: Shelf.destination, at: later)
        },
        Act("objects were deleted") { try await $0.library.forgetPruned([Shelf.receipt(gone)]) },
        Act("deletions are answered") {
            try await $0.library.forgetDeletion(of: [other.objectKey], destination: Shelf.destination)
        },
        Act("a verification ends") { shelf in
            try await shelf.library.remember(
                [Discrepancy(.missing, of: Shelf.receipt(stored), isDeep: false)], destination: Shelf.destination,
                isComplete: true, wasDownloaded: { _ in true }, at: later)
        },
        Act("objects are of a former name") { shelf in
            try await shelf.library.outdate(Shelf.receipt(stored))
            try await shelf.library.commit()
        },
    ]

    private static let ofOrders = [
        Act("files are asked for") { shelf in
            try await shelf.library.request(
                [try await shelf.asset("stored.jpg"), try await shelf.asset("cancelled.jpg")], forcedAt: later)
        },
        Act("files are cancelled") { shelf in
            try await shelf.library.exclude(
                [try await shelf.asset("queued.jpg"), try await shelf.asset("seen.jpg")])
        },
        Act("the brake decides") { _ = try await $0.library.decideBrake(at: later) },
        Act("files are held") {
            try await $0.library.hold(
                [RootedPath(root: "Pictures", path: "queued.jpg"), RootedPath(root: "Pictures", path: "lost.jpg")],
                reason: "many")
        },
        Act("a change is approved") {
            try await $0.library.approve([try await $0.asset("held.jpg")])
        },
        Act("items are kept here") { shelf in
            let items = [lost, renamed].map { Items.with($0) { $0.blocked = .tooLarge } }
            _ = try await shelf.library.keep(blocked: items, destination: Shelf.destination)
            try await shelf.library.settle(blockedBut: [items[0]], destination: Shelf.destination)
        },
        Act("items go back") { shelf in
            try await shelf.library.unblock(.budget)
            _ = try await shelf.library.forget(freed: try await shelf.library.freed(10))
        },
        Act("pictures are looked for") { shelf in
            try await shelf.library.findOwedPictures(
                roles: [.thumbnail(512), .thumbnail(1024)], destination: Shelf.destination)
        },
        Act("the queue is paused") { try await $0.library.pause(until: later, at: Shelf.now) },
        Act("the destination is another one") { shelf in
            _ = try await shelf.library.forgetDestination()
            try await shelf.library.setDestination("https://other#media")
        },
        Act("it is the same one again") { shelf in
            _ = try await shelf.library.forgetDestination()
            try await shelf.library.setDestination(Shelf.destination)
        },
    ]

    private static let ofRoots = [
        Act("a root is added, and its disk remembered") { shelf in
            let root = try await shelf.library.root(at: "/media/Card").root
            try await shelf.library.remember(
                try Directory("/").identity(), of: root.id, at: FilePath(bytes: []))
        },
        Act("a root is let go, and takes part again") { shelf in
            try await shelf.library.letGo(of: shelf.root)
            try await shelf.library.takeUp(shelf.root)
        },
        Act("a root is forgotten that nothing is stored of") { shelf in
            let root = try await shelf.library.roots().first { $0.name == "Empty" }
            if let root { #expect(try await shelf.library.forget(root)) }
        },
        Act("its directory has another path") {
            try await $0.library.setPath(of: $0.root.id, to: "/home/me/Pictures")
        },
    ]

    @Test(arguments: acts)
    func whateverWriteFailsDoingItAgainEndsAsIfNoneHad(_ act: Act) async throws {
        try await FileTree().withDirectory { folder in
            let full = folder.appending("full.sqlite")
            try await Self.fill(full)
            let whole = try await Self.rows(after: act, in: try Self.copy(of: full, "whole"))
            for number in 1... {
                let shelf = try await Shelf(at: try Self.copy(of: full, "\(number)"))
                try await shelf.library.prepareFaults()
                try await shelf.library.failWrite(number)
                do {
                    try await act.perform(shelf)
                    #expect(number > 1, "an act that writes nothing")
                    return
                } catch let error as DatabaseError {
                    #expect(error.message == "the disk fails")
                }
                try await shelf.library.failWrite(-1)
                #expect(try await shelf.library.complaints() == [], "after write \(number) had failed")
                try await act.perform(shelf)
                try await shelf.library.commit()
                #expect(try await shelf.library.complaints() == [], "after write \(number) had failed")
                let rows = try await shelf.library.rows()
                #expect(Set(rows).symmetricDifference(whole) == [], "after write \(number) had failed")
            }
        }
    }

    private static func copy(of path: FilePath, _ name: String) throws -> FilePath {
        let copy = path.parent.appending("\(name).sqlite")
        try FileManager.default.copyItem(atPath: path.display, toPath: copy.display)
        return copy
    }

    /// What the library holds once nothing fails.
    private static func rows(after act: Act, in path: FilePath) async throws -> [String] {
        let shelf = try await Shelf(at: path)
        let before = try await shelf.library.rows()
        try await act.perform(shelf)
        try await shelf.library.commit()
        let rows = try await shelf.library.rows()
        #expect(rows != before, "an act without an effect shows nothing")
        #expect(try await shelf.library.complaints() == [])
        return rows
    }
}

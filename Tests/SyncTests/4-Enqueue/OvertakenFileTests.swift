import Configuration
import Foundation
import Records
import Roots
import TestSupport
import Testing

@testable import Catalog
@testable import Fixtures
@testable import Platform
@testable import Queue
@testable import Sync

/// A file changes while what it held is being added, and is read again before that is durable.
@Suite struct OvertakenFileTests {
    /// The later one has its pictures made, and its original may be on its way: what goes with the former one is made again.
    @Test(arguments: [(Item.Role.original, Asset.State.seen), (.thumbnail(512), .queued)])
    func picturesThatGoWithFormerBytesAreOwed(_ role: Item.Role, _ state: Asset.State) async throws {
        let disk = GatedDisk()
        try await EnqueuerTests.withOneFile(on: disk) { folder, library, queue, known, asset in
            disk.close()
            async let isAdded = EnqueuerTests.enqueue(asset, role, folder, known, library, queue)
            try await eventually("the former bytes are being written down") { disk.isWaiting }

            try await EnqueuerTests.Change.resized.happen(to: asset.asset, of: known.id, in: library)
            let later = try #require(try await library.asset(root: known.name, path: "a.png"))
            try await library.settle(
                later,
                as: .identified(
                    sha256: String(repeating: "01", count: 32), type: "image/png", next: .queued, note: nil))
            try await library.setPictures(of: later.place, to: .made)
            let original = ObjectKey(root: known.name, path: "a.png")
            let picture = EnqueuerTests.item(
                known, .thumbnail(512), ObjectKey(thumbnail: 512, of: original, prefix: ""), content: 2, size: 9)
            async let admission = queue.add(picture, origin: .arrival, now: Items.now)
            try await eventually("its picture is in the queue") {
                await queue.all().contains { $0.sha256 == picture.sha256 }
            }
            disk.open()

            #expect(try await admission == .added)
            #expect(try await !isAdded)
            #expect(await queue.all().isEmpty)
            let record = try #require(try await library.fileRecord(root: known.name, path: "a.png"))
            #expect(record.pictures == .wanted)
            #expect(record.asset.state == state)
        }
    }

    /// A run for former bytes ends late, and takes along what a later one has just added.
    @Test func whatIsWithdrawnBeforeTheLibraryKnowsOfItIsReadAgain() async throws {
        let disk = GatedDisk()
        try await EnqueuerTests.withOneFile(on: disk) { folder, library, queue, known, asset in
            disk.close()
            async let isAdded = EnqueuerTests.enqueue(asset, .original, folder, known, library, queue)
            try await eventually("its item is being written down") { disk.isWaiting }
            async let withdrawn = queue.withdraw { $0.filePath == "a.png" }
            try await eventually("the item is gone") { await queue.all().isEmpty }
            disk.open()
            #expect(try await withdrawn.count == 1)
            #expect(try await isAdded)
            let record = try #require(try await library.fileRecord(root: known.name, path: "a.png"))
            #expect(record.asset.state == .seen)
        }
    }
}

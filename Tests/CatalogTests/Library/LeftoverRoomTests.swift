import Fixtures
import Foundation
import Platform
import Records
import Roots
import TestSupport
import Testing
import Text

@testable import Catalog
@testable import Queue

/// The bytes of ours that no receipt covers, which the budget has to count.
@Suite struct LeftoverRoomTests {
    private static let item = Items.pending("a.jpg", content: 1, size: 100)
    private static let other = Items.pending("a.jpg", content: 2, size: 77)

    /// The item of the receipt, not heard of a second before that.
    private static let tried = Items.with(item) { $0.lastAttemptAt = Items.now - 1 }

    private static func receipt(_ item: Item, at destination: String = "here") -> Receipt {
        Receipt(
            destination: destination, key: item.objectKey, role: .original, item: item.id, sha256: item.sha256,
            size: item.size, objectID: nil, version: nil, eTag: nil, updatedAt: nil, verifiedAt: Items.now)
    }

    /// Other bytes for the key of the receipt, last tried so many seconds after that.
    private static func sent(_ size: Int64, after seconds: Double) -> Item {
        Items.with(Items.pending("a.jpg", content: 3, size: size)) { $0.lastAttemptAt = Items.now + seconds }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let act: @Sendable (Library) async throws -> Void
        let bytes: Int64

        init(_ sentence: String, _ bytes: Int64, act: @escaping @Sendable (Library) async throws -> Void) {
            (testDescription, self.bytes, self.act) = (sentence, bytes, act)
        }
    }

    /// The object was asked about before another item of the same key was stored: what was found says nothing of that.
    @Test func aReceiptThatWasEarnedMeanwhileIsNotForgotten() async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await library.see(Self.item, below: root)
            try await library.record([(Self.receipt(Self.item), Self.item)])
            try await library.record([(Self.receipt(Self.other), Self.other)])
            try await library.forget(Self.receipt(Self.item))
            let kept = try await library.receipt(destination: "here", key: Self.item.objectKey)
            #expect(kept?.item == Self.other.id)
            try await library.forget(Self.receipt(Self.other))
            #expect(try await library.receipt(destination: "here", key: Self.item.objectKey) == nil)
        }
    }

    /// Larger bytes are sent and not heard of, a second after the receipt.
    private static func send(_ library: Library, confirmed date: Date) async throws {
        try await library.noteAttempt(sent(130, after: 1), destination: "here")
        #expect(try await library.occupancy(destination: "here").leftovers.total == 30)
        try await library.confirm(receipt(item), at: date)
    }

    /// The key has a receipt, and other bytes of ours were seen there; so they are no leftover yet.
    static let rows = [
        Row("nothing happens", 0) { _ in },
        Row("the object is not there any more", 77) { try await $0.forget(receipt(item)) },
        Row("its receipt is taken back", 100) { try await $0.disprove(receipt(item)) },
        Row("the object is deleted", 77) { try await $0.forgetPruned([receipt(item)]) },
        Row("the object is moved away", 77) { library in
            let target = Items.pending("b.jpg", content: 1, size: 100)
            try await library.record([(receipt(target), target)], moved: [target.id: receipt(item)])
        },
        Row("the object is moved away, and that is found out later", 77) { library in
            let target = Items.pending("b.jpg", content: 1, size: 100)
            try await library.noteMove(of: target, from: item.objectKey, destination: "here", at: Items.now)
            let move = try #require(try await library.expectedMoves(destination: "here").first)
            let held = HeldObject(id: "n", size: 100, eTag: nil, version: nil, updatedAt: nil)
            try await library.settle(moved: move, from: receipt(item), held: held, at: Items.now)
        },
        Row("the bytes are gone, too", 0) { library in
            try await library.forget(receipt(item))
            for attempt in try await library.attempts(at: item.objectKey, destination: "here") {
                try await library.forget(attempt)
            }
        },
        Row("they are stored after all", 0) { library in
            try await library.forget(receipt(item))
            try await library.record([(receipt(other), other)])
        },
        Row("it is seen, and deleted", 0) { library in
            try await library.forget(receipt(item))
            for attempt in try await library.attempts(at: item.objectKey, destination: "here") {
                try await library.settle(deleted: attempt)
            }
        },
        Row("larger bytes are sent and not heard of", 30) {
            try await $0.noteAttempt(sent(130, after: 1), destination: "here")
        },
        Row("smaller bytes are sent and not heard of", 0) {
            try await $0.noteAttempt(sent(90, after: 1), destination: "here")
        },
        Row("larger bytes were sent before its receipt, and may arrive after it", 30) {
            try await $0.noteAttempt(sent(130, after: 1 - Attempt.echo), destination: "here")
        },
        Row("larger bytes were sent long before its receipt", 0) {
            try await $0.noteAttempt(sent(130, after: -Attempt.echo), destination: "here")
        },
        Row("the object is seen to be as it was while they may still arrive", 30) {
            try await send($0, confirmed: Items.now + Attempt.echo)
        },
        Row("the object is seen to be as it was since", 0) {
            try await send($0, confirmed: Items.now + 1 + Attempt.echo)
        },
        Row("the object is replaced by a smaller one, and its request may arrive once more", 20) { library in
            try await library.noteAttempt(tried, destination: "here")
            let small = Items.pending("a.jpg", content: 4, size: 80)
            try await library.record([(receipt(small), small)])
        },
        Row("the object is moved away, and its request may arrive once more", 100) { library in
            try await library.noteAttempt(tried, destination: "here")
            try await library.record([(receipt(item), item)])
            let target = Items.pending("b.jpg", content: 1, size: 100)
            try await library.record([(receipt(target), target)], moved: [target.id: receipt(item)])
        },
        Row("bytes for another key are not heard of", 50) { library in
            try await library.noteAttempt(Items.pending("b.jpg", content: 3, size: 50), destination: "here")
        },
        Row("another object may have been moved to another key", 0) { library in
            let target = Items.pending("b.jpg", content: 1, size: 100)
            try await library.noteMove(of: target, from: item.objectKey, destination: "here", at: Items.now)
        },
        Row("a deletion is about to be asked for", 0) {
            try await $0.noteDeletion(of: [item.objectKey], destination: "here", at: Items.now)
        },
        Row("another destination is asked about first", 0) { library in
            try await library.noteAttempt(other, destination: "there")
            let attempt = try await library.attempts(at: other.objectKey, destination: "there")[0]
            try await library.settle(attempt, isThere: 5)
            #expect(try await library.leftovers(destination: "there").total == 5)
        },
    ]

    /// Sizes as a server may state them, whatever they are.
    @Test(
        arguments: [
            ([.max, .max], 2 * Observation.mostBytes), ([-5, 7], 7), ([.min], 0),
            ([Observation.mostBytes], Observation.mostBytes),
        ] as [([Int64], Int64)])
    func sizesThatCannotBeAreNoTrouble(sizes: [Int64], bytes: Int64) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            for (index, size) in sizes.enumerated() {
                let item = Items.pending(FilePath("\(index).jpg"))
                try await library.noteAttempt(item, destination: "here")
                let attempt = try #require(try await library.attempts(at: item.objectKey, destination: "here").first)
                try await library.settle(attempt, isThere: size)
                let held = try await library.leftovers(destination: "here")[item.objectKey]
                #expect((0...Observation.mostBytes).contains(held))
            }
            #expect(try await library.leftovers(destination: "here").total == bytes)
        }
    }

    @Test(arguments: [(-601.0, 1), (-599, 0), (59, 0)])
    func whatCanNoLongerArriveIsAskedAbout(tried seconds: Double, count: Int) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let item = Items.with { $0.lastAttemptAt = Items.now + seconds }
            try await library.noteAttempt(item, destination: "here")
            let unseen = try await library.unseenAttempts(
                destination: "here", before: Items.now - Attempt.echo, count: 9)
            #expect(unseen.count == count)
        }
    }

    @Test(arguments: rows)
    func whatIsLeftIsCountedAnew(_ row: Row) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await library.see(Self.item, below: root)
            try await library.record([(Self.receipt(Self.item), Self.item)])
            try await library.noteAttempt(Self.other, destination: "here")
            let attempts = try await library.attempts(at: Self.item.objectKey, destination: "here")
            try await library.settle(try #require(attempts.first), isThere: 77)
            #expect(try await library.occupancy(destination: "here").leftovers.total == 0)
            try await row.act(library)
            let counted = try await library.occupancy(destination: "here").leftovers.total
            #expect(counted == row.bytes)
            // So a reader finds that begins with this.
            try await library.commit()
            let reader = try #require(try Library.existing(at: folder.appending("library.sqlite")))
            #expect(try await reader.occupancy(destination: "here").leftovers.total == row.bytes)
        }
    }
}

import Fixtures
import Foundation
import Platform
import Testing

@testable import Queue

/// Of equal files that are due together one is sent, and the others become copies of it.
@Suite struct EqualContentsTests {
    private typealias Window = QueueWindowTests.Window

    private static func equal(_ name: String, _ change: (inout Item) -> Void = { _ in }) -> Item {
        Items.with(Items.pending(FilePath(name), content: 7), change)
    }

    @Test func theOthersWaitForTheReceiptOfTheFirst() throws {
        let window = Window(
            Self.equal("a"), Self.equal("b"), Self.equal("c"), Items.pending("other", age: 7_200))
        let first = try #require(window.claim())
        #expect(window.claim()?.path == "other")
        #expect(window.claim() == nil)
        window.finish(first, .sent)
        #expect(window.claim() == nil, "what is not proven cannot be copied")
        window.finish(first, .verified)
        #expect(window.claims().count == 2, "copies wait for no other copy")
    }

    @Test(arguments: ItemTransitionTests.outcomes.filter { $0 != .sent && $0 != .verified })
    func whereTheFirstIsNotStoredOneOfThemIsSent(_ outcome: UploadOutcome) throws {
        let window = Window(Self.equal("a"), Self.equal("b"), Self.equal("c"))
        let first = try #require(window.claim())
        window.finish(first, outcome)
        #expect(window.claims().count == 1)
    }

    @Test(
        arguments: [
            ("equal bytes wait", equal("b"), true),
            ("five gigabytes are still copied", Items.pending("b", content: 7, size: 5_000_000_000), true),
            ("servers copy no more", Items.pending("b", content: 7, size: 5_000_000_001), false),
            ("a single byte", Items.pending("b", content: 7, size: 1), true),
            ("nothing is gained where there are no bytes", Items.pending("b", content: 7, size: 0), false),
            ("copying failed twice", equal("b") { $0.retryCount = 2 }, true),
            ("copying failed often enough", equal("b") { $0.retryCount = 3 }, false),
            ("a picture is none of a file", Items.pending("b", content: 7, role: .thumbnail(512)), false),
            ("other bytes", Items.pending("b", content: 8), false),
        ] as [(String, Item, Bool)])
    func waitsForTheOther(_ row: (why: String, item: Item, waits: Bool)) {
        let window = Window(Items.pending("a", content: 7, size: row.item.size, age: 0), row.item)
        let claimed = [window.claim()?.path, window.claim()?.path]
        #expect(Set(claimed) == (row.waits ? ["a", nil] : ["a", "b"]), "\(row.why)")
    }

    /// Its object may be the one that is being moved to the other name.
    @Test func whatMayHaveArrivedWaits() throws {
        let window = Window(
            Self.equal("a") { $0.lastAttemptAt = Items.now - 60 }, Self.equal("b") { $0.lastAttemptAt = Items.now - 60 }
        )
        let first = try #require(window.claim())
        #expect(window.claim() == nil)
        window.finish(first, .verified)
        #expect(window.claims().count == 1)
    }

    @Test(arguments: [1, 2, 5])
    func whatComesUpWhileCopiesAreMadeWaitsForTheLastOfThem(count: Int) throws {
        let window = Window(Self.equal("a"))
        for number in 0..<count { window.add(Self.equal("copy \(number)")) }
        let first = try #require(window.claim())
        #expect(window.claim() == nil)
        window.finish(first, .verified)
        let copies = try (0..<count).map { _ in try #require(window.claim()) }
        window.add(Self.equal("later"))
        for copy in copies {
            #expect(window.claim() == nil)
            window.finish(copy, .verified)
        }
        #expect(window.claim()?.path == "later")
    }

    @Test func whoIsWithdrawnWhileWaitingIsNotSent() throws {
        let window = Window(Self.equal("a"), Self.equal("b"))
        let first = try #require(window.claim())
        #expect(window.claim() == nil)
        #expect(window.remove { $0.path != first.path }.count == 1)
        window.finish(first, .verified)
        #expect(window.claim() == nil)
    }
}

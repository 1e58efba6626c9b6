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
            ("nothing is gained where there are no bytes", equal("b") { $0 = Items.pending("b", content: 7, size: 0) }),
            ("servers copy no more", equal("b") { $0 = Items.pending("b", content: 7, size: 5_000_000_001) }),
            ("copying failed often enough", equal("b") { $0.retryCount = 3 }),
            ("a picture is none of a file", equal("b") { $0 = Items.pending("b", content: 7, role: .thumbnail(512)) }),
            ("other bytes", Items.pending("b", content: 8)),
        ] as [(String, Item)])
    func waitsForNoOther(why: String, item: Item) {
        let window = Window(Items.pending("a", content: 7, age: 60), item)
        #expect(Set([window.claim()?.path, window.claim()?.path]) == ["a", "b"], "\(why)")
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

    @Test func whatComesUpWhileCopiesAreMadeWaitsForTheLastOfThem() throws {
        let window = Window(Self.equal("a"), Self.equal("b"), Self.equal("c"))
        let first = try #require(window.claim())
        #expect(window.claim() == nil)
        window.finish(first, .verified)
        let copies = [try #require(window.claim()), try #require(window.claim())]
        window.add(Self.equal("d"))
        for copy in copies {
            #expect(window.claim() == nil)
            window.finish(copy, .verified)
        }
        #expect(window.claim()?.path == "d")
    }

    @Test func fiveGigabytesAreStillCopied() {
        let size: Int64 = 5_000_000_000
        let window = Window(Items.pending("a", content: 7, size: size), Items.pending("b", content: 7, size: size))
        #expect(window.claims().count == 1)
    }

    @Test func whoIsWithdrawnWhileWaitingIsNotSent() throws {
        let window = Window(Self.equal("a"), Self.equal("b"))
        let first = try #require(window.claim())
        #expect(window.claim() == nil)
        #expect(window.remove { $0.path != first.path }.count == 1)
        window.finish(first, .verified)
        #expect(window.claim() == nil)
    }

    @Test func whoComesLaterWaitsToo() throws {
        let window = Window(Self.equal("a"), Self.equal("b"))
        let first = try #require(window.claim())
        window.finish(first, .verified)
        let copy = try #require(window.claim())
        window.add(Self.equal("c"))
        #expect(window.claim() == nil)
        window.finish(copy, .verified)
        #expect(window.claim()?.path == "c")
    }
}

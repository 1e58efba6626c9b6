import Fixtures
import Foundation
import TestSupport
import Testing

@testable import Queue

/// What a server has lost of an upload in pieces is no progress when it arrives once more.
@Suite struct LostProgressTests {
    private static let now = Items.now

    private static func resume(_ offset: Int64, _ upload: String = "u1") -> Item.Resume {
        Item.Resume(uploadID: upload, createdAt: now, offset: offset)
    }

    private static let sending = Items.with(Items.pending(size: 100)) {
        $0.status = .uploading
        $0.retryCount = 3
    }

    /// Offsets that the server named in turn, and whether all attempts are earned again by them.
    @Test(
        arguments: [
            Fact("the first piece", [0, 6], true), Fact("no piece", [0, 0], false),
            Fact("one piece more than before", [6, 12], true), Fact("the same piece once more", [6, 6], false),
            Fact("a piece that was lost arrives again", [12, 6, 12], false),
            Fact("all that was lost arrives again", [12, 0, 6, 12], false),
            Fact("and then one byte more", [12, 0, 6, 12, 13], true),
            Fact("lost twice", [12, 6, 9, 0, 12], false), Fact("lost twice, then more", [12, 6, 9, 0, 18], true),
        ] as [Fact<[Int64], Bool>])
    func onlyWhatNeverArrivedBeforeIsProgress(_ fact: Fact<[Int64], Bool>) {
        var item = Self.sending.keeping(Self.resume(fact.input[0]))
        item.retryCount = 3
        for offset in fact.input.dropFirst() {
            item = item.keeping(Self.resume(offset))
            #expect(item.resume?.offset == offset)
        }
        #expect(item.retryCount == (fact.output ? 0 : 3))
    }

    /// An upload that is begun anew since the server forgot the former has to get as far first.
    @Test func anUploadThatIsBegunAnewHasToGetAsFarFirst() {
        var item = Self.sending.keeping(Self.resume(60))
        item.retryCount = 3
        item = item.keeping(Self.resume(0, "u2")).keeping(Self.resume(54, "u2")).keeping(Self.resume(60, "u2"))
        #expect(item.retryCount == 3)
        #expect(item.keeping(Self.resume(61, "u2")).retryCount == 0)
    }

    /// A server that loses every upload at its second piece uses up the attempts, however often that takes place.
    @Test func whatIsLostEachTimeUsesUpTheAttempts() throws {
        var item = Items.pending(size: 100)
        var attempts = 0
        while item.status != .failed, attempts < 50 {
            attempts += 1
            let due = (item.nextAttemptAt ?? Self.now) + 1
            item = try #require(item.claimed(at: due))
            let upload = "u\(attempts)"
            item = item.keeping(Self.resume(0, upload)).keeping(Self.resume(6, upload))
            item = try #require(item.after(.retry(Items.busy, after: nil), at: due, ladder: RetryLadder(), random: 0.5))
        }
        // The first piece of all arrived once, which earns no attempt that was not there.
        #expect(attempts == 10)
        #expect(item.status == .failed)
    }

    /// What was reached outlives a restart: a line of the queue has it as long as it is news.
    @Test func howFarItCameIsWrittenDown() throws {
        let far = Self.sending.keeping(Self.resume(60)).keeping(Self.resume(6, "u2"))
        guard case .set(let read) = try QueueChange(line: far.line()) else {
            Issue.record("a line that is no item")
            return
        }
        #expect(read == far)
        #expect(read.recovered.keeping(Self.resume(12, "u2")).resume?.furthest == 60)
        let past = read.keeping(Self.resume(61, "u2"))
        #expect(past.resume?.furthest == nil)
        #expect(!String(decoding: past.line(), as: UTF8.self).contains("furthest"))
    }

    /// Where the last attempt brought other bytes than were sent, no piece is progress.
    @Test func whatWasSpoiltIsNoProgress() {
        var item = Self.sending
        item.lastError = Item.Failure(code: .verify(.hash), message: "other bytes", retryable: true)
        #expect(item.keeping(Self.resume(60)).retryCount == 3)
    }

    /// An upload that is over leaves nothing that the next could be held against.
    @Test func anEndForgetsHowFarItCame() throws {
        let far = Self.sending.keeping(Self.resume(60)).keeping(Self.resume(0, "u2"))
        #expect(far.keeping(nil).keeping(Self.resume(6, "u3")).retryCount == 0)
        let moved = try #require(
            far.after(.moved(ObjectKey(text: "x")), at: Self.now, ladder: RetryLadder(), random: 0.5))
        #expect(moved.resume == nil)
    }
}

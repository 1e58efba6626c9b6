import Fixtures
import Foundation
import Testing

@testable import Queue

@Suite struct ItemTransitionTests {
    static let now = Items.now
    static let busy = Items.busy
    static let tooLarge = Items.tooLarge
    static let ladder = RetryLadder()

    /// One report of a sender: the item before, the outcome, the item after.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let item: Item
        let outcome: UploadOutcome
        let next: Item?

        /// `next` is what `change` makes of the item.
        init(_ sentence: String, _ item: Item, _ outcome: UploadOutcome, _ change: (inout Item) -> Void) {
            testDescription = sentence
            self.item = item
            self.outcome = outcome
            next = Items.with(item, change)
        }

        init(withdrawing sentence: String, _ item: Item) {
            testDescription = sentence
            self.item = item
            outcome = .withdrawn
            next = nil
        }
    }

    /// Being sent for the first time, with some bytes acknowledged.
    static let sending = Items.with {
        $0.status = .uploading
        $0.lastAttemptAt = now - 5
        $0.resume = Items.resume
    }
    /// Completely sent, but not verified.
    static let sent = Items.with(sending) {
        $0.sent = true
        $0.resume = nil
    }
    /// Being sent after nine answered failures.
    static let last = Items.with(sending) {
        $0.retryCount = 9
        $0.lastError = busy
    }
    static let lastSent = Items.with(sent) { $0.retryCount = 9 }

    @Test(arguments: [
        Row("verified at once is completed", sending, .verified) {
            $0.status = .completed
            $0.completedAt = now
            $0.sent = true
            $0.resume = nil
        },
        Row(
            "verified later is completed, its last error forgotten", Items.with(sent) { $0.lastError = busy }, .verified
        ) {
            $0.status = .completed
            $0.completedAt = now
            $0.lastError = nil
        },
        Row("accepted is still uploading, with nothing to resume", sending, .sent) {
            $0.sent = true
            $0.resume = nil
        },
        Row("not what the server holds: sent again, which counts", sent, .notStored(busy)) {
            $0.status = .pending
            $0.sent = false
            $0.retryCount = 1
            $0.lastError = busy
            $0.nextAttemptAt = now + 2
        },
        Row("not what the server holds, for the tenth time", lastSent, .notStored(busy)) {
            $0.status = .failed
            $0.sent = false
            $0.retryCount = 10
            $0.lastError = busy
            $0.nextAttemptAt = now + 86_400
        },
        Row(
            "another client's key: under another one, from the start", sending,
            .moved(ObjectKey(text: "Pictures/b.jpg"))
        ) {
            $0.status = .pending
            $0.objectKey = ObjectKey(text: "Pictures/b.jpg")
            $0.resume = nil
        },
        Row("another client's key, found out after sending", sent, .moved(ObjectKey(text: "Pictures/b.jpg"))) {
            $0.status = .pending
            $0.objectKey = ObjectKey(text: "Pictures/b.jpg")
            $0.sent = false
        },
        Row("a first refusal waits 2 s and resumes", sending, .retry(busy, after: nil)) {
            $0.status = .pending
            $0.retryCount = 1
            $0.lastError = busy
            $0.nextAttemptAt = now + 2
        },
        Row("a third one waits 32 s", Items.with(sending) { $0.retryCount = 2 }, .retry(busy, after: nil)) {
            $0.status = .pending
            $0.retryCount = 3
            $0.lastError = busy
            $0.nextAttemptAt = now + 32
        },
        Row("the server's own wait is kept to", sending, .retry(busy, after: .seconds(100))) {
            $0.status = .pending
            $0.retryCount = 1
            $0.lastError = busy
            $0.nextAttemptAt = now + 110
        },
        Row("what was sent stays sent", sent, .retry(busy, after: nil)) {
            $0.status = .pending
            $0.retryCount = 1
            $0.lastError = busy
            $0.nextAttemptAt = now + 2
        },
        Row("the tenth refusal is the last, and tried again in a day", last, .retry(busy, after: nil)) {
            $0.status = .failed
            $0.retryCount = 10
            $0.nextAttemptAt = now + 86_400
        },
        Row("the tenth is the last whatever the server asks for", last, .retry(busy, after: .seconds(1))) {
            $0.status = .failed
            $0.retryCount = 10
            $0.nextAttemptAt = now + 86_400
        },
        Row(
            "the daily try of a failed item fails for another day", Items.with(last) { $0.retryCount = 10 },
            .retry(busy, after: nil)
        ) {
            $0.status = .failed
            $0.retryCount = 11
            $0.nextAttemptAt = now + 86_400
        },
        Row("what was sent stays sent when it fails", lastSent, .retry(busy, after: nil)) {
            $0.status = .failed
            $0.retryCount = 10
            $0.lastError = busy
            $0.nextAttemptAt = now + 86_400
        },
        Row("what repeating cannot change fails at once", sending, .refused(tooLarge)) {
            $0.status = .failed
            $0.lastError = tooLarge
            $0.nextAttemptAt = now + 86_400
        },
        Row("no answer: no attempt, and it waits for the network", last, .unreachable(busy)) {
            $0.status = .pending
            $0.blocked = .offline
        },
        Row("no answer to the question for the proof", sent, .unreachable(busy)) {
            $0.status = .pending
            $0.blocked = .offline
            $0.lastError = busy
        },
        Row("not signed in: no attempt, and it waits for that", sending, .blocked(.signIn, tooLarge)) {
            $0.status = .pending
            $0.blocked = .signIn
            $0.lastError = tooLarge
        },
        Row("interrupted: back, to be resumed", sending, .interrupted) { $0.status = .pending },
        Row("interrupted before the proof: asked for it again", sent, .interrupted) { $0.status = .pending },
        Row(withdrawing: "the file changed or is gone", sending),
        Row(withdrawing: "the file changed after sending", sent),
    ])
    func afterSending(_ row: Row) {
        #expect(row.item.after(row.outcome, at: Self.now, ladder: Self.ladder, random: 0.5) == row.next)
    }

    static let outcomes: [UploadOutcome] = [
        .verified, .sent, .notStored(busy), .moved(ObjectKey(text: "x")), .retry(busy, after: nil),
        .retry(busy, after: .seconds(5)), .refused(tooLarge), .unreachable(busy), .blocked(.budget, busy), .interrupted,
        .withdrawn,
    ]

    /// Every combination of states that an item can have.
    static let shapes: [Item] = Item.Status.allCases.flatMap { status in
        [0, 1, 9, 10].flatMap { retries in
            [false, true].flatMap { sent in
                [nil, Items.resume].map { resume in
                    Items.with {
                        $0.status = status
                        $0.retryCount = retries
                        $0.sent = sent
                        $0.resume = sent ? nil : resume
                        $0.lastAttemptAt = retries > 0 ? now - 60 : nil
                        $0.nextAttemptAt = status == .pending && retries > 0 ? now + 60 : nil
                    }
                }
            }
        }
    }

    @Test(arguments: Item.Status.allCases.filter { $0 != .uploading }, outcomes)
    func aLateReportChangesNothing(status: Item.Status, outcome: UploadOutcome) {
        for item in Self.shapes where item.status == status {
            #expect(item.after(outcome, at: Self.now, ladder: Self.ladder, random: 0.5) == item)
        }
    }

    @Test(arguments: outcomes)
    func whateverIsReported(_ outcome: UploadOutcome) {
        for item in Self.shapes where item.status == .uploading {
            guard let next = item.after(outcome, at: Self.now, ladder: Self.ladder, random: 0.5) else {
                #expect(outcome == .withdrawn)
                continue
            }
            #expect((0...1).contains(next.retryCount - item.retryCount))
            #expect(next.status == .pending || next.blocked == nil, "only what is pending is blocked")
            #expect((next.status == .completed) == (next.completedAt != nil))
            #expect(next.status != .completed || next.sent)
            #expect(next.status != .failed || next.lastError != nil && next.nextAttemptAt == Self.now + 86_400)
            #expect(next.nextAttemptAt.map { $0 > Self.now } ?? true)
            #expect(!(next.sent && next.resume != nil))
            #expect(next.mayHaveArrived == item.mayHaveArrived)
            #expect(next.id == item.id && next.sha256 == item.sha256 && next.createdAt == item.createdAt)
        }
    }

    // MARK: Claiming

    /// An item whose last attempt was at that time.
    private static func tried(at date: Date, _ status: Item.Status, next: Date?) -> Item {
        Items.with { ($0.lastAttemptAt, $0.status, $0.nextAttemptAt) = (date, status, next) }
    }

    @Test(arguments: [
        ("pending", true, Items.pending()),
        ("due just now", true, Items.with { $0.nextAttemptAt = now }),
        ("due in a millisecond", false, Items.with { $0.nextAttemptAt = now + 0.001 }),
        ("blocked", false, Items.with { $0.blocked = .paused }),
        (
            "blocked, though its time has come", false,
            Items.with {
                $0.blocked = .offline; $0.nextAttemptAt = now - 9
            }
        ),
        (
            "failed a day ago", true,
            Items.with {
                $0.status = .failed; $0.nextAttemptAt = now
            }
        ),
        (
            "failed less than a day ago", false,
            Items.with {
                $0.status = .failed; $0.nextAttemptAt = now + 1
            }
        ),
        ("failed without a time", false, Items.with { $0.status = .failed }),
        // The clock was years ahead when it was tried, and was set right since.
        ("tried in years to come", true, tried(at: now + 1e8, .pending, next: now + 1e8 + 2)),
        ("failed in years to come", true, tried(at: now + 1e8, .failed, next: now + 1e8 + 86_400)),
        ("tried a minute and a second ahead", true, tried(at: now + 61, .pending, next: now + 63)),
        ("tried a minute ahead: clocks are corrected", false, tried(at: now + 60, .pending, next: now + 62)),
        ("tried now, and asked for a long wait", false, tried(at: now, .pending, next: now + 1e8)),
        ("tried in years to come, without a time", false, tried(at: now + 1e8, .failed, next: nil)),
        (
            "blocked since years to come", false,
            Items.with(tried(at: now + 1e8, .pending, next: now + 1e8)) { $0.blocked = .offline }
        ),
        ("under way", false, sending),
        ("completed", false, Items.with { $0.status = .completed }),
    ])
    func isDue(_ row: (why: String, isDue: Bool, item: Item)) {
        #expect(row.item.isDue(at: Self.now) == row.isDue, "\(row.why)")
        #expect((row.item.claimed(at: Self.now) != nil) == row.isDue, "\(row.why)")
    }

    @Test func aClaimKeepsWhatIsKnownAboutTheItem() throws {
        let item = Items.with {
            $0.retryCount = 4
            $0.resume = Items.resume
            $0.lastError = Self.busy
            $0.nextAttemptAt = Self.now - 1
        }
        let claimed = try #require(item.claimed(at: Self.now))
        #expect(
            claimed
                == Items.with(item) {
                    $0.status = .uploading
                    $0.lastAttemptAt = Self.now
                    $0.nextAttemptAt = nil
                })
        #expect(claimed.mayHaveArrived)
    }

    // MARK: Recovery and requests

    @Test func afterACrashNothingIsUploadingAndNothingElseChanged() {
        for item in Self.shapes {
            #expect(item.recovered.status == (item.status == .uploading ? .pending : item.status))
            #expect(Items.with(item.recovered) { $0.status = item.status } == item)
            #expect(item.recovered.recovered == item.recovered)
        }
    }

    @Test func onRequestOpenAndFailedItemsAreDueWithAllTheirAttempts() {
        for item in Self.shapes {
            let requested = item.requested
            switch item.status {
            case .pending, .failed:
                #expect(requested.isDue(at: Self.now) && requested.retryCount == 0)
                #expect(requested.sent == item.sent && requested.resume == item.resume)
            case .uploading, .completed:
                #expect(requested == item)
            }
        }
    }

    @Test func anUnblockedItemGoesOnWhereItWas() {
        let item = Items.with {
            $0.retryCount = 3; $0.nextAttemptAt = Self.now + 9
        }
        #expect(Items.with(item) { $0.blocked = .budget }.unblocked == item)
    }
}

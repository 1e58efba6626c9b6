import Fixtures
import Foundation
import Platform
import Supabase
import Testing

@testable import Queue

/// What stands in an item's way, whose doing that is, and what is to be done about it.
@Suite struct CauseTests {
    private static let codes: [FailureCode] = [
        .http(401), .http(402), .http(403), .http(413), .http(500), .http(507), .http(540), .storage(.accessDenied),
        .storage(.invalidMimeType), .storage(.unseen), .storage(.noSuchBucket), .network(.unreachable),
        .network(.untrusted), .network(.lost), .file("EIO"), .unsteady, .auth(.refused), .auth(.signedOut),
        .verify(.hash), .verify(.missing), .limit(.storage), .limit(.proxy), .limit(.budget), .other("object.foreign"),
    ]
    private static let reasons: [Item.Blocked] = [
        .offline, .budget, .paused, .signIn, .bucket, .tooLarge, .metered, .away,
    ]

    private static func item(
        _ code: FailureCode?, _ reason: Item.Blocked? = nil, status: Item.Status = .pending, type: String = "image/jpeg"
    ) -> Item {
        let item = Item(
            root: "Pictures", path: "a.jpg", role: .original, contentType: type, size: 7,
            sha256: String(repeating: "a", count: 64), modifiedAt: FileTime(nanoseconds: 0), bucket: "media",
            objectKey: ObjectKey(text: "Pictures/a.jpg"), now: Items.now)
        return Items.with(item) {
            ($0.status, $0.blocked, $0.retryCount, $0.nextAttemptAt) = (status, reason, 3, Items.now + 60)
            $0.lastError = code.map { Item.Failure(code: $0, message: "words", retryable: false) }
        }
    }

    /// Only what the other side says may be mended for many items at once.
    @Test(arguments: codes)
    func whatMayBeMendedForManyAtOnce(_ code: FailureCode) {
        let isShared =
            switch code {
            case .auth, .storage, .http, .verify: true
            case .limit(let limit): limit != .budget
            case .network, .file, .other: false
            }
        #expect((Self.item(code).cause != nil) == isShared)
        // Files of two kinds share it, unless the kind is what is refused.
        let (photo, video) = (Self.item(code).cause, Self.item(code, type: "video/mp4").cause)
        #expect((photo == video) == (code != .storage(.invalidMimeType)))
        #expect(Self.item(nil).cause == nil)
    }

    /// An item waits to be mended that failed, or that this sign-in or its size keeps; all else has another end.
    @Test(arguments: Item.Status.allCases, [nil] + reasons.map { $0 })
    func whoWaitsForSomethingToBeMended(_ status: Item.Status, _ reason: Item.Blocked?) {
        for code in Self.codes {
            let item = Self.item(code, reason, status: status)
            let mayWait = status == .failed || status == .pending && [.signIn, .tooLarge].contains(reason)
            #expect(item.awaitsMending == (mayWait && item.cause != nil), "\(code)")
        }
        #expect(!Self.item(nil, reason, status: status).awaitsMending)
    }

    /// A probe is due at once, and has no more attempts than it had.
    @Test(arguments: [Item.Status.pending, .failed], [nil] + reasons.map { $0 })
    func aProbeIsDueAtOnce(_ status: Item.Status, _ reason: Item.Blocked?) {
        let before = Self.item(.http(413), reason, status: status)
        let probe = before.probing
        #expect(probe.isDue(at: Items.now))
        #expect(probe.retryCount == before.retryCount && probe.lastError == before.lastError && probe.id == before.id)
    }

    /// A code is kept only where something else is to be done because of it.
    @Test(arguments: reasons)
    func aCauseReadsBackAsItIsWritten(_ reason: Item.Blocked) {
        for code in Self.codes + [.other("a/b"), .other("")] {
            let cause = BlockedCause(reason, code: code)
            #expect(BlockedCause(cause.text) == cause)
            #expect((cause.code != nil) == BlockedCause.tellingCodes.contains(code))
            #expect(cause.isClosure == (reason == .budget && [.http(402), .http(507)].contains(code)))
        }
        #expect(BlockedCause(BlockedCause(reason, code: nil).text) == BlockedCause(reason, code: nil))
    }

    @Test(arguments: ["", "/", "nonsense", "nonsense/http.402", "/http.402", " budget"])
    func whatNamesNoReasonIsNone(_ text: String) { #expect(BlockedCause(text) == nil) }

    /// What stands in the way of all that is due, though only what was tried is marked.
    @Test(arguments: reasons)
    func whatStandsInTheWayOfAll(_ reason: Item.Blocked) {
        for code in [nil] + Self.codes {
            let isOfAll =
                switch reason {
                case .offline, .bucket, .metered: true
                // A refused sign-in has a code that makes no difference, and so none.
                case .signIn: code.map { !BlockedCause.tellingCodes.contains($0) || $0 == .http(401) } ?? true
                case .budget: code == .http(402) || code == .http(507)
                case .paused, .tooLarge, .away: false
                }
            #expect(BlockedCause(reason, code: code).isOfAll == isOfAll, "\(String(describing: code))")
        }
    }

    /// A server copies and moves at most 5 GB, and an empty file gains nothing.
    @Test(
        arguments: [
            (1, 0, true), (0, 0, false), (5_000_000_000, 0, true), (5_000_000_001, 0, false), (1, 2, true),
            (1, 3, false),
        ] as [(Int64, Int, Bool)])
    func whatMayBeCopiedOnTheServer(_ size: Int64, _ retries: Int, _ mayBe: Bool) {
        let item = Items.with(Items.pending("a.jpg", size: size)) { $0.retryCount = retries }
        #expect(item.mayBeCopied == mayBe)
    }

    /// Bytes that are under way, or were taken and are not proven, and differ from those that come next.
    @Test(
        arguments: [
            (Item.Status.pending, false), (.pending, true), (.uploading, false), (.uploading, true), (.failed, false),
        ], [true, false])
    func whatIsOnItsWayToTheKeyOfTheNext(_ state: (status: Item.Status, sent: Bool), _ isSame: Bool) {
        let before = Items.with(Items.pending("a.jpg", content: 1)) {
            ($0.status, $0.sent, $0.lastAttemptAt) = (state.status, state.sent, Items.now)
        }
        let next = Items.pending("a.jpg", content: isSame ? 1 : 2)
        #expect(before.hasUnproven(otherThan: next) == ((state.status == .uploading || state.sent) && !isSame))
    }

    /// By the byte, whatever the size is told of in words.
    @Test(
        arguments: [
            (49_999_999, .named, 0), (50_000_000, .named, 1), (49_999_999, .arrival, 2), (50_000_000, .arrival, 3),
            (0, .backlog, 4), (.max, .backlog, 5),
        ] as [(Int64, Asset.Rank.Origin, Int64)])
    func aRankKnowsItsOriginAndWhetherItIsLarge(_ size: Int64, _ origin: Asset.Rank.Origin, _ number: Int64) {
        let rank = Asset.Rank(origin, size: size)
        #expect(rank.rawValue == number)
        #expect(rank.origin == origin && rank.isNamed == (origin == .named) && rank.isLarge == (number % 2 == 1))
        // What a later version may write is no reason to go first.
        #expect(Asset.Rank(rawValue: 6 + number).origin == .backlog)
    }
}

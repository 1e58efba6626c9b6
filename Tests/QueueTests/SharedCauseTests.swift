import Fixtures
import Foundation
import Supabase
import TestSupport
import Testing

@testable import Queue

/// Causes outside a file: which of them many files share, and which stand before all.
@Suite struct SharedCauseTests {
    private static func failing(
        _ code: FailureCode, _ status: Item.Status = .failed, blocked: Item.Blocked? = nil,
        type: String = "image/jpeg"
    ) -> Item {
        Items.with {
            $0.status = status
            $0.blocked = blocked
            $0.retryCount = 10
            $0.nextAttemptAt = Items.now + 60
            $0.lastError = Item.Failure(code: code, message: "words", retryable: false)
        }
    }

    @Test(
        arguments: [
            Fact("a sign-in", .auth(.refused), true), Fact("a refusal of the server", .storage(.accessDenied), true),
            Fact("a status", .http(503), true), Fact("a proof that failed", .verify(.hash), true),
            Fact("the bucket's limit", .limit(.storage), true), Fact("a proxy's limit", .limit(.proxy), true),
            Fact("the user's own budget", .limit(.budget), false), Fact("the network", .network(.lost), false),
            Fact("the file itself", .file("EACCES"), false), Fact("an unsteady file", .unsteady, false),
            Fact("a word of another version", .other("x.y"), false),
        ] as [Fact<FailureCode, Bool>])
    func aCauseIsSharedWhereItIsOfTheOtherSide(_ fact: Fact<FailureCode, Bool>) {
        let cause = Cause(code: fact.input, contentType: "image/jpeg")
        #expect((cause != nil) == fact.output)
        #expect(cause == nil || cause == Cause(code: fact.input, contentType: "video/mp4"), "whatever type it is of")
        #expect((Self.failing(fact.input).cause != nil) == fact.output)
    }

    /// A type that the bucket refuses is a cause for files of that type alone.
    @Test func aRefusedTypeIsACauseOfItsOwn() {
        let code = FailureCode.storage(.invalidMimeType)
        #expect(Cause(code: code, contentType: "image/jpeg") != Cause(code: code, contentType: "video/mp4"))
        #expect(Cause(code: code, contentType: "a/b") == Cause(code: code, contentType: "a/b"))
    }

    /// Each reason with a code, and whether everything that is due waits for it, too.
    @Test(
        arguments: [
            Fact("no server answers", (.offline, .network(.unreachable)), true),
            Fact("the project sleeps", (.offline, .http(540)), true),
            Fact("the bucket is missing", (.bucket, .storage(.noSuchBucket)), true),
            Fact("the network is metered", (.metered, nil), true),
            Fact("no one is signed in", (.signIn, .auth(.signedOut)), true),
            Fact("the key is refused", (.signIn, .http(401)), true),
            Fact("a policy refuses this object", (.signIn, .storage(.accessDenied)), false),
            Fact("what is stored cannot be seen", (.signIn, .storage(.unseen)), false),
            Fact("the plan is used up", (.budget, .http(402)), true),
            Fact("the disk is full", (.budget, .http(507)), true),
            Fact("the budget is used up", (.budget, .limit(.budget)), false),
            Fact("the user paused it", (.paused, nil), false),
            Fact("it is too large", (.tooLarge, .limit(.storage)), false),
            Fact("its disk is away", (.away, .file("ENXIO")), false),
        ] as [Fact<(Item.Blocked, FailureCode?), Bool>])
    func whatStandsBeforeEverything(_ fact: Fact<(Item.Blocked, FailureCode?), Bool>) throws {
        let cause = BlockedCause(fact.input.0, code: fact.input.1)
        #expect(cause.isOfAll == fact.output)
        #expect(cause.isClosure == (fact.input.0 == .budget && fact.output))
        #expect(try #require(BlockedCause(cause.text)) == cause, "as the figures of the queue have it")
    }
}

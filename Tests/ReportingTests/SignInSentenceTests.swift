import Fixtures
import Foundation
import Supabase
import Sync
import Testing
import Transfer
import Uploading

@testable import Queue
@testable import Reporting

/// Item 4 of the protocol's list: one correct sentence with its next step.
@Suite struct SignInSentenceTests {
    private static let expired =
        #"{"statusCode":"403","error":"Unauthorized","message":"\"exp\" claim timestamp check failed"}"#
    private static let denied =
        #"{"statusCode":"403","error":"Unauthorized","message":"new row violates row-level security policy","code":"AccessDenied"}"#
    /// Noon of 20 November 2026.
    private static let noon = Date(timeIntervalSince1970: 1_795_176_000)

    private static func outcome(_ status: Int, _ body: String, key: KeyKind, now: Date = noon) -> UploadOutcome {
        let response = HTTPResponse(
            status: status, headers: ["date": "Fri, 20 Nov 2026 12:00:00 GMT"], body: Array(body.utf8))
        return UploadOutcome(.refused(StorageRefusal(response, sentKey: key)), at: now)
    }

    @Test(
        arguments: [
            ("a user's token", expired, KeyKind.user(id: "u"), 0, "auth.refused", "Run \"gallery-sync login\"."),
            ("a key", expired, .legacy(role: "service_role"), 0, "auth.refused", "Set a new GALLERY_SYNC_KEY"),
            (
                "the clock", expired, .user(id: "u"), 3_660, "auth.refused",
                "This computer's clock is 61 minutes ahead of"
            ),
            (
                "the clock's other side", expired, .user(id: "u"), -3_600, "auth.refused",
                "60 minutes behind the server's"
            ),
            ("a minute is none", expired, .user(id: "u"), 59, "auth.refused", "Run \"gallery-sync login\"."),
            (
                "a key of the wrong kind",
                #"{"statusCode":"403","message":"Invalid Compact JWS","error":"Unauthorized"}"#,
                .secret, 0, "auth.wrongKind", "has no gateway that knows a secret key"
            ),
            (
                "a policy for users", denied, .user(id: "u"), 0, "storage.AccessDenied",
                "The signed-in user may not write here: a policy of the bucket is missing"
            ),
            ("a policy for keys", denied, .publishable, 0, "storage.AccessDenied", "The publishable key may not write"),
        ] as [(String, String, KeyKind, Double, FailureCode, String)])
    func whoIsNotLetIn(why: String, body: String, key: KeyKind, ahead: Double, code: FailureCode, words: String) throws
    {
        let outcome = Self.outcome(400, body, key: key, now: Self.noon + ahead)
        guard case .blocked(.signIn, let failure) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(failure.code == code, "\(why)")
        #expect(failure.message.contains(words), "\(failure.message)")
    }

    /// Without a reason the project is not there, which consumes no attempt.
    @Test(
        arguments: [
            ("402", 402, "{}", .budget, "http.402", "reading, sending and deleting are all refused"),
            ("413 by storage", 413, "Maximum size exceeded\n", .tooLarge, "limit.storage", "storage takes no files"),
            ("413 by a proxy", 413, "<html>413</html>", .tooLarge, "limit.proxy", "a proxy before the storage"),
            (
                "a paused project", 540, "<html>paused</html>", nil, "http.540",
                "The project is paused: wake it in the dashboard."
            ),
        ] as [(String, Int, String, Item.Blocked?, FailureCode, String)])
    func whatIsNotTaken(
        why: String, status: Int, body: String, reason: Item.Blocked?, code: FailureCode, words: String
    ) throws {
        let outcome = Self.outcome(status, body, key: .secret)
        let (blocked, failure): (Item.Blocked?, Item.Failure) =
            switch outcome {
            case .blocked(let reason, let failure): (reason, failure)
            case .unreachable(let failure): (nil, failure)
            default: throw Unexpected(outcome: outcome)
            }
        #expect(blocked == reason && failure.code == code, "\(why)")
        #expect(failure.message.contains(words), "\(failure.message)")
    }

    private struct Unexpected: Error {
        let outcome: UploadOutcome
    }

    @Test(arguments: [
        ("The sign-in has ended. Run \"gallery-sync login\".", nil), ("No room", "Do it."),
        ("The project is paused: wake it in the dashboard.", nil),
        ("Set it right (\"timedatectl set-ntp true\").", nil),
    ])
    func whatTheMessageSaysIsNotSaidTwice(message: String, next: String?) {
        #expect(NextStep.remaining("Do it.", after: message) == next)
    }

    @Test(arguments: [
        ("signIn", FailureCode.auth(.refused), "login"), ("signIn", "storage.AccessDenied", "right to write"),
        ("budget", "limit.budget", "destination.storageBudget"), ("budget", "http.402", "plan"),
        ("tooLarge", "limit.storage", "bucket or project"), ("tooLarge", "limit.proxy", "proxy"),
        ("offline", "network.unreachable", "network"), ("offline", "http.540", "Wake the project"),
    ])
    func eachReasonHasItsNextStep(reason: String, code: FailureCode, words: String) {
        #expect(NextStep.after(blocked: reason, code: code).contains(words))
        let item = Items.with {
            $0.blocked = Item.Blocked(rawValue: reason)
            $0.lastError = Item.Failure(code: code, message: "", retryable: false)
        }
        let counted = Report.Blocked.counted([item])
        #expect(counted.map(\.reason) == [reason])
        #expect(counted.first?.next.contains(words) == true, "the report says the same")
        #expect(QueueSnapshot([item]).blocked == counted, "and so does the stored one")
    }
}

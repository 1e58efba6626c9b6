import Foundation
import TestSupport
import Testing
import Transfer

@testable import Supabase

/// What a client makes of a move, a copy or a look that the server does not grant, and of a probe's answer.
@Suite struct RelocationTests {
    private static func client(_ answers: ScriptedTransport.Answer...) -> StorageClient {
        StorageClient(
            endpoint: StorageEndpoint(base: "https://host/storage/v1"), credentials: StorageCredentials(key: "k"),
            transport: ScriptedTransport(answers))
    }

    private static func refusal(_ status: String, _ code: String, _ message: String = "m") -> ScriptedTransport.Answer {
        .json(#"{"statusCode":"\#(status)","error":"e","message":"\#(message)","code":"\#(code)"}"#, status: 400)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let answer: ScriptedTransport.Answer
        /// Whether the object is to be uploaded instead; else the error is thrown, and the move tried again later.
        let needsUpload: Bool
        /// Whether the answer tells that the new key has an object.
        let isTaken: Bool

        init(_ fact: String, _ answer: ScriptedTransport.Answer, needsUpload: Bool, isTaken: Bool = false) {
            (testDescription, self.answer, self.needsUpload, self.isTaken) = (fact, answer, needsUpload, isTaken)
        }
    }

    static let rows = [
        Row("the target is taken", refusal("409", "ResourceAlreadyExists"), needsUpload: true, isTaken: true),
        Row("the source is gone", refusal("404", "NoSuchKey", "Object not found"), needsUpload: true),
        Row(
            "a policy forbids it", refusal("403", "AccessDenied", "new row violates row-level security policy"),
            needsUpload: true),
        Row("larger than a copy may be", refusal("413", "EntityTooLarge"), needsUpload: true),
        Row("no such feature", refusal("409", "NotSupported"), needsUpload: true),
        Row("a key it does not take", refusal("400", "InvalidKey"), needsUpload: true),
        Row("a code that is not known", refusal("400", "SomethingNew"), needsUpload: true),
        Row("a proxy without such a route", .json("<html>", status: 405), needsUpload: true),
        Row("too many connections", refusal("429", "SlowDown"), needsUpload: false),
        Row("an error inside", .json(#"{"statusCode":"500","code":"InternalError"}"#, status: 500), needsUpload: false),
        Row("a gateway's timeout", .json("", status: 504), needsUpload: false),
        Row("a database that takes no writes", refusal("503", "DatabaseReadOnly"), needsUpload: false),
        Row(
            "a token that has expired", refusal("403", "AccessDenied", "\\\"exp\\\" claim timestamp check failed"),
            needsUpload: false),
        Row("a key of the wrong kind", refusal("403", "AccessDenied", "Invalid Compact JWS"), needsUpload: false),
        Row("a success that is none", .json("<html>Sign in to the hotel's network</html>"), needsUpload: false),
        Row("a lost answer", .failure(TransferError(.lost, "gone", mayHaveArrived: true)), needsUpload: false),
        Row("no connection", .failure(TransferError(.unreachable, "none", mayHaveArrived: false)), needsUpload: false),
        Row(
            "a connection that is another's", .failure(TransferError(.untrusted, "who?", mayHaveArrived: false)),
            needsUpload: false),
        Row("the end of a run", .failure(TransferError(.cancelled, "", mayHaveArrived: true)), needsUpload: false),
    ]

    @Test(arguments: rows)
    func aMoveThatIsRefusedForGoodIsAnUpload(_ row: Row) async {
        do throws(StorageError) {
            let isMoved = try await Self.client(row.answer, row.answer)
                .moveIfPermitted(bucket: "b", from: "k", to: "n")
            #expect(!isMoved && row.needsUpload)
        } catch {
            #expect(!row.needsUpload, "\(error)")
        }
    }

    @Test(arguments: rows)
    func aCopyThatIsRefusedForGoodIsAnUpload(_ row: Row) async {
        let metadata = CopyMetadata(contentType: "image/jpeg", metadata: [:])
        do throws(StorageError) {
            let copy = try await Self.client(row.answer, row.answer)
                .copyIfPermitted(bucket: "b", from: "k", to: "n", newMetadata: metadata)
            #expect(copy == (row.isTaken ? .taken : .refused) && row.needsUpload)
        } catch {
            #expect(!row.needsUpload, "\(error)")
        }
    }

    @Test func whatIsGrantedIsDone() async throws {
        #expect(try await Self.client(.json(#"{"message":"m"}"#)).moveIfPermitted(bucket: "b", from: "k", to: "n"))
        let copy = try await Self.client(.json(#"{"Id":"7","Key":"b/n"}"#)).copyIfPermitted(
            bucket: "b", from: "k", to: "n", newMetadata: CopyMetadata(contentType: "a/b", metadata: ["x": 1]))
        #expect(copy == .made(StoredObject(id: "7", key: "n")))
    }

    /// Only the service's own word makes an object absent: a wrong base URL must not look like a lost object.
    @Test(
        arguments: [
            ("missing", refusal("404", "NoSuchKey", "Object not found"), "nil"),
            (
                "missing, by an old server",
                .json(#"{"statusCode":"404","error":"not_found","message":"Object not found"}"#, status: 400), "nil"
            ),
            ("another bucket", refusal("404", "NoSuchBucket", "Bucket not found"), "thrown"),
            ("a page that is not found", .json("<html>404</html>", status: 404), "thrown"),
            ("a bare 404", .json("", status: 404), "thrown"), ("a bare 400", .json("", status: 400), "thrown"),
            ("denied", refusal("403", "AccessDenied", "policy"), "thrown"),
            ("a success that is none", .json("{}"), "thrown"),
        ] as [(String, ScriptedTransport.Answer, String)])
    func onlyTheServicesOwnWordMakesAnObjectAbsent(
        _ row: (why: String, answer: ScriptedTransport.Answer, outcome: String)
    ) async {
        do throws(StorageError) {
            let info = try await Self.client(row.answer).infoIfPresent(bucket: "b", key: "k")
            #expect(info == nil && row.outcome == "nil", "\(row.why)")
        } catch {
            #expect(row.outcome == "thrown", "\(row.why): \(error)")
        }
    }

    @Test(arguments: [
        ("no such object", "404", "NoSuchKey", true), ("no byte of it there", "416", "InvalidRange", true),
        ("no such bucket", "404", "NoSuchBucket", false), ("denied", "403", "AccessDenied", false),
    ])
    func bytesThatAreNotThere(_ row: (why: String, status: String, code: String, isSo: Bool)) {
        let body = #"{"statusCode":"\#(row.status)","message":"m","code":"\#(row.code)"}"#
        let refusal = StorageRefusal(HTTPResponse(status: 400, body: Array(body.utf8)))
        #expect(refusal.hasNoSuchBytes == row.isSo, "\(row.why)")
    }

    // MARK: Probes

    private static let now = Date(timeIntervalSince1970: 1_795_168_800)
    private static let minuteAgo: HTTPHeaders = ["date": "Fri, 20 Nov 2026 09:59:00 GMT"]

    /// A refusal tells the time as well as a success; without an answer nothing is known of the clock.
    @Test(
        arguments: [
            ("a success", .json("", headers: minuteAgo), true, true),
            ("a success without a time", .json(""), true, false),
            ("a refusal", .json("{}", status: 403, headers: minuteAgo), false, true),
            ("a refusal without a time", .json("{}", status: 503), false, false),
            ("no answer", .failure(TransferError(.unreachable, "none", mayHaveArrived: false)), false, false),
        ] as [(String, ScriptedTransport.Answer, Bool, Bool)])
    func aProbeComparesTheClocks(
        _ row: (why: String, answer: ScriptedTransport.Answer, isReached: Bool, tellsTime: Bool)
    ) async {
        let found = await Self.client(row.answer).knock { Self.now }
        #expect((found.error == nil) == row.isReached, "\(row.why)")
        #expect(found.skew?.ahead == (row.tellsTime ? .seconds(60) : nil), "\(row.why)")
        #expect(found.skew?.matters == (row.tellsTime ? true : nil), "\(row.why)")
    }

    @Test(arguments: [
        (ByteRange.from(0), "bytes=0-"), (.from(7), "bytes=7-"), (.between(0, count: 1), "bytes=0-0"),
        (.between(100, count: 100), "bytes=100-199"),
        (.between(.max, count: 1), "bytes=9223372036854775807-9223372036854775807"),
    ])
    func aRangeEndsWithItsLastByte(_ range: ByteRange, _ header: String) {
        #expect(range.header == header)
    }
}

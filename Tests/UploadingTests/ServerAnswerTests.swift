import Catalog
import Configuration
import Fixtures
import Foundation
import Platform
import Queue
import Records
import Roots
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Uploading

private typealias Answer = ScriptedTransport.Answer

/// What a server answers to one attempt, request by request, and how the attempt ends.
struct AnswerRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answers: [ScriptedTransport.Answer]
    let end: String

    init(_ sentence: String, _ end: String, _ answers: ScriptedTransport.Answer...) {
        (testDescription, self.answers, self.end) = (sentence, answers, end)
    }
}

extension ScriptedTransport.Answer {
    /// A refusal of Storage: HTTP 400, with the real status in the body.
    fileprivate static func refusal(
        _ status: Int, _ code: String?, _ message: String, error: String = "Error", http: Int = 400,
        headers: HTTPHeaders = HTTPHeaders()
    ) -> Self {
        let code = code.map { #","code":"\#($0)""# } ?? ""
        let body = #"{"statusCode":"\#(status)","error":"\#(error)","message":"\#(message)"\#(code)}"#
        return .json(body, status: http, headers: headers)
    }

    /// A page of a gateway or a proxy.
    fileprivate static func page(_ status: Int, headers: HTTPHeaders = HTTPHeaders()) -> Self {
        let body = "<html><title>\(status)</title></html>"
        return .response(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
    }

    /// A line of the resumable endpoint.
    fileprivate static func line(_ status: Int, _ text: String = "", headers: HTTPHeaders = HTTPHeaders()) -> Self {
        .response(HTTPResponse(status: status, headers: headers, body: Array(text.utf8)))
    }

    fileprivate static func lost(_ kind: TransferError.Kind) -> Self {
        .failure(TransferError(kind, "words", mayHaveArrived: [.lost, .timedOut, .cancelled].contains(kind)))
    }

    fileprivate static let stored = json(#"{"Key":"media/Pictures/a.jpg","Id":"id-1"}"#)
    fileprivate static let missing = refusal(404, "NoSuchKey", "Object not found", error: "not_found")
    fileprivate static let taken = refusal(409, "KeyAlreadyExists", "The resource already exists", error: "Duplicate")

    /// What the server says of the object under the key.
    fileprivate static func info(_ content: String, of other: String? = nil, metadata: Bool = true) -> Self {
        let sha256 = SHA256.hash((other ?? content).utf8).hexadecimal
        let carried =
            metadata
            ? #","metadata":{"path":"a.jpg","sha256":"\#(sha256)","mtime":"2026-11-20T10:00:00.000Z"}"# : ""
        let body = """
            {"id":"id-9","name":"Pictures/a.jpg","bucket_id":"media","size":\(content.utf8.count),\
            "etag":"\\"\(MD5.hash(content.utf8).hexadecimal)\\""\(carried)}
            """
        return .json(body)
    }
}

@Suite struct ServerAnswerTests {
    static let content = "content"
    static let beside = "to Pictures/a--\(SHA256.hash(content.utf8).hexadecimal.prefix(8)).jpg"

    /// One request sends the file; those that follow find out what a refusal means.
    static let wholes = [
        AnswerRow("it is stored", "uploaded", .stored),
        AnswerRow(
            "a later version of the server says more", "uploaded", .json(#"{"Key":"media/x","Id":"1","more":[]}"#)),
        // A success that says nothing proves nothing.
        AnswerRow("a page of a proxy takes the place of the answer", "retry http.200, in doubt", .page(200)),
        AnswerRow("nothing comes as the answer", "retry http.200, in doubt", .line(200)),
        AnswerRow("an answer without content", "retry http.204, in doubt", .line(204)),
        AnswerRow("an object of JSON that says nothing", "retry http.200, in doubt", .json("{}")),
        AnswerRow("a list in place of an object", "retry http.200, in doubt", .json("[]")),
        AnswerRow("half an answer", "retry http.200, in doubt", .json(#"{"Key":"media/Pict"#)),
        // Networks that want a sign-in.
        AnswerRow("a network's own page is in between", "retry http.511", .page(511)),
        AnswerRow("a captive portal redirects", "retry http.302", .page(302)),
        // Sign-in, plan, policy.
        AnswerRow(
            "the token has run out", "blocked by signIn, auth.refused",
            .refusal(403, "AccessDenied", "\\\"exp\\\" claim timestamp check failed", error: "Unauthorized")),
        AnswerRow(
            "a gateway wants a key", "blocked by signIn, auth.refused",
            .json(#"{"message":"No API key found"}"#, status: 401)),
        AnswerRow(
            "a policy is missing", "blocked by signIn, storage.AccessDenied",
            .refusal(403, "AccessDenied", "new row violates row-level security policy", error: "Unauthorized")),
        AnswerRow("a proxy forbids it", "blocked by signIn, http.403", .page(403)),
        AnswerRow(
            "the bucket is not there", "blocked by bucket, storage.NoSuchBucket",
            .refusal(404, "NoSuchBucket", "Bucket not found")),
        AnswerRow(
            "an old server says so without a code", "blocked by bucket, storage.NoSuchBucket",
            .refusal(404, nil, "Bucket not found")),
        AnswerRow("the plan is used up", "blocked by budget, http.402", .page(402)),
        AnswerRow("its disk is full", "blocked by budget, http.507", .page(507)),
        AnswerRow("the project sleeps", "unreachable http.540", .line(540)),
        // Load and failures.
        AnswerRow("too many requests", "retry storage.SlowDown", .refusal(429, "SlowDown", "slow", http: 429)),
        AnswerRow(
            "too many requests, with a wait", "retry storage.SlowDown after 7.0",
            .refusal(429, "SlowDown", "slow", http: 429, headers: ["Retry-After": "7"])),
        AnswerRow("a gateway has no server", "retry http.502, in doubt", .page(502)),
        AnswerRow(
            "a gateway is at its limit", "retry http.503 after 3.0, in doubt", .page(503, headers: ["Retry-After": "3"])
        ),
        AnswerRow(
            "the database did not answer", "retry storage.DatabaseTimeout, in doubt",
            .refusal(544, "DatabaseTimeout", "t", http: 544)),
        AnswerRow(
            "a failure inside", "retry storage.InternalError, in doubt", .refusal(500, "InternalError", "x", http: 500)),
        AnswerRow("a failure without words", "retry http.500, in doubt", .line(500)),
        AnswerRow("the answer was late at a proxy", "retry http.524, in doubt", .page(524)),
        AnswerRow(
            "the body did not arrive", "retry storage.InvalidRequest",
            .refusal(400, "InvalidRequest", "No content provided")),
        // No answer.
        AnswerRow("the connection breaks", "retry network.lost, in doubt", .lost(.lost)),
        AnswerRow("nothing comes in time", "retry network.timedOut, in doubt", .lost(.timedOut)),
        AnswerRow("there is no network", "unreachable network.unreachable", .lost(.unreachable)),
        AnswerRow("a stranger answers", "unreachable network.untrusted", .lost(.untrusted)),
        AnswerRow("the agent stops", "interrupted, in doubt", .lost(.cancelled)),
        AnswerRow("the file got shorter while it was sent", "withdrawn", .lost(.sourceShrank)),
        AnswerRow("the file's disk fails", "retry file.EIO", .lost(.local(SystemError(call: "read", code: 5)))),
        // What no repetition helps.
        AnswerRow(
            "the key is not legal there", "refused storage.InvalidKey", .refusal(400, "InvalidKey", "Invalid key: x")),
        AnswerRow(
            "the type is not taken", "refused storage.InvalidMimeType",
            .refusal(415, "InvalidMimeType", "mime type image/jpeg is not supported")),
        AnswerRow("no project of that name", "refused storage.TenantNotFound", .refusal(400, "TenantNotFound", "no")),
        AnswerRow("a status that means nothing", "refused http.418", .line(418)),
        // The key is taken: by whom? By the same request, too, where that was sent twice on its way.
        AnswerRow("by the very bytes", "found", .taken, .info(content)),
        AnswerRow("by another client's object", beside, .taken, .info("another")),
        AnswerRow("by one with metadata of another kind", beside, .taken, .info(content, metadata: false)),
        AnswerRow(
            "by an attempt of ours that holds other bytes", "uploaded", .taken, .info("CONTENT", of: content), .stored),
        AnswerRow("by nothing that can be seen", "retry storage.Duplicate, in doubt", .taken, .missing),
        AnswerRow("by what a proxy hides", "blocked by signIn, http.403, in doubt", .taken, .page(403)),
        AnswerRow("by what a failure hides", "retry http.503, in doubt", .taken, .page(503)),
        AnswerRow("by an answer that makes no sense", "retry http.200, in doubt", .taken, .page(200)),
        AnswerRow("by what a lost answer hides", "retry network.lost, in doubt", .taken, .lost(.lost)),
        // Too large as a whole: in pieces, perhaps.
        AnswerRow(
            "a proxy's limit does not hold for pieces", "uploaded", .page(413),
            .line(201, headers: ["Location": "http://h/upload/resumable/u1"]),
            .line(204, headers: ["Upload-Offset": "7", "Tus-Complete": "1"])),
        AnswerRow(
            "the bucket's limit holds for pieces, too", "blocked by tooLarge, limit.storage",
            .refusal(413, "EntityTooLarge", "too large"), .line(413, "Maximum size exceeded\n")),
        AnswerRow("a proxy takes no pieces either", "blocked by tooLarge, limit.proxy", .page(413), .page(413)),
        AnswerRow(
            "the server knows no pieces", "blocked by tooLarge, limit.proxy", .page(413),
            .refusal(501, "NotSupported", "no")),
        AnswerRow(
            "a gateway has no route for pieces", "blocked by tooLarge, limit.proxy", .page(413), .line(405, "no")),
        AnswerRow("whether it takes pieces is not known yet", "retry http.503", .page(413), .page(503)),
    ]

    @Test(arguments: wholes)
    func oneRequest(_ row: AnswerRow) async throws {
        try await UploadBench.with(row.answers) { bench in
            let end = try await bench.end()
            #expect(end == row.end)
            #expect(bench.transport.script.unusedAnswers == 0)
        }
    }

    // MARK: In pieces

    static let twenty = "twenty bytes of text"

    private static let begun = Answer.line(201, headers: ["Location": "http://h/upload/resumable/u1"])
    private static let again = Answer.line(201, headers: ["Location": "http://h/upload/resumable/u2"])
    private static let forgotten = Answer.line(404, "The file for this url was not found\n")
    private static let conflict = Answer.line(409, "Upload-Offset conflict\n")

    private static func took(_ offset: Int, isComplete: Bool = false) -> Answer {
        var headers: HTTPHeaders = ["Upload-Offset": "\(offset)"]
        if isComplete { headers["Tus-Complete"] = "1" }
        return .line(204, headers: headers)
    }

    private static func has(_ offset: Int) -> Answer { .line(200, headers: ["Upload-Offset": "\(offset)"]) }

    static let pieces = [
        AnswerRow("all of it at once", "uploaded", begun, took(20, isComplete: true)),
        AnswerRow("in three steps", "uploaded", begun, took(7), took(8), took(20, isComplete: true)),
        AnswerRow(
            "without a word that it is in place, which it is not", "uploaded", begun, took(20), .missing, took(20)),
        AnswerRow("without a word that it is in place, which it is", "found", begun, took(20), .info(twenty)),
        AnswerRow(
            "the last word is lost, and the object is there", "retry network.lost, in doubt", begun, .lost(.lost)),
        AnswerRow(
            "no server is there for the question after all of it", "unreachable network.unreachable, in doubt", begun,
            took(20), .lost(.unreachable)),
        AnswerRow(
            "its only piece arrives twice, and no server is there for the question after that",
            "unreachable network.unreachable, in doubt", begun, conflict, .lost(.unreachable)),
        AnswerRow(
            "no server is there in the midst of it", "unreachable network.unreachable", begun, took(7),
            .lost(.unreachable)),
        AnswerRow(
            "its last piece is refused, and then no server is there", "unreachable network.unreachable", begun, took(7),
            conflict, has(7), .lost(.unreachable)),
        AnswerRow(
            "it has forgotten it, and then no server is there", "unreachable network.unreachable, in doubt", begun,
            forgotten, .lost(.unreachable)),
        // Steps that lead nowhere.
        AnswerRow(
            "a server keeps nothing of any piece", "retry http.409", begun, took(0), took(0), took(0), took(0)),
        AnswerRow(
            "it keeps some, and then nothing any more", "retry http.409", begun, took(7), took(7), took(7), took(7),
            took(7)),
        AnswerRow(
            "nothing twice, and then the rest", "uploaded", begun, took(0), took(0), took(20, isComplete: true)),
        AnswerRow(
            "it says of each piece that it has another offset", "retry http.409, in doubt", begun, conflict, has(0),
            conflict,
            has(0), conflict, has(0), conflict),
        AnswerRow(
            "it keeps nothing and has another offset, by turns", "retry http.409, in doubt", begun, took(0), conflict,
            has(0),
            took(0), conflict),
        AnswerRow("another offset once", "uploaded", begun, conflict, has(12), took(20, isComplete: true)),
        AnswerRow("another offset, which is the end", "found", begun, conflict, has(20), .info(twenty)),
        AnswerRow(
            "another offset, beyond the end, is another upload's", "uploaded", begun, conflict, has(21), .missing,
            again,
            took(20, isComplete: true)),
        // Offsets that cannot be.
        AnswerRow("no offset", "retry http.204, in doubt", begun, .line(204)),
        AnswerRow("an offset beyond what was sent", "retry http.204, in doubt", begun, took(21)),
        AnswerRow("an offset before the piece", "retry http.204, in doubt", begun, took(7), took(6)),
        AnswerRow("a negative offset", "retry http.204, in doubt", begun, took(-1)),
        AnswerRow(
            "an offset that is no number", "retry http.204, in doubt", begun,
            .line(204, headers: ["Upload-Offset": "many"])),
        AnswerRow(
            "an offset beyond all numbers", "retry http.204, in doubt", begun,
            .line(204, headers: ["Upload-Offset": "9223372036854775808"])),
        // Uploads that end.
        AnswerRow(
            "the server has forgotten it", "uploaded", begun, forgotten, .missing, again, took(20, isComplete: true)),
        AnswerRow("it has forgotten it since it was done", "found", begun, forgotten, .info(twenty)),
        AnswerRow("it forgets every one", "retry http.404", begun, forgotten, .missing, again, forgotten),
        AnswerRow("it is gone", "uploaded", begun, .line(410), .missing, again, took(20, isComplete: true)),
        AnswerRow(
            "another request has it", "retry storage.ResourceLocked", begun,
            .refusal(423, "ResourceLocked", "The resource is locked", http: 423)),
        AnswerRow(
            "another request takes it", "retry http.400", begun, .line(400, "Request aborted due to lock acquired")),
        // Beginnings that lead nowhere.
        AnswerRow("no place is named", "retry http.201", .line(201)),
        AnswerRow(
            "the place is the route itself", "retry http.201",
            .line(201, headers: ["Location": "http://h/upload/resumable"])),
        AnswerRow(
            "the place has no name", "retry http.201", .line(201, headers: ["Location": "http://h/upload/resumable/"])),
        AnswerRow("the name is none", "retry http.201", .line(201, headers: ["Location": "/upload/resumable/a%2Fb"])),
        AnswerRow("it is too large", "blocked by tooLarge, limit.storage", .line(413, "Maximum size exceeded\n")),
        AnswerRow(
            "a proxy lets no piece of the least size pass", "blocked by tooLarge, limit.proxy", begun, .page(413)),
        AnswerRow("the key is taken by another", beside20, .line(409, "The resource already exists"), .info("another")),
        AnswerRow(
            "the key is taken at the end", beside20, begun, .line(409, "The resource already exists"), .info("another")),
        AnswerRow("the bucket is not there", "blocked by bucket, storage.NoSuchBucket", .line(404, "Bucket not found")),
        AnswerRow(
            "the sign-in has ended meanwhile", "blocked by signIn, auth.refused", begun, took(7),
            .line(401, "jwt expired")),
        AnswerRow("the project falls asleep meanwhile", "unreachable http.540", begun, took(7), .line(540)),
    ]

    static let beside20 = "to Pictures/a--\(SHA256.hash(twenty.utf8).hexadecimal.prefix(8)).jpg"

    @Test(arguments: pieces)
    func manyRequests(_ row: AnswerRow) async throws {
        try await UploadBench.with(row.answers, content: Self.twenty) { bench in
            let end = try await bench.end()
            #expect(end == row.end)
            #expect(bench.transport.script.unusedAnswers == 0)
        }
    }

    /// A server that loses what it has taken, each time anew, is left alone in the end.
    @Test(arguments: [(losses: 16, end: "uploaded"), (17, "retry http.409, in doubt")])
    func whatIsLostIsSentAgainSomeTimes(losses: Int, end: String) async throws {
        let lost = (0..<losses).flatMap { _ in [Self.took(7), Self.conflict, Self.has(0)] }
        let rest = losses == 16 ? [Self.took(20, isComplete: true)] : []
        try await UploadBench.with([Self.begun] + lost + rest, content: Self.twenty) { bench in
            let found = try await bench.end()
            #expect(found == end)
            #expect(bench.transport.script.unusedAnswers == 0)
        }
    }

    /// An earlier attempt got to byte 7.
    static let resumptions = [
        AnswerRow("where it was", "uploaded", has(7), took(20, isComplete: true)),
        AnswerRow("the server has less", "uploaded", has(0), took(20, isComplete: true)),
        AnswerRow("the server has more", "uploaded", has(19), took(20, isComplete: true)),
        AnswerRow("the server has all, and the object", "found", has(20), .info(twenty)),
        AnswerRow(
            "the server has more than there is", "uploaded", has(21), .missing, again, took(20, isComplete: true)),
        AnswerRow("the server has more than there is, and the object", "found", has(21), .info(twenty)),
        AnswerRow("the server has all, and not the object", "uploaded", has(20), .missing, took(20, isComplete: true)),
        AnswerRow("it is forgotten", "uploaded", .line(404), .missing, again, took(20, isComplete: true)),
        AnswerRow("it is forgotten since it was done", "found", .line(410), .info(twenty)),
        AnswerRow("the question is refused without a word", "retry http.400", .line(400)),
        AnswerRow("the server does not say", "retry http.200", .line(200)),
        AnswerRow("the server is away", "unreachable network.unreachable", .lost(.unreachable)),
    ]

    @Test(arguments: resumptions)
    func afterABreak(_ row: AnswerRow) async throws {
        let resume = Item.Resume(uploadID: "u1", createdAt: Items.now - 60, offset: 7)
        try await UploadBench.with(row.answers, content: Self.twenty, change: { $0.resume = resume }) { bench in
            let end = try await bench.end()
            #expect(end == row.end)
            #expect(bench.transport.script.unusedAnswers == 0)
            #expect(bench.asked.first == "HEAD upload/resumable/u1")
        }
    }

    /// It was cancelled between being added to the queue and being claimed, so that no order has withdrawn it.
    @Test func aCancelledFileIsNotSent() async throws {
        try await UploadBench.with([]) { bench in
            let root = try #require(try await bench.library.roots().first)
            try await bench.library.see(bench.item, below: root)
            let asset = try #require(try await bench.library.asset(root: root.name, path: "a.jpg"))
            try await bench.library.exclude([asset])
            let end = try await bench.end()
            #expect(end == "withdrawn" && bench.asked == [])
        }
    }

    // MARK: The file

    /// What happens to the file before or while it is sent.
    enum Deed: CaseIterable { case removed, longer, other, otherWithItsTime, replacedByDirectory, replacedByLink }

    @Test(arguments: Deed.allCases, [content, twenty])
    func aFileThatChangedIsNotSent(_ deed: Deed, content: String) async throws {
        // Whatever it is by then, the item's own bytes cannot be sent any more.
        try await UploadBench.with([], content: content) { bench in
            let path = bench.folder.appending("Pictures/a.jpg")
            let directory = try Directory(path.parent)
            switch deed {
            case .removed: try directory.remove(file: "a.jpg")
            case .longer: try OpenFile(appending: path).append([1])
            case .other: try OpenFile(creating: path).append(Array(content.utf8.reversed()))
            case .otherWithItsTime:
                let file = try OpenFile(creating: path)
                try file.append(Array(content.utf8) + [1])
                try file.setModified(bench.item.modifiedAt)
            case .replacedByDirectory:
                try directory.remove(file: "a.jpg")
                try Directory.create(at: path)
            case .replacedByLink:
                try directory.remove(file: "a.jpg")
                try directory.createLink("a.jpg", to: "/etc/hostname")
            }
            let sending = try await bench.sender.send(bench.item)
            #expect(sending.words == "withdrawn" || sending.words.hasPrefix("refused file."), "\(sending.words)")
            #expect(bench.asked == [])
        }
    }
}

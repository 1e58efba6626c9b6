import Foundation
import Platform
import TestSupport
import Testing
import Transfer

@testable import Supabase

/// Each step of a resumable upload: its one request, and its result for each answer.
@Suite struct ResumableTests {
    static let now = Date(timeIntervalSince1970: 1_795_176_000)
    static let upload = ResumableUpload(uploadID: "YWJj_-1", createdAt: now, offset: 6)
    static let target = ResumableTarget(
        bucket: "b", key: "k ü", length: 9, contentType: "image/jpeg", metadata: ["path": "x"])

    enum Step: String, CaseIterable {
        case create, progress, send, finish, terminate

        func perform(_ client: StorageClient, replacing: Bool = false) async throws(ResumableError) {
            switch self {
            case .create:
                var target = ResumableTests.target
                target.replacing = replacing
                _ = try await client.createUpload(target, now: now)
            case .progress: _ = try await client.progress(of: upload)
            case .send:
                let nowhere = OpenFile(descriptor: -1)
                _ = try await client.send(upload, from: nowhere, length: 3, replacing: replacing)
            case .finish: _ = try await client.finish(upload, replacing: replacing)
            case .terminate: try await client.terminate(upload, replacing: replacing)
            }
        }

        var answer: HTTPResponse {
            switch self {
            case .create: HTTPResponse(status: 201, headers: ["Location": "http://wrong:1/any/where/id?x#y"])
            case .progress: HTTPResponse(status: 200, headers: ["Upload-Offset": "6", "Upload-Length": "9"])
            case .send: HTTPResponse(status: 204, headers: ["Upload-Offset": "9", "Tus-Complete": "1"])
            case .finish: HTTPResponse(status: 204, headers: ["Upload-Offset": "6", "Tus-Complete": "1"])
            case .terminate: HTTPResponse(status: 204)
            }
        }
    }

    static func client(_ transport: ScriptedTransport, base: String = "https://h/storage/v1") -> StorageClient {
        StorageClient(
            endpoint: StorageEndpoint(base: base), credentials: StorageCredentials(bearer: "user", apiKey: "anon"),
            transport: transport)
    }

    /// The request of a step, which gets a correct answer.
    private func request(_ step: Step, replacing: Bool = false, base: String = "https://h") async throws -> HTTPRequest
    {
        let transport = ScriptedTransport([.response(step.answer)])
        try await step.perform(Self.client(transport, base: base), replacing: replacing)
        return try #require(transport.requests.first)
    }

    @Test(arguments: [
        (Step.create, "POST https://h/upload/resumable"), (.progress, "HEAD https://h/upload/resumable/YWJj_-1"),
        (.send, "PATCH https://h/upload/resumable/YWJj_-1"), (.finish, "PATCH https://h/upload/resumable/YWJj_-1"),
        (.terminate, "DELETE https://h/upload/resumable/YWJj_-1"),
    ])
    func aStepIsOneSignedRequest(step: Step, line: String) async throws {
        let request = try await request(step)
        #expect("\(request.method.rawValue) \(request.url)" == line)
        #expect(request.headers["tus-resumable"] == "1.0.0")
        #expect(request.headers["authorization"] == "Bearer user" && request.headers["apikey"] == "anon")
        #expect(request.headers["x-upsert"] == nil)
    }

    /// The server checks the creation and each piece separately (contract 4.4).
    @Test(arguments: Step.allCases)
    func whatReplacesSaysSoEachTime(step: Step) async throws {
        let header = try await request(step, replacing: true).headers["x-upsert"]
        #expect(header == (step == .progress ? nil : "true"))
    }

    @Test(arguments: Step.allCases)
    func aHostedProjectIsSpokenToDirectly(step: Step) async throws {
        let request = try await request(step, base: "https://abc.supabase.co/storage/v1")
        #expect(request.url.hasPrefix("https://abc.storage.supabase.co/storage/v1/upload/resumable"))
    }

    @Test func aCreationSaysEverythingAtOnce() async throws {
        let request = try await request(.create)
        #expect(request.headers["upload-length"] == "9")
        #expect(request.headers["content-type"] == nil && request.body.length ?? 0 == 0)
        #expect(
            request.headers["upload-metadata"]
                == "bucketName Yg==,objectName ayDDvA==,contentType aW1hZ2UvanBlZw==,cacheControl MzYwMA==,"
                + "metadata eyJwYXRoIjoieCJ9")
    }

    @Test func withoutMetadataNoneIsSent() async throws {
        var target = Self.target
        target.metadata = [:]
        #expect(try UploadMetadata.header(target).contains("metadata ") == false)
    }

    @Test func aPieceIsARangeOfTheFile() async throws {
        let request = try await request(.send)
        #expect(request.headers["content-type"] == "application/offset+octet-stream")
        #expect(request.headers["upload-offset"] == "6")
        guard case .file(_, offset: 6, length: 3, observer: nil) = request.body else {
            Issue.record("\(request.body)")
            return
        }
    }

    @Test func theEndIsAPieceOfNothing() async throws {
        let request = try await request(.finish)
        #expect(request.headers["upload-offset"] == "6" && request.body.length == 0)
    }

    @Test(
        arguments: [
            (Timeouts(), 60.0, nil), (Timeouts(idle: .seconds(3), total: .seconds(5)), 10, 10),
            (Timeouts(idle: nil, total: .seconds(11)), nil, 11),
        ] as [(Timeouts, Double?, Double?)])
    func whoAsksForTheOffsetIsPatient(timeouts: Timeouts, idle: Double?, total: Double?) async throws {
        let transport = ScriptedTransport([.response(Step.progress.answer)])
        var client = Self.client(transport)
        client.timeouts = timeouts
        _ = try await client.progress(of: Self.upload)
        let sent = try #require(transport.requests.first?.timeouts)
        #expect(sent.idle == idle.map { .seconds($0) } && sent.total == total.map { .seconds($0) })
    }

    @Test(
        arguments: [
            ("http://wrong:1/upload/resumable/aGk_-", "aGk_-"), ("/upload/resumable/sign/x?y=/z", "x"), ("/x#/y", "x"),
            ("https://h/storage/v1/upload/resumable/", nil), ("https://h/upload/resumable", nil), ("", nil), ("x", nil),
            ("/a/b%2Fc", nil), ("/a/b c", nil), ("/a/ü", nil), ("/a/sign", nil),
        ] as [(String, String?)])
    func ofALocationOnlyTheLastSegmentCounts(location: String, id: String?) {
        #expect(StorageClient.uploadID(in: location) == id)
    }
}

/// The result of a step for each answer in the contract, sections 4.4 to 4.6.
@Suite struct ResumableAnswerTests {
    typealias Step = ResumableTests.Step

    enum Outcome: Hashable {
        case expired, offsetConflict, duplicate, unreadable
        case storage(AnswerClass)

        init(_ error: ResumableError) {
            self =
                switch error {
                case .expired: .expired
                case .offsetConflict: .offsetConflict
                case .duplicate: .duplicate
                case .storage(.unreadable): .unreadable
                case .storage(let error): .storage(error.answerClass ?? .permanent)
                }
        }
    }

    private static let jwt =
        #"{"statusCode":"403","code":"AccessDenied","error":"Unauthorized","message":"\"exp\" claim timestamp check failed"}"#

    private func outcome(_ step: Step, _ response: HTTPResponse) async throws -> Outcome {
        let transport = ScriptedTransport([.response(response)])
        let error = await #expect(throws: ResumableError.self) {
            try await step.perform(ResumableTests.client(transport))
        }
        return Outcome(try #require(error))
    }

    @Test(
        arguments: [
            (Step.send, 409, "Upload-Offset conflict\n", .offsetConflict),
            (.send, 409, "The resource already exists", .duplicate),
            (.create, 409, "The resource already exists", .duplicate),
            (.terminate, 409, "The resource already exists", .duplicate),
            (.send, 404, "The file for this url was not found\n", .expired),
            (.send, 410, "The file for this url no longer exists\n", .expired), (.send, 410, "", .expired),
            (.terminate, 404, "The file for this url was not found\n", .expired),
            (.progress, 404, "", .expired), (.progress, 410, "", .expired), (.progress, 400, "", .unreadable),
            (.progress, 503, "", .storage(.retry(load: true))),
            (.progress, 402, "", .storage(.destinationClosed(.quota))),
            (.send, 404, "Bucket not found", .storage(.notThere(.bucket))),
            (.create, 404, "Bucket not found", .storage(.notThere(.bucket))),
            (.create, 413, "Maximum size exceeded\n", .storage(.tooLarge(by: .storage))),
            (.send, 413, "<html>", .storage(.tooLarge(by: .proxy))),
            (.create, 415, "mime type x/y is not supported", .storage(.permanent)),
            (.create, 403, "new row violates row-level security policy", .storage(.denied(by: .storage))),
            (.send, 403, "Upload-Offset header required\n", .storage(.permanent)),
            (.send, 400, "Invalid content-type\n", .storage(.permanent)),
            (.send, 400, "Request aborted due to lock acquired", .storage(.retry(load: false))),
            (.send, 503, "acquiring lock timeout", .storage(.retry(load: true))),
            (.send, 500, "Something went wrong receiving the file\n", .storage(.retry(load: false))),
            (.send, 400, jwt, .storage(.signIn)), (.create, 400, "Invalid signature", .storage(.expiredLink)),
            (.create, 412, "Tus-Resumable Required\n", .storage(.permanent)),
            (.terminate, 400, "Cannot terminate an already completed upload", .storage(.permanent)),
        ] as [(Step, Int, String, Outcome)])
    func aRefusalIsTyped(step: Step, status: Int, body: String, expected: Outcome) async throws {
        #expect(try await outcome(step, HTTPResponse(status: status, body: Array(body.utf8))) == expected)
    }

    @Test(
        arguments: [
            (Step.send, "5", false), (.send, "6", true), (.send, "7", true), (.send, "9", true), (.send, "10", false),
            (.send, nil, false), (.send, "x", false), (.send, "+7", false), (.finish, "6", true), (.finish, "9", false),
            (.progress, "0", true), (.progress, "-1", false), (.progress, nil, false),
        ] as [(Step, String?, Bool)])
    func anOffsetMustBePossible(step: Step, offset: String?, isPossible: Bool) async throws {
        var headers = HTTPHeaders()
        headers["Upload-Offset"] = offset
        let answer = HTTPResponse(status: 204, headers: headers)
        if isPossible {
            try await step.perform(ResumableTests.client(ScriptedTransport([.response(answer)])))
        } else {
            #expect(try await outcome(step, answer) == .unreadable)
        }
    }

    /// A newer request took over the upload: the offset in the answer counts, not the bytes sent.
    @Test func fewerBytesThanSentMayHaveArrived() async throws {
        let headers: HTTPHeaders = ["Upload-Offset": "7", "Connection": "close"]
        let client = ResumableTests.client(ScriptedTransport([.response(HTTPResponse(status: 204, headers: headers))]))
        let file = OpenFile(descriptor: -1)
        let progress = try await client.send(ResumableTests.upload, from: file, length: 3, replacing: false)
        #expect(progress == ResumableProgress(offset: 7, isComplete: false))
    }

    @Test func theLastPieceSaysThatItIsDone() async throws {
        let client = ResumableTests.client(ScriptedTransport([.response(Step.send.answer)]))
        let file = OpenFile(descriptor: -1)
        let progress = try await client.send(ResumableTests.upload, from: file, length: 3, replacing: false)
        #expect(progress == ResumableProgress(offset: 9, isComplete: true))
    }

    @Test func aCreationWithoutALocationIsNone() async throws {
        #expect(try await outcome(.create, HTTPResponse(status: 201)) == .unreadable)
    }

    @Test func asWhomToAskIsAskedEachTime() async throws {
        let names = Shared(["a", "b"])
        let transport = ScriptedTransport([.response(Step.finish.answer), .response(Step.finish.answer)])
        let client = StorageClient(endpoint: StorageEndpoint(base: "http://h"), transport: transport) {
            _ throws(StorageError) in
            guard let name = names.change({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw .signedOut("over") }
            return StorageCredentials(bearer: name)
        }
        for _ in 0..<2 { _ = try await client.finish(ResumableTests.upload, replacing: false) }
        #expect(transport.requests.map { $0.headers["authorization"] } == ["Bearer a", "Bearer b"])
        await #expect(throws: ResumableError.storage(.signedOut("over"))) {
            try await client.finish(ResumableTests.upload, replacing: false)
        }
    }

    @Test func whatMustBeRememberedIsJSON() throws {
        let data = try JSONEncoder().encode(ResumableTests.upload)
        #expect(try JSONDecoder().decode(ResumableUpload.self, from: data) == ResumableTests.upload)
    }
}

import Foundation
import Platform
import Supabase
import TestSupport
import Testing
import Transfer

/// Each call: its one request, and its result for each answer.
@Suite struct StorageClientTests {
    private static func client(_ transport: ScriptedTransport) -> StorageClient {
        StorageClient(
            endpoint: StorageEndpoint(base: "https://host/storage/v1", unixSocket: "/run/s"),
            credentials: StorageCredentials(bearer: "user", apiKey: "anon"), transport: transport)
    }

    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let answer: String
        let perform: @Sendable (StorageClient) async throws -> Void
        /// Method and what follows the base.
        let line: String
        /// The headers other than the credentials, as `name: value`.
        let headers: [String]
        let body: String?

        init(
            _ description: String, _ line: String, headers: [String] = [], body: String? = nil,
            answering answer: String = #"{"message":"ok"}"#,
            _ perform: @escaping @Sendable (StorageClient) async throws -> Void
        ) {
            (testDescription, self.answer, self.perform) = (description, answer, perform)
            (self.line, self.body) = (line, body)
            self.headers = body?.first == "{" ? ["content-type: application/json"] + headers : headers
        }
    }

    private static let placed = #"{"Id":"7","Key":"b/k"}"#
    private static let info =
        #"{"id":"7","name":"k","version":"v","bucket_id":"b","size":1,"content_type":"a/b","cache_control":"c","etag":"\"e\"","metadata":null,"last_modified":"2026-11-20T18:36:45.278Z","created_at":"2026-11-20T18:36:45.278Z"}"#

    private static let objects = [
        Call(
            "upload", "POST /object/b/k%201/%2B", headers: ["content-type: image/jpeg", "cache-control: max-age=3600"],
            body: "xyz", answering: placed
        ) { _ = try await $0.upload(.bytes(Array("xyz".utf8)), bucket: "b", key: "k 1/+", contentType: "image/jpeg") },
        Call(
            "upload, replacing, with metadata", "POST /object/b/k",
            headers: [
                "content-type: a/b", "cache-control: max-age=60", "x-metadata: eyJuIjoxLCJwYXRoIjoiYS9iIn0=",
                "x-upsert: true",
            ], body: "", answering: placed
        ) {
            _ = try await $0.upload(
                .bytes([]), bucket: "b", key: "k", contentType: "a/b", cacheControl: 60,
                metadata: ["path": "a/b", "n": 1], replacing: true)
        },
        Call("info", "GET /object/info/authenticated/b/k%3F", answering: info) {
            _ = try await $0.info(bucket: "b", key: "k?")
        },
        Call(
            "move", "POST /object/move", body: #"{"bucketId":"b","destinationKey":"n/ü","sourceKey":"k %"}"#
        ) { try await $0.move(bucket: "b", from: "k %", to: "n/ü") },
        Call(
            "move to another bucket", "POST /object/move",
            body: #"{"bucketId":"b","destinationBucket":"c","destinationKey":"n","sourceKey":"k"}"#
        ) { try await $0.move(bucket: "b", from: "k", to: "n", inBucket: "c") },
        Call(
            "copy", "POST /object/copy", body: #"{"bucketId":"b","destinationKey":"n","sourceKey":"k"}"#,
            answering: placed
        ) { _ = try await $0.copy(bucket: "b", from: "k", to: "n") },
        Call(
            "copy, replacing, with other metadata", "POST /object/copy",
            headers: ["x-metadata: eyJwIjoicSJ9", "x-upsert: true"],
            body:
                #"{"bucketId":"b","copyMetadata":false,"destinationKey":"n","metadata":{"cacheControl":"max-age=3600","mimetype":"a/b"},"sourceKey":"k"}"#,
            answering: placed
        ) {
            let metadata = CopyMetadata(contentType: "a/b", metadata: ["p": "q"])
            _ = try await $0.copy(bucket: "b", from: "k", to: "n", replacing: true, newMetadata: metadata)
        },
        Call("delete", "DELETE /object/b/k/l") { try await $0.delete(bucket: "b", key: "k/l") },
        Call("delete several", "DELETE /object/b", body: #"{"prefixes":["k","l m"]}"#, answering: "[]") {
            _ = try await $0.deleteAll(bucket: "b", keys: ["k", "l m"])
        },
        Call("download", "GET /object/authenticated/b/k", answering: "x") {
            _ = try await $0.download(bucket: "b", key: "k", to: .memory(limit: 9))
        },
    ]

    private static let signed = #"{"signedURL":"/object/sign/b/k?token=t"}"#
    private static let page = #"{"hasNext":false,"folders":[],"objects":[]}"#
    private static let bucket = #"{"id":"b","name":"b","public":false}"#

    private static let others = [
        Call("list", "POST /object/list-v2/b", body: #"{"limit":1000,"prefix":""}"#, answering: page) {
            _ = try await $0.list(bucket: "b")
        },
        Call(
            "list on", "POST /object/list-v2/b",
            body: #"{"cursor":"c=","limit":5,"prefix":"a/","with_delimiter":true}"#,
            answering: page
        ) { _ = try await $0.list(bucket: "b", prefix: "a/", limit: 5, cursor: "c=", byFolder: true) },
        Call("sign", "POST /object/sign/b/a%20;,:@&=+$", body: #"{"expiresIn":60}"#, answering: signed) {
            _ = try await $0.sign(bucket: "b", key: "a ;,:@&=+$", expiresIn: .seconds(60.9))
        },
        Call(
            "sign what no path can name", "POST /object/sign/b", body: #"{"expiresIn":60,"paths":["a?"]}"#,
            answering: "[\(signed)]"
        ) { _ = try await $0.sign(bucket: "b", key: "a?", expiresIn: .seconds(60)) },
        Call(
            "sign several", "POST /object/sign/b%20c", body: #"{"expiresIn":60,"paths":["a?","k"]}"#,
            answering: "[\(signed),\(signed)]"
        ) { _ = try await $0.sign(bucket: "b c", keys: ["a?", "k"], expiresIn: .seconds(60)) },
        Call(
            "create a bucket", "POST /bucket", body: #"{"id":"b","name":"b","public":false}"#,
            answering: #"{"name":"b"}"#
        ) { try await $0.createBucket("b") },
        Call(
            "create a bucket with limits", "POST /bucket",
            body: #"{"allowed_mime_types":["image/*"],"file_size_limit":9,"id":"b","name":"b","public":true}"#,
            answering: #"{"name":"b"}"#
        ) {
            try await $0.createBucket("b", BucketSettings(isPublic: true, fileSizeLimit: 9, allowedTypes: ["image/*"]))
        },
        Call("read a bucket", "GET /bucket/b%20c", answering: bucket) { _ = try await $0.bucket("b c") },
        Call("list buckets", "GET /bucket", answering: "[\(bucket)]") { _ = try await $0.buckets() },
        Call("change a bucket", "PUT /bucket/b", body: #"{"public":true}"#) {
            try await $0.updateBucket("b", BucketSettings(isPublic: true))
        },
        Call("delete a bucket", "DELETE /bucket/b") { try await $0.deleteBucket("b") },
        Call("empty a bucket", "POST /bucket/b/empty") { try await $0.emptyBucket("b") },
    ]

    @Test(arguments: objects + others)
    func aCallIsOneRequest(_ call: Call) async throws {
        let transport = ScriptedTransport([.json(call.answer)])
        try await call.perform(Self.client(transport))
        let request = try #require(transport.requests.first)
        #expect(
            "\(request.method.rawValue) \(request.url)"
                == call.line.replacing("/", with: "https://host/storage/v1/", maxReplacements: 1))
        let headers = request.headers.fields.map { "\($0.name): \($0.value)" }
        #expect(Set(headers) == Set(["authorization: Bearer user", "apikey: anon"] + call.headers))
        #expect(request.unixSocket == "/run/s")
        #expect(request.text == call.body)
        #expect(transport.unusedAnswers == 0)
    }

    @Test(arguments: objects + others)
    func aRefusalIsThrown(_ call: Call) async throws {
        let refusal = #"{"statusCode":"403","error":"Unauthorized","message":"Access denied","code":"AccessDenied"}"#
        let transport = ScriptedTransport([.json(refusal, status: call.line.hasPrefix("HEAD") ? 403 : 400)])
        let error = await #expect(throws: StorageError.self) { try await call.perform(Self.client(transport)) }
        #expect(error?.isDenied == true)
    }

    @Test(arguments: objects + others)
    func noAnswerIsThrown(_ call: Call) async throws {
        let lost = TransferError(.lost, "gone", mayHaveArrived: true)
        let error = await #expect(throws: StorageError.self) {
            try await call.perform(Self.client(ScriptedTransport([.failure(lost)])))
        }
        #expect(error == .noAnswer(lost))
    }

    @Test(arguments: objects + others)
    func nonsenseIsNotBelieved(_ call: Call) async throws {
        guard call.answer.contains(where: { "{[".contains($0) }) else { return }
        for nonsense in ["", "null", "<html>", #"{"a":1}"#] {
            let transport = ScriptedTransport([.json(nonsense)])
            let error = await #expect(throws: StorageError.self) { try await call.perform(Self.client(transport)) }
            guard case .unreadable(200, _) = error else { throw try #require(error) }
        }
    }

    @Test func aCallTakesTheClientsTimeouts() async throws {
        let transport = ScriptedTransport([.json(#"{"message":"Successfully deleted"}"#)])
        var client = Self.client(transport)
        client.timeouts = Timeouts(total: .seconds(3))
        try await client.deleteBucket("b")
        #expect(transport.requests.map(\.timeouts) == [Timeouts(total: .seconds(3))])
    }

    @Test func withoutAGatewayNoKeyIsSent() async throws {
        let transport = ScriptedTransport([.json(#"{"message":"Successfully deleted"}"#)])
        let client = StorageClient(
            endpoint: StorageEndpoint(base: "http://host/"), credentials: StorageCredentials(bearer: "t"),
            transport: transport)
        try await client.deleteBucket("b")
        #expect(transport.requests.first?.headers["apikey"] == nil)
        #expect(transport.requests.first?.url == "http://host/bucket/b")
    }
}

extension HTTPRequest {
    /// The body as text; `nil` without one.
    var text: String? {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
}

import Foundation
import TestSupport
import Testing
import Transfer

@testable import Supabase

/// How the client reads answers.
@Suite struct StorageAnswerTests {
    private func client(_ answers: ScriptedTransport.Answer...) -> StorageClient {
        client(ScriptedTransport(answers))
    }

    private func client(_ transport: ScriptedTransport) -> StorageClient {
        StorageClient(
            endpoint: StorageEndpoint(base: "http://h"), credentials: StorageCredentials(key: "k"), transport: transport
        )
    }

    @Test(arguments: [("b/k/l", "k/l"), ("b/b/k", "b/k"), ("other/k", "other/k"), ("b/\u{301}k", "\u{301}k")])
    func theKeyComesWithoutItsBucket(answered: String, key: String) async throws {
        let stored = try await client(.json(#"{"Id":"7","Key":"\#(answered)","more":1}"#))
            .upload(.none, bucket: "b", key: "k", contentType: "a/b")
        #expect(stored.id == "7")
        #expect(Array(stored.key.utf8) == Array(key.utf8))
    }

    @Test func infoHoldsTheUserMetadata() async throws {
        let json =
            #"{"id":"7","name":"ü","version":"v","bucket_id":"b","size":null,"content_type":"a/b","etag":"\"e\"","metadata":{"path":"x","n":[1,2.5,null,{"t":true}]},"last_modified":"2026-11-20T18:36:45.278Z"}"#
        let info = try await client(.json(json)).info(bucket: "b", key: "ü")
        #expect(info.id == "7" && info.key == "ü" && info.bucket == "b" && info.version == "v")
        #expect(info.size == nil && info.contentType == "a/b" && info.cacheControl == nil && info.eTag == "\"e\"")
        #expect(info.metadata == ["path": "x", "n": [1, 2.5, nil, ["t": true]]])
        #expect(info.lastModified?.rawValue == "2026-11-20T18:36:45.278Z")
        let seconds = try #require(info.lastModified?.date?.timeIntervalSince1970)
        #expect(abs(seconds - 1_795_199_805.278) < 0.0001)
        #expect(info.createdAt == nil)
    }

    @Test(
        arguments: [
            ("2026-11-20T18:36:45Z", 1_795_199_805.0), ("2026-11-20T18:36:45.278123+00:00", 1_795_199_805.278123),
            ("2026-11-20T20:36:45.5+02:00", 1_795_199_805.5), ("yesterday", nil), ("", nil),
        ] as [(String, Double?)])
    func timesAreReadAsServersWriteThem(text: String, seconds: Double?) {
        let read = StorageTime(rawValue: text).date?.timeIntervalSince1970
        #expect((read == nil) == (seconds == nil))
        #expect(abs((read ?? 0) - (seconds ?? 0)) < 0.0001)
    }

    /// A bare 400 may mean "duplicate" or "never", so it decides nothing; other statuses are clear.
    @Test(arguments: [(400, true), (413, false), (403, false), (503, false)])
    func aRefusalCutShortBeforeItsCodeIsWorthRepeating(status: Int, isUnreadable: Bool) async throws {
        let cut = HTTPResponse(status: status, body: Array(#"{"statusCode":"4"#.utf8), isTruncated: true)
        let error = await #expect(throws: StorageError.self) {
            try await client(.response(cut)).info(bucket: "b", key: "k")
        }
        #expect((error?.refusal == nil) == isUnreadable)
        #expect(error?.isRetryable == (isUnreadable || status == 503))
    }

    @Test func pagesAreFollowedByTheirCursor() async throws {
        let transport = ScriptedTransport([
            .json(
                #"{"hasNext":true,"nextCursor":"c1","nextCursorKey":"b","folders":[{"name":"f/","id":null}],"objects":[{"id":"1","name":"a","metadata":{"eTag":"\"e\"","size":5,"mimetype":"a/b","other":[]},"updated_at":"u","created_at":"c"},{"id":"2","name":"b","metadata":null}]}"#
            ),
            .json(#"{"hasNext":false,"nextCursor":"ignored","objects":[]}"#),
        ])
        let first = try await client(transport).list(bucket: "b")
        #expect(first.objects.map(\.key) == ["a", "b"])
        #expect(first.objects.map(\.size) == [5, nil])
        #expect(first.objects.map(\.eTag) == ["\"e\"", nil])
        #expect(first.objects.map(\.contentType) == ["a/b", nil])
        #expect(first.objects.map(\.updatedAt) == [StorageTime(rawValue: "u"), nil])
        #expect(first.folders == ["f/"])
        #expect(first.nextCursor == "c1")
        let second = try await client(transport).list(bucket: "b", cursor: first.nextCursor)
        #expect(second.nextCursor == nil)
    }

    @Test func aPageThatPromisesMoreMustSayWhere() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await client(.json(#"{"hasNext":true,"objects":[]}"#)).list(bucket: "b")
        }
        #expect(error?.isRetryable == true)
    }

    @Test(arguments: [(0, []), (1, [1]), (1000, [1000]), (1001, [1000, 1]), (2500, [1000, 1000, 500])])
    func manyAreDeletedAThousandAtATime(count: Int, requests: [Int]) async throws {
        let transport = ScriptedTransport(requests.indices.map { .json(#"[{"name":"k\#($0)","id":"1"}]"#) })
        let keys = (0..<count).map { "key\($0)" }
        let deleted = try await client(transport).deleteAll(bucket: "b", keys: keys)
        #expect(deleted == Set(requests.indices.map { "k\($0)" }))
        let sent = transport.requests.compactMap(\.text).map { $0.split(separator: ",").count }
        #expect(sent == requests)
        #expect(transport.unusedAnswers == 0)
    }

    @Test(arguments: [
        ("a b", "/object/sign/b/a b?token=x.y", "/object/sign/b/a%20b?token=x.y"),
        ("a+", "/object/sign/b/a+?token=x", "/object/sign/b/a%2B?token=x"),
        ("ü", "https://elsewhere/object/sign/b/ü?token=x", "/object/sign/b/%C3%BC?token=x"),
        ("token=", "/object/sign/b/token=?token=x", "/object/sign/b/token%3D?token=x"),
    ])
    func aSignedURLIsMadeOfOurPathAndItsToken(key: String, answered: String, path: String) async throws {
        let url = try await client(.json(#"{"signedURL":"\#(answered)"}"#)).sign(
            bucket: "b", key: key, expiresIn: .seconds(9))
        #expect(url == "http://h" + path)
    }

    @Test(arguments: ["/object/sign/b/k", "?key=x", ""])
    func aSignedURLHasAToken(answered: String) async {
        await #expect(throws: StorageError.self) {
            try await client(.json(#"{"signedURL":"\#(answered)"}"#)).sign(
                bucket: "b", key: "k", expiresIn: .seconds(9))
        }
    }

    @Test func inAListWhatIsMissingSaysSo() async {
        let answer =
            #"[{"error":"Either the object does not exist or you do not have access to it","path":"a?","signedURL":null}]"#
        let error = await #expect(throws: StorageError.self) {
            try await client(.json(answer)).sign(bucket: "b", key: "a?", expiresIn: .seconds(9))
        }
        #expect(error?.isMissing == true)
    }

    @Test func inALongerListWhatIsMissingHasNoURL() async throws {
        let answer = #"[{"error":"gone","signedURL":null},{"error":null,"signedURL":"/object/sign/b/ü?token=x"}]"#
        let urls = try await client(.json(answer)).sign(bucket: "b", keys: ["a", "ü"], expiresIn: .seconds(9))
        #expect(urls == [nil, "http://h/object/sign/b/%C3%BC?token=x"])
        await #expect(throws: StorageError.self, "an answer to another number of keys") {
            try await client(.json(answer)).sign(bucket: "b", keys: ["a"], expiresIn: .seconds(9))
        }
    }

    @Test func aPublicURLIsMadeWithoutAsking() {
        #expect(client().publicURL(bucket: "b c", key: "a/ü?") == "http://h/object/public/b%20c/a/%C3%BC%3F")
    }

    @Test func bucketsAreReadAndSorted() async throws {
        let json =
            #"[{"id":"z","name":"z","owner":"","public":true,"type":"STANDARD","file_size_limit":1000,"allowed_mime_types":["image/*"],"created_at":"c","updated_at":"u"},{"id":"a","name":"a","public":false,"file_size_limit":null,"allowed_mime_types":null}]"#
        let buckets = try await client(.json(json)).buckets()
        #expect(buckets.map(\.name) == ["a", "z"])
        #expect(buckets.map(\.isPublic) == [false, true])
        #expect(buckets.map(\.fileSizeLimit) == [nil, 1000])
        #expect(buckets.map(\.allowedTypes) == [nil, ["image/*"]])
    }
}

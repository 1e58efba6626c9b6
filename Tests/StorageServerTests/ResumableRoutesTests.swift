import FoundationEssentials
import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct ResumableRoutesTests {
    @Test(arguments: ["", "/storage/v1"])
    func anUploadInPiecesBecomesAnObject(prefix: String) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let created = try await site.begin(
            "b", "d/a b.txt", length: 10, ["Host": "h:1"], type: "text/plain",
            more: [("cacheControl", "3600"), ("metadata", #"{"k":"v"}"#)], prefix: prefix)
        #expect(created.status == 201)
        let location = try #require(created.headers["location"])
        #expect(location.hasPrefix("http://h:1\(prefix)/upload/resumable/"))
        let path = String(location.dropFirst("http://h:1".count))
        #expect(try await site.patch(path, at: 0, "01234").headers["upload-offset"] == "5")
        let head = try await site.resumable("HEAD", path)
        #expect(head.headers["upload-offset"] == "5")
        #expect(head.headers["upload-length"] == "10")
        #expect(head.headers["upload-metadata"]?.contains("cacheControl bWF4LWFnZT0zNjAw") == true)
        #expect(head.headers["cache-control"] == "no-store")
        let last = try await site.patch(path, at: 5, "56789")
        #expect(last.status == 204)
        #expect(last.headers["tus-complete"] == "1")
        let info = try await site.get("/object/info/b/d/a%20b.txt").json
        #expect(info["metadata"] == ["k": "v"])
        #expect(info["cache_control"] == "max-age=3600")
        #expect(info["etag"] == "\"781e5e245d69b566979b86e28d23f2c7\"")
        #expect(try await site.get("/object/b/d/a%20b.txt").text == "0123456789")
    }

    @Test func aPieceMayComeWithTheCreation() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let part = try await site.begin("b", "a", length: 3, ["Content-Type": ResumableHeaders.bodyType], "ab")
        #expect(part.headers["upload-offset"] == "2")
        #expect(part.headers["tus-complete"] == nil)
        let whole = try await site.begin("b", "c", length: 2, ["Content-Type": ResumableHeaders.bodyType], "ab")
        #expect(whole.headers["tus-complete"] == "1")
        #expect(try await site.begin("b", "empty", length: 0).headers["tus-complete"] == "1")
        #expect(try await site.get("/object/info/b/empty").json["size"] == 0)
        #expect(try await site.get("/object/info/b/empty").json["metadata"] == .null)
        #expect(try await site.get("/object/b/c").text == "ab")
        #expect(try await site.get("/object/b/a").status == 400)
    }

    @Test func theLengthMayComeLater() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: nil)
        #expect(try await site.resumable("HEAD", path).headers["upload-defer-length"] == "1")
        #expect(try await site.patch(path, at: 0, "abc").headers["tus-complete"] == nil)
        #expect(try await site.patch(path, at: 3, "d", ["Upload-Length": "2"]).text.hasPrefix("Upload-Length or"))
        #expect(try await site.patch(path, at: 3, "def", ["Upload-Length": "6"]).headers["tus-complete"] == "1")
        #expect(try await site.get("/object/b/a").text == "abcdef")
    }

    struct Refused: Sendable {
        var headers: Headers = [:]
        var bucket: String? = "b"
        var key = "new"
        var length: Int64? = 5
        var type: String?
        var token = Site.service
    }

    @Test(
        arguments: [
            Fact("no version", Refused(headers: ["Tus-Resumable": ""]), "400 Invalid tus-resumable\n"),
            Fact("a length with a sign", Refused(headers: ["Upload-Length": "-5"]), "400 Invalid upload-length\n"),
            Fact(
                "metadata with blanks", Refused(headers: ["Upload-Metadata": "a YQ==, b YQ=="]),
                "400 Invalid upload-metadata\n"),
            Fact(
                "parts", Refused(headers: ["Upload-Concat": "partial"]),
                "501 Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.\n"),
            Fact("no bucket name", Refused(bucket: nil), "400 Bucket name invalid"),
            Fact("no key", Refused(key: ""), "400 Invalid key: "),
            Fact("no such bucket", Refused(bucket: "none"), "404 Bucket not found"),
            Fact("a byte too large", Refused(bucket: "lim", length: 1001), "413 Maximum size exceeded\n"),
            Fact(
                "a wrong type", Refused(bucket: "lim", type: "text/plain"), "415 mime type text/plain is not supported"),
            Fact("there already", Refused(key: "old"), "409 The resource already exists"),
            Fact("another's folder", Refused(token: Site.user), "403 new row violates row-level security policy"),
        ] as [Fact<Refused, String>])
    func aCreationThatIsRefused(_ fact: Fact<Refused, String>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.makeBucket("lim", ["file_size_limit": 1000, "allowed_mime_types": ["image/*"]])
        try await site.upload("b/old")
        let blobs = try site.blobs()
        let wanted = fact.input
        let answer = try await site.begin(
            wanted.bucket, wanted.key, length: wanted.length, wanted.headers, as: wanted.token, type: wanted.type)
        #expect("\(answer.status) \(answer.text)" == fact.output)
        #expect(try site.blobs() == blobs)
    }

    @Test func theLastByteTheBucketAllowsIsTaken() async throws {
        let site = try Site()
        try await site.makeBucket("lim", ["file_size_limit": 3])
        #expect(try await site.begin("lim", "a", length: 3).status == 201)
        let path = try await site.path("lim", "b", length: nil)
        #expect(try await site.patch(path, at: 0, "abcd").text == "Maximum size exceeded\n")
        #expect(try await site.patch(path, at: 0, "abc").status == 204)
    }

    @Test(
        arguments: [
            Fact("no offset", ["Content-Type": ResumableHeaders.bodyType], "403 Upload-Offset header required\n"),
            Fact("no content type", ["Upload-Offset": "2"], "403 Content-Type header required\n"),
            Fact(
                "another content type", ["Upload-Offset": "2", "Content-Type": "a/b"], "400 Invalid content-type\n"),
            Fact(
                "an offset before", ["Upload-Offset": "1", "Content-Type": ResumableHeaders.bodyType],
                "409 Upload-Offset conflict\n"),
            Fact(
                "an offset behind", ["Upload-Offset": "3", "Content-Type": ResumableHeaders.bodyType],
                "409 Upload-Offset conflict\n"),
            Fact(
                "a length for the second time",
                ["Upload-Offset": "2", "Content-Type": ResumableHeaders.bodyType, "Upload-Length": "4"],
                "400 Upload-Length or Upload-Defer-Length header required\n"),
            Fact(
                "a byte too many", ["Upload-Offset": "2", "Content-Type": ResumableHeaders.bodyType],
                "413 upload's size exceeded\n"),
        ] as [Fact<Headers, String>])
    func aPieceThatIsRefused(_ fact: Fact<Headers, String>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 4)
        _ = try await site.patch(path, at: 0, "ab")
        let answer = try await site.resumable("PATCH", path, fact.input, body: "xyz")
        #expect("\(answer.status) \(answer.text)" == fact.output)
        #expect(try await site.resumable("HEAD", path).headers["upload-offset"] == "2")
        #expect(try await site.patch(path, at: 2, "cd").headers["tus-complete"] == "1")
        #expect(try await site.get("/object/b/a").text == "abcd")
    }

    @Test func anExpiredTokenStopsAPieceInTheWordsOfTheOtherRoutes() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 4)
        let expired = Site.token.sign(["role": "service_role", "exp": 1])
        let answer = try await site.patch(path, at: 0, "ab", as: expired)
        #expect(answer.status == 400)
        #expect(answer.refusal == "403 AccessDenied: \"exp\" claim timestamp check failed")
    }

    /// For each piece the right to replace the current object is checked again.
    @Test func replacingIsWantedWithEveryPiece() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a", "old")
        let path = try await site.path("b", "a", length: 4, ["x-upsert": "true"])
        #expect(try await site.patch(path, at: 0, "abcd").text == "The resource already exists")
        #expect(try await site.patch(path, at: 0, "abcd", ["x-upsert": "true"]).headers["tus-complete"] == "1")
        #expect(try await site.get("/object/b/a").text == "abcd")
        #expect(try await site.blobs() == site.versions())
        #expect(try await site.patch(path, at: 4, "").status == 409)
        #expect(try await site.patch(path, at: 4, "", ["x-upsert": "true"]).headers["tus-complete"] == "1")
    }

    @Test func ofTwoUploadsOfAKeyTheFirstToEndWins() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let first = try await site.path("b", "a", length: 1)
        let second = try await site.path("b", "a", length: 1)
        #expect(try await site.patch(first, at: 0, "1").status == 204)
        #expect(try await site.patch(second, at: 0, "2").status == 409)
        #expect(try await site.get("/object/b/a").text == "1")
        _ = try await site.ask("DELETE", "/object/b/a")
        #expect(try await site.resumable("HEAD", first).status == 410)
        #expect(try await site.patch(second, at: 0, "2").status == 204)
        #expect(try await site.get("/object/b/a").text == "2")
    }

    @Test func whatIsEndedIsGone() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 4)
        _ = try await site.patch(path, at: 0, "ab")
        #expect(try await site.resumable("DELETE", path).status == 204)
        #expect(try site.blobs() == [])
        for method in ["DELETE", "HEAD"] { #expect(try await site.resumable(method, path).status == 404) }
        let done = try await site.path("b", "done", length: 0)
        #expect(try await site.resumable("DELETE", done).text == "The resource already exists")
        let refused = try await site.resumable("DELETE", done, ["x-upsert": "true"])
        #expect(refused.text == "Cannot terminate an already completed upload")
        #expect(try await site.resumable("HEAD", "/upload/resumable/zzz").status == 400)
    }

    @Test func anUploadCanBeContinuedForADay() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 4)
        site.pass(24 * 3_600_000 - 1)
        #expect(try await site.patch(path, at: 0, "ab").headers["upload-expires"] == "Sat, 21 Nov 2026 18:36:45 GMT")
        site.pass(1)
        for method in ["HEAD", "PATCH"] {
            let headers: Headers = ["Upload-Offset": "2", "Content-Type": ResumableHeaders.bodyType]
            #expect(try await site.resumable(method, path, headers).status == 410)
        }
        site.pass(24 * 3_600_000 + 1)
        let other = try await site.path("b", "other", length: 4)
        #expect(try await site.resumable("HEAD", path).status == 404)
        #expect(try await site.resumable("HEAD", other).status == 200)
        #expect(try site.blobs().count == 1)
    }

    /// After kill -9 only the folder is left.
    @Test func whatArrivedOutlivesTheServer() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 6)
        _ = try await site.patch(path, at: 0, "abc")
        let again = try site.reopened()
        let headers: Headers = [
            "Authorization": "Bearer \(Site.service)", "Tus-Resumable": "1.0.0", "Upload-Offset": "3",
            "Content-Type": ResumableHeaders.bodyType,
        ]
        let request = Request(method: "PATCH", target: path, headers: headers, body: RequestBody(Array("def".utf8)))
        #expect(await again.answer(request).headers["tus-complete"] == "1")
        let info = try await site.get("/object/info/b/a").json
        #expect(info["etag"]?.string == "\"\(MD5.hash(Array("abcdef".utf8)).hexadecimal)\"")
        #expect(try await site.get("/object/b/a").text == "abcdef")
    }

    @Test(arguments: [0, 3, 3 << 20])
    func aBodyThatBreaksOffKeepsWhatArrived(received: Int) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 4 << 20)
        let pieces = Shared(received > 0 ? [[UInt8](repeating: 1, count: received)] : [])
        let body = RequestBody(length: 4 << 20) { () throws(BodyFailure) in
            guard let piece = pieces.change({ $0.popLast() }) else { throw .lost }
            return piece
        }
        #expect(try await site.patch(path, at: 0, body).text == "Something went wrong receiving the file\n")
        #expect(try await site.resumable("HEAD", path).headers["upload-offset"] == "\(received)")
        let rest = String(repeating: "r", count: 4 << 20 - received)
        #expect(try await site.patch(path, at: received, rest).headers["tus-complete"] == "1")
    }

    @Test func aNewerRequestEndsAPieceUnderWay() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 10)
        let (waiting, waits) = AsyncStream.makeStream(of: Void.self)
        let pieces = Shared([Array("abc".utf8)])
        let body = RequestBody(length: 10) { () throws(BodyFailure) in
            if let piece = pieces.change({ $0.popLast() }) { return piece }
            waits.yield()
            // Like a client that stops sending: only a cancellation ends it.
            try? await withLimit("a newer request ends this one") {
                for await _ in AsyncStream<Void>.makeStream().stream {}
            }
            throw .lost
        }
        async let stalled = site.depot.answer(site.patching(path, at: 0, body))
        try await waiting.first("the upload waits for its lock")
        #expect(try await site.resumable("HEAD", path).headers["upload-offset"] == "3")
        let answer = await stalled
        #expect(answer.status == 204)
        #expect(answer.headers["upload-offset"] == "3")
        #expect(answer.isUrgent)
        #expect(try await site.patch(path, at: 3, "defghij").headers["tus-complete"] == "1")
    }

    /// Each run lets one more call succeed; what was acknowledged is always there.
    @Test(arguments: 0...8)
    func aFullDiskKeepsWhatWasAcknowledged(callsBeforeFailure: Int) async throws {
        let isFull = Shared(false)
        let site = try Site { path throws(SystemError) in
            let disk = try LocalDisk(directory: path)
            guard isFull.value else { return disk }
            return FailingDisk(disk, callsBeforeFailure: callsBeforeFailure, afterwards: .recovers)
        }
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 8)
        #expect(try await site.patch(path, at: 0, "ab").status == 204)
        isFull.change { $0 = true }
        let answer = try await site.patch(path, at: 2, "cdef")
        isFull.change { $0 = false }
        #expect(answer.status == (callsBeforeFailure < 3 ? 507 : 204))
        let head = try await site.resumable("HEAD", path)
        // Where the bytes could not be synced, the upload is discarded rather than wrong.
        if head.status == 410 { return #expect(callsBeforeFailure == 2) }
        let offset = try #require(head.headers["upload-offset"].flatMap { Int($0) })
        #expect(offset >= (answer.status == 204 ? 6 : 2))
        #expect(try await site.patch(path, at: offset, String("abcdefgh".dropFirst(offset))).status == 204)
        #expect(try await site.get("/object/b/a").text == "abcdefgh")
        #expect(
            try await site.get("/object/info/b/a").json["etag"]?.string
                == "\"\(MD5.hash(Array("abcdefgh".utf8)).hexadecimal)\"")
    }

    @Test func theEndpointSaysWhatItCanDo() async throws {
        let site = try Site()
        for path in ["/upload/resumable", "/upload/resumable/sign", "/upload/resumable/x"] {
            let answer = try await site.ask("OPTIONS", path, as: nil)
            #expect(answer.status == 204)
            #expect(answer.headers["tus-version"] == "1.0.0")
            #expect(answer.headers["tus-extension"]?.contains("creation-with-upload") == true)
        }
    }
}

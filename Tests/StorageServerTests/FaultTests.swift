import Foundation
import ObjectStore
import Platform
import Serving
import TestSupport
import Testing

@testable import StorageServer

@Suite struct FaultTests {
    struct Cut: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let count: Int
        var isFile = false
        /// The bytes that are sent of 50, from 10 on; `nil` where the connection is cut without an answer.
        let sent: Range<UInt8>?
    }

    @Test(arguments: [
        Cut(testDescription: "before its first byte it is none", count: 0, sent: nil),
        Cut(testDescription: "after its first byte", count: 1, sent: 10..<11),
        Cut(testDescription: "in the middle", count: 20, sent: 10..<30),
        Cut(testDescription: "before its last byte", count: 49, sent: 10..<59),
        Cut(testDescription: "after its last byte it is cut, too", count: 50, sent: 10..<60),
        Cut(testDescription: "of a file before its first byte", count: 0, isFile: true, sent: nil),
        Cut(testDescription: "in the middle of a file", count: 20, isFile: true, sent: 10..<30),
        Cut(testDescription: "after the last byte of a file", count: 99, isFile: true, sent: 10..<60),
    ])
    func aCutAnswerAnnouncesWhatItDoesNotSend(_ row: Cut) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let file = try OpenFile(creating: directory.path.appending("f"))
        try file.write(Array(0..<100), at: 0)
        let body = row.isFile ? Response.Body.file(file, offset: 10, length: 50) : .bytes(Array(10..<60))
        let cut = Response(status: 206, headers: ["X": "1"], body: body).cut(after: row.count)
        guard let sent = row.sent else { return #expect(cut.status == 0) }
        #expect(cut.status == 206 && cut.headers["x"] == "1")
        guard case .stream(length: 50, let next) = cut.body else { return #expect(Bool(false)) }
        #expect(try await next() == Array(sent))
        await #expect(throws: BodyFailure.lost) { try await next() }
    }

    @Test func anAnswerWithoutABodyIsCutWhole() {
        #expect(Response(status: 200).cut(after: 5).status == 0)
    }

    /// Three pieces of five bytes each; how many pieces stay unread, and how many bytes are passed on.
    @Test(arguments: [(0, 3, 0), (1, 2, 1), (5, 2, 5), (6, 1, 6), (10, 1, 10), (11, 0, 11), (99, 0, 15)])
    func aLostBodyGivesSoMuchAndNoMore(bytes: Int, left: Int, given: Int) async {
        let pieces = Shared(Array(repeating: [UInt8](repeating: 0, count: 5), count: 3))
        let body = RequestBody(length: 15) { () throws(BodyFailure) in pieces.change { $0.popLast() } }
        var iterator = body.lost(after: bytes).makeAsyncIterator()
        var count = 0
        await #expect(throws: BodyFailure.lost) {
            while let piece = try await iterator.next() { count += piece.count }
        }
        #expect(count == given)
        #expect(pieces.value.count == left)
    }

    @Test func unavailableIsToBeTriedAgain() {
        guard case .answer(let response) = Fault.unavailable(retryAfter: 3) else { return #expect(Bool(false)) }
        #expect(response.status == 503)
        #expect(response.headers["retry-after"] == "3")
    }

    @Test(arguments: [0, 3, 99])
    func aDropKeepsOfAnUploadInPiecesWhatArrived(bytes: Int) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 10)
        let request = site.patching(path, at: 0, RequestBody(Array("0123456789".utf8)))
        #expect(await site.depot.answer(request, with: .drop(afterReading: bytes)).status == 0)
        #expect(try await site.resumable("HEAD", path).headers["upload-offset"] == "\(min(bytes, 10))")
    }

    @Test func aDropOfARequestWithoutABodyHasNoEffect() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a")
        let request = Request(
            method: "DELETE", target: "/object/b/a", headers: ["Authorization": "Bearer \(Site.service)"])
        #expect(await site.depot.answer(request, with: .drop(afterReading: 0)).status == 0)
        #expect(try await site.get("/object/b/a").text == "hello")
    }

    /// Like a real stalled connection, it is ended by the next request for the upload.
    @Test func aStallEndsWhenAnotherRequestWantsTheUpload() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let path = try await site.path("b", "a", length: 10)
        let read = Shared(0)
        let (reads, arrived) = AsyncStream.makeStream(of: Void.self)
        let body = RequestBody(length: 10) { () throws(BodyFailure) in
            read.change { $0 += 1 }
            arrived.yield()
            return Array("012".utf8)
        }
        let request = site.patching(path, at: 0, body)
        async let stalled = site.depot.answer(request, with: .stall(afterReading: 3, for: .seconds(3600)))
        try await reads.first("the answer is being read")
        #expect(try await site.resumable("HEAD", path).headers["upload-offset"] == "3")
        let answer = await stalled
        #expect(answer.isUrgent)
        #expect(answer.headers["upload-offset"] == "3")
    }

    @Test func whatIsLateOrSlowArrivesWhole() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        try await site.upload("b/a", "hello")
        let pace = Pace(bytesPerSecond: 1_000_000)
        let headers: Headers = ["Authorization": "Bearer \(Site.service)"]
        let fault = Fault.late(.milliseconds(1), then: .slow(pace, then: nil))
        let get = Request(method: "GET", target: "/object/b/a", headers: headers)
        #expect(try await Answer(await site.depot.answer(get, with: fault)).text == "hello")
        let put = Request(
            method: "PUT", target: "/object/b/a", headers: headers, body: RequestBody(Array("again".utf8)))
        #expect(await site.depot.answer(put, with: fault).status == 200)
        #expect(try await site.get("/object/b/a").text == "again")
        #expect(await site.depot.answer(get, with: .slow(pace, then: .unavailable(retryAfter: 1))).status == 503)
    }

    @Test(arguments: [
        Fact("a key that is there", (409, false), "400 409"),
        Fact("an offset", (409, true), "409 Upload-Offset conflict\n"),
        Fact("load", (429, false), "429 429"), Fact("a database", (544, false), "544 544"),
        Fact("a pool", (503, true), "503 acquiring lock timeout"), Fact("a plan", (402, false), "402 402"),
        Fact("a limit", (413, false), "400 413"), Fact("a limit in pieces", (413, true), "413 Maximum size exceeded\n"),
        Fact("the unknown", (502, true), "502 Something went wrong with that request\n"),
    ])
    func aStatusHasItsWords(_ fact: Fact<(Int, Bool), String>) async throws {
        let answer = try await Answer(FaultStatus(fact.input.0).response(isResumable: fact.input.1))
        let words = answer.json["statusCode"]?.string ?? answer.text
        #expect("\(answer.status) \(words)" == fact.output)
    }

    @Test(arguments: [("<html>", "text/html"), (#"{"a":1}"#, "application/json"), ("no", "text/plain")])
    func aStatusMayHaveOtherWords(body: String, type: String) async throws {
        let response = FaultStatus(413, retryAfter: 9, body: body).response(isResumable: true)
        let answer = try await Answer(response)
        #expect(answer.text == body)
        #expect(answer.headers["content-type"] == type)
        #expect(answer.headers["retry-after"] == "9")
    }

    @Test(arguments: [
        (nil, nil), (0, "Fri, 20 Nov 2026 12:00:00 GMT"), (3_600, "Fri, 20 Nov 2026 13:00:00 GMT"),
        (-3_600, "Fri, 20 Nov 2026 11:00:00 GMT"),
    ])
    func aStatusMayComeFromAServerWithAnotherClock(ahead: Int?, date: String?) async throws {
        let noon = Date(timeIntervalSince1970: 1_795_176_000)
        let response = FaultStatus(400, clock: ahead).response(isResumable: false, now: noon)
        #expect(try await Answer(response).headers["date"] == date)
    }
}

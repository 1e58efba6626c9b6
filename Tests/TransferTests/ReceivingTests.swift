import Platform
import TestSupport
import Testing
import Transfer

/// How an answer's body is received.
@Suite struct ReceivingTests {
    let client = HTTPClient()

    /// A server that sends `answer` to every request and closes.
    private func server(_ answer: String, reset: Bool = false) throws -> RawServer {
        try RawServer { connection in
            guard connection.head() != nil else { return }
            connection.write(answer)
            if reset { connection.reset() }
        }
    }

    @Test func anAnswerIsAValueWhateverItsStatus() async throws {
        for status in [200, 201, 204, 301, 400, 404, 416, 429, 500, 503, 544] {
            let server = try RawServer { $0.serve(answering: status) }
            #expect(try await client.send(HTTPRequest(.get, server.url)).status == status)
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let wire: String
        let status: Int
        let body: String

        init(_ description: String, _ wire: String, _ status: Int, _ body: String) {
            (testDescription, self.wire, self.status, self.body) = (description, wire, status, body)
        }
    }

    @Test(arguments: [
        Row("a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", 200, "ab"),
        Row("up to the end", "HTTP/1.0 200 OK\r\n\r\nabc", 200, "abc"),
        Row(
            "chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", 200, "abc"),
        Row("after a 100", "HTTP/1.1 100 C\r\nX-A: no\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", 200, "a"),
        Row("after a 103", "HTTP/1.1 103 E\r\nX-A: no\r\n\r\nHTTP/1.1 404 N\r\nContent-Length: 1\r\n\r\na", 404, "a"),
        Row("none with 204", "HTTP/1.1 204 N\r\n\r\n", 204, ""),
        Row(
            "packed stays packed", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab", 200, "ab"
        ),
    ])
    func bodiesEndWhereTheyShould(_ row: Row) async throws {
        let server = try server(row.wire)
        let answer = try await client.send(HTTPRequest(.get, server.url))
        #expect(answer.status == row.status)
        #expect(String(decoding: answer.body, as: UTF8.self) == row.body)
        #expect(answer.received == row.body.utf8.count)
        #expect(!answer.isTruncated)
        #expect(answer.headers["x-a"] == nil)
    }

    @Test func aHeadHasALengthButNoBody() async throws {
        let server = try server("HTTP/1.1 200 OK\r\nContent-Length: 12345\r\nETag: \"e\"\r\n\r\n")
        let answer = try await client.send(HTTPRequest(.head, server.url))
        #expect(answer.headers["content-length"] == "12345")
        #expect(answer.headers["etag"] == "\"e\"")
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: [(200, 1000), (200, 1001), (404, 1001), (404, 65_536), (404, 65_537)])
    func successesAndRefusalsHaveLimitsOfTheirOwn(status: Int, size: Int) async throws {
        let server = try RawServer { $0.serve(answering: status, String(repeating: "x", count: size)) }
        let request = HTTPRequest(.get, server.url, answer: .memory(limit: 1000))
        if status == 200 && size > 1000 {
            let error = await #expect(throws: TransferError.self) { try await client.send(request) }
            #expect(error?.kind == .tooLarge)
        } else {
            let answer = try await client.send(request)
            #expect(answer.body.count == min(size, 65_536))
            #expect(answer.isTruncated == (size > 65_536))
        }
    }

    @Test(arguments: [
        (200, "newnew", "newnew9"), (206, "xyz", "012xyz9"), (404, "gone", "0123459"), (201, "", "0123459"),
    ])
    func aFileTakesASuccessOnly(status: Int, body: String, expected: String) async throws {
        let content = Array("0123459".utf8)
        try await FileTree().withDirectory { directory in
            let file = try OpenFile(creating: directory.appending("f"))
            try file.write(content, at: 0)
            let server = try RawServer { $0.serve(answering: status, body) }
            let answer = try await client.send(HTTPRequest(.get, server.url, answer: .file(file, at: 3)))
            #expect(String(decoding: try file.readAll(), as: UTF8.self) == expected)
            #expect(answer.body == (status == 404 ? Array(body.utf8) : []))
            #expect(answer.received == body.utf8.count)
        }
    }

    @Test func aLargeAnswerReachesTheFileWhole() async throws {
        let content = Randomness.bytes(5_000_000)
        try await FileTree().withDirectory { directory in
            let file = try OpenFile(creating: directory.appending("f"))
            let server = try RawServer { connection in
                _ = connection.head()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\n\r\n")
                connection.write(content)
            }
            let answer = try await client.send(HTTPRequest(.get, server.url, answer: .file(file)))
            #expect(answer.received == Int64(content.count))
            #expect(try file.readAll() == content)
        }
    }

    @Test(arguments: [false, true])
    func aSuccessCutShortIsLost(byReset: Bool) async throws {
        let server = try server("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", reset: byReset)
        let error = await #expect(throws: TransferError.self) { try await client.send(HTTPRequest(.get, server.url)) }
        #expect(error?.kind == .lost)
        #expect(error?.mayHaveArrived == true)
    }

    @Test func aRefusalCutShortIsStillARefusal() async throws {
        let server = try server("HTTP/1.1 503 Busy\r\nContent-Length: 10\r\nRetry-After: 9\r\n\r\nabc")
        let answer = try await client.send(HTTPRequest(.get, server.url))
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "9")
        #expect(answer.body == Array("abc".utf8))
        #expect(answer.isTruncated)
    }

    @Test func progressEndsWithAllBytes() async throws {
        let server = try RawServer { $0.serve(answering: 200, String(repeating: "x", count: 300_000)) }
        let seen = Shared<[TransferProgress]>([])
        var request = HTTPRequest(.put, server.url, body: .bytes([UInt8](repeating: 1, count: 700_000)))
        request.progress = { progress in seen.change { $0.append(progress) } }
        _ = try await client.send(request)
        #expect(seen.value.last == TransferProgress(sent: 700_000, received: 300_000))
        #expect(zip(seen.value, seen.value.dropFirst()).allSatisfy { $0.sent <= $1.sent && $0.received <= $1.received })
    }
}

extension RawConnection {
    /// Gives one answer to every request.
    func serve(answering status: Int, _ body: String = "") {
        serve { _, _ in
            status == 204 ? write("HTTP/1.1 204 No Content\r\n\r\n") : answer(status, body)
        }
    }
}

import Glibc
import Platform
import TestSupport
import Testing
import Transfer

/// The bytes on the wire.
@Suite struct SendingTests {
    let client = HTTPClient(userAgent: "gallery-sync/9.9")

    /// Sends `request` to a server that accepts everything; returns what the server received.
    private func received(
        _ method: HTTPMethod, path: String = "/", headers: HTTPHeaders = HTTPHeaders(), body: HTTPBody = .none
    ) async throws -> (head: RawConnection.Head, body: [UInt8]) {
        let seen = Shared<[(RawConnection.Head, [UInt8])]>([])
        let server = try RawServer { connection in
            connection.serve { head, body in
                seen.change { $0.append((head, body)) }
                connection.answer()
            }
        }
        _ = try await client.send(HTTPRequest(method, server.url + path, headers: headers, body: body))
        return try #require(seen.value.first)
    }

    @Test(arguments: ["/a/../b//c/./d", "/a%2Fb%20c?x=%2B&y", "/'();:@&=+$,!*~", "/?", "/a?b=/../c"])
    func thePathIsSentAsItStands(path: String) async throws {
        #expect(try await received(.get, path: path).head.target == path)
    }

    @Test(
        arguments: [
            (HTTPMethod.get, nil), (.head, nil), (.delete, nil), (.options, nil), (.post, "0"), (.put, "0"),
            (.patch, "0"),
        ] as [(HTTPMethod, String?)])
    func aRequestWithoutABodySaysSoWhereItMust(method: HTTPMethod, length: String?) async throws {
        let head = try await received(method).head
        #expect(head.method == method.rawValue)
        #expect(head.value(of: "content-length") == length)
        #expect(head.value(of: "transfer-encoding") == nil)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func aBodyGoesWithAnyMethod(method: HTTPMethod) async throws {
        let (head, body) = try await received(method, body: .bytes(Array("hello".utf8)))
        #expect(head.method == method.rawValue)
        #expect(head.value(of: "content-length") == "5")
        #expect(body == Array("hello".utf8))
    }

    @Test func nothingIsAddedThatWasNotAskedFor() async throws {
        let body = [UInt8](repeating: 1, count: 2 << 20)
        let (head, _) = try await received(.post, body: .bytes(body))
        let names = head.fields.compactMap { $0.split(separator: ":").first?.lowercased() }
        #expect(Set(names) == ["host", "user-agent", "accept", "content-length"])
        #expect(head.value(of: "user-agent") == "gallery-sync/9.9")
    }

    @Test func headersAreSentInOrderAlsoEmptyAndTwice() async throws {
        var headers: HTTPHeaders = ["X-A": "1", "X-Empty": "", "content-type": "image/jpeg"]
        headers.append("X-A", "ü")
        let head = try await received(.put, headers: headers, body: .bytes([1])).head
        let sent = head.fields.filter { $0.hasPrefix("X-") || $0.hasPrefix("content-type") }
        #expect(sent == ["X-A: 1", "X-Empty:", "content-type: image/jpeg", "X-A: ü"])
    }

    struct Range: CustomTestStringConvertible {
        let testDescription: String
        let offset: Int64
        let length: Int64
    }

    @Test(arguments: [
        Range(testDescription: "all of it", offset: 0, length: 3_000_000),
        Range(testDescription: "from within", offset: 1_234_567, length: 1_000_000),
        Range(testDescription: "one byte", offset: 2_999_999, length: 1),
        Range(testDescription: "nothing", offset: 3_000_000, length: 0),
        Range(testDescription: "one byte more than a buffer", offset: 0, length: 262_145),
    ])
    func aFileRangeIsSentAndSeenWhileItIs(_ range: Range) async throws {
        let content = Randomness.bytes(3_000_000)
        try await FileTree().withDirectory { directory in
            let file = try OpenFile(creating: directory.appending("f"))
            try file.write(content, at: 0)
            let observer = RecordingObserver()
            let body = HTTPBody.file(file, offset: range.offset, length: range.length, observer: observer)
            let sent = try await received(.post, body: body)
            let expected = Array(content[Int(range.offset)..<Int(range.offset + range.length)])
            #expect(sent.head.contentLength == expected.count)
            #expect(sent.body == expected)
            #expect(observer.bytes == expected)
            #expect(observer.restarts == 0)
        }
    }

    @Test(arguments: ["http://h/\r\nX: 1", "http://h/\0", "http://h/\n"])
    func aURLThatBreaksLinesIsNotSent(url: String) async {
        let error = await #expect(throws: TransferError.self) { try await client.send(HTTPRequest(.get, url)) }
        #expect(error?.kind == .unsendable)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "no url at all", "", "http://user:pw@127.0.0.1/"])
    func onlyPlainWebAddressesAreSentTo(url: String) async {
        let error = await #expect(throws: TransferError.self) { try await client.send(HTTPRequest(.get, url)) }
        #expect(error?.kind == .unsendable)
        #expect(error?.mayHaveArrived == false)
    }

    @Test(arguments: [("X-A\r\nX-B", "1"), ("X-A", "1\r\nX-B: 2"), ("X-A", "1\0")])
    func aHeaderThatBreaksLinesIsNotSent(name: String, value: String) async throws {
        let server = try RawServer { $0.stall() }
        let request = HTTPRequest(.get, server.url, headers: HTTPHeaders([.init(name, value)]))
        let error = await #expect(throws: TransferError.self) { try await client.send(request) }
        #expect(error?.kind == .unsendable)
        #expect(server.connectionCount == 0)
    }

    @Test func proxiesOfTheEnvironmentAreNotUsed() async throws {
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        setenv("all_proxy", "http://127.0.0.1:1", 1)
        defer {
            unsetenv("http_proxy")
            unsetenv("all_proxy")
        }
        #expect(try await received(.get).head.method == "GET")
    }
}

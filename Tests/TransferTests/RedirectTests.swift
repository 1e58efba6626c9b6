import Platform
import TestSupport
import Testing

@testable import Transfer

@Suite struct RedirectTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let location: String
        let target: String?
        /// Names of the headers that are kept.
        let kept: [String]
        var from = "https://a.example/x/y?q=1"
        var method = HTTPMethod.get
        var status = 302

        init(_ description: String, _ location: String, _ target: String?, _ kept: [String] = []) {
            (testDescription, self.location, self.target, self.kept) = (description, location, target, kept)
        }

        init(_ description: String, method: HTTPMethod = .get, status: Int = 302) {
            self.init(description, "/z", nil)
            (self.method, self.status) = (method, status)
        }
    }

    private static let all = ["authorization", "apikey", "range", "cookie"]

    @Test(arguments: [
        Row("a path stays at the origin", "/z", "https://a.example/z", all),
        Row("a relative path is resolved", "z", "https://a.example/x/z", all),
        Row("the default port is the same origin", "https://a.example:443/z", "https://a.example:443/z", all),
        Row("another host gets no secret", "https://b.example/z", "https://b.example/z", ["range"]),
        Row("another port is another origin", "https://a.example:8443/z", "https://a.example:8443/z", ["range"]),
        Row("a scheme-relative host gets no secret", "//b.example/z", "https://b.example/z", ["range"]),
        Row("http is not gone to from https", "http://a.example/z", nil),
        Row("other schemes are not gone to", "file:///etc/passwd", nil),
        Row("nonsense is not gone to", "http://", nil),
        Row("a POST is never sent elsewhere", method: .post),
        Row("300 is the caller's choice", status: 300),
        Row("304 is no redirect", status: 304),
    ])
    func where_(_ row: Row) {
        var request = HTTPRequest(row.method, row.from, headers: HTTPHeaders(Self.all.map { .init($0, "1") }))
        request.unixSocket = "/run/socket"
        let next = request.redirected(by: HTTPResponse(status: row.status, headers: ["Location": row.location]))
        #expect(next?.url == row.target)
        #expect(next.map { $0.headers.fields.map(\.name) } ?? [] == row.kept)
        #expect(next == nil || (next?.unixSocket == nil) == (row.kept == ["range"]))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func everyRedirectOfAGetIsFollowedWhereAsked(status: Int) async throws {
        let server = try RawServer { connection in
            connection.serve { head, _ in
                head.target == "/end"
                    ? connection.answer(200, "there") : connection.answer(status, fields: ["Location: /end"])
            }
        }
        var request = HTTPRequest(.get, server.url + "/start")
        #expect(try await HTTPClient().send(request).status == status)
        request.followsRedirects = true
        #expect(try await HTTPClient().send(request).body == Array("there".utf8))
    }

    @Test func circlesEnd() async throws {
        let server = try RawServer { connection in
            connection.serve { _, _ in connection.answer(302, fields: ["Location: /again"]) }
        }
        var request = HTTPRequest(.get, server.url)
        request.followsRedirects = true
        await #expect(throws: TransferError.self) { try await HTTPClient().send(request) }
        #expect(server.connectionCount == 1)
    }
}

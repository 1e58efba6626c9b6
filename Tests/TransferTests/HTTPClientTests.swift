import TestSupport
import Testing
import Transfer

@Suite struct HTTPClientTests {
    let client = HTTPClient(userAgent: "gallery-sync/test")

    @Test func anAnswerIsAValueWhateverItsStatus() async throws {
        let server = try RawServer { connection in
            connection.serve { _, _ in connection.answer(503, fields: ["Retry-After: 7"], "busy") }
        }
        let answer = try await client.send(HTTPRequest(.get, server.url + "/a"))
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "7")
        #expect(String(decoding: answer.body, as: UTF8.self) == "busy")
    }
}

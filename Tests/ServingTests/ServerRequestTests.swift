import Platform
import TestSupport
import Testing

@testable import Serving

@Suite struct ServerRequestTests {
    @Test(arguments: [
        "/a%2Fb%00c?x=%20+&y", "/%zz", "//double//", "/sp%20ace/日本", "/a?b?c", "/a;b,c",
    ])
    func theTargetIsKeptAsSent(_ target: String) async throws {
        try await serving({ .text($0.target) }) { server in
            let wire = try Wire(port: server.port)
            #expect(try await wire.get(target).body == target)
        }
    }

    @Test func methodHeadersAndTheirSizeArrive() async throws {
        try await serving({ request in
            .text(
                "\(request.method) \(request.headers["X-OWN"] ?? "-") \(request.headers["none"] ?? "-") \(request.headerSize)"
            )
        }) { server in
            let text = "PROPFIND / HTTP/1.1\r\nHost: x\r\nx-own: one two\r\n\r\n"
            let wire = try Wire(port: server.port)
            try await wire.send(text)
            #expect(try await wire.readAnswer().body == "PROPFIND one two - \(text.utf8.count)")
        }
    }

    struct Body: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What follows the request line and the host.
        let pieces: [String]
        var limit = 1 << 20
        let answer: String

        init(_ fact: String, _ pieces: String..., limit: Int? = nil, answer: String) {
            (testDescription, self.pieces, self.answer) = (fact, pieces, answer)
            self.limit = limit ?? self.limit
        }
    }

    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: [
        Body("none", "Content-Length: 0\r\n\r\n", answer: "0:"),
        Body("of known length", "Content-Length: 5\r\n\r\n", "hello", answer: "5:hello"),
        Body("in two pieces", "Content-Length: 5\r\n\r\nhel", "lo", answer: "5:hello"),
        Body(
            "large", "Content-Length: 300000\r\n\r\n", String(repeating: "x", count: 300_000),
            answer: "300000:" + String(repeating: "x", count: 300_000)),
        Body("in chunks", chunked, "5\r\nhello\r\n", "6\r\n world\r\n0\r\n\r\n", answer: "?:hello world"),
        Body("in no chunks", chunked, "0\r\n\r\n", answer: "?:"),
        Body("as long as its limit", "Content-Length: 10\r\n\r\n0123456789", limit: 10, answer: "10:0123456789"),
        Body("longer than its limit", "Content-Length: 11\r\n\r\n0123456789a", limit: 10, answer: "tooLarge"),
        Body(
            "in chunks, as long as its limit", chunked, "4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n", limit: 10,
            answer: "?:0123456789"),
        Body(
            "in a chunk longer than its limit", chunked, "b\r\n0123456789a\r\n0\r\n\r\n", limit: 10, answer: "tooLarge"),
        Body(
            "in chunks that add up to more", chunked, "a\r\n0123456789\r\n", "1\r\na\r\n0\r\n\r\n", limit: 10,
            answer: "tooLarge"),
    ])
    func aBodyArrives(_ row: Body) async throws {
        try await serving({ await Self.echo($0, limit: row.limit) }) { server in
            let wire = try Wire(port: server.port)
            // Twice, since nothing of the first may be left on the connection.
            for _ in 1...2 {
                try await wire.send("PUT / HTTP/1.1\r\nHost: x\r\n")
                for piece in row.pieces { try await wire.send(piece) }
                let answer = try await wire.readAnswer()
                #expect(answer.status == 200 && answer.body == row.answer)
            }
        }
    }

    @Test func oneConnectionServesManyRequests() async throws {
        try await serving({ .text($0.target) }) { server in
            let wire = try Wire(port: server.port)
            for number in 1...20 {
                #expect(try await wire.get("/\(number)").body == "/\(number)")
            }
            // Two requests in one write are answered in order.
            try await wire.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\nGET /y HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await wire.readAnswer().body == "/x")
            #expect(try await wire.readAnswer().body == "/y")
        }
    }

    @Test func aBodyIsReadPieceByPieceWithoutBeingKept() async throws {
        let size = 8 << 20
        try await serving({ request in
            do {
                var count = 0
                var largest = 0
                for try await piece in request.body {
                    count += piece.count
                    largest = max(largest, piece.count)
                }
                return .text("\(count) \(largest <= ExchangeState.capacity)")
            } catch {
                return .text("\(error)")
            }
        }) { server in
            let wire = try Wire(port: server.port)
            #expect(try await wire.post("/", String(repeating: "x", count: size)).body == "\(size) true")
        }
    }

    @Test func aClientThatLeavesEndsTheBody() async throws {
        let (failures, report) = AsyncStream.makeStream(of: BodyFailure?.self)
        try await serving({ request in
            do throws(BodyFailure) {
                _ = try await request.body.collect(limit: 100)
                report.yield(nil)
            } catch {
                report.yield(error)
            }
            return .text("")
        }) { server in
            var wire: Wire? = try Wire(port: server.port)
            try await wire?.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf")
            wire = nil
            #expect(try await failures.first("the handler reads to the end") == .lost)
        }
    }

    @Test func aHeaderBlockBeyondMemoryIsRefused() async throws {
        try await serving({ .text("\($0.headerSize)") }) { server in
            let filler = String(repeating: "x", count: 20_000)
            #expect(try await Wire(port: server.port).get("/", "X: \(filler)\r\n").status == 200)
            let wire = try Wire(port: server.port)
            let lines = String(repeating: "X: \(filler)\r\n", count: 12)
            #expect(try await wire.get("/", lines).status == 431)
        }
    }

    /// Answers with the length that was told and the body, or with why it could not be read.
    static func echo(_ request: Request, limit: Int = 1 << 20) async -> Response {
        do throws(BodyFailure) {
            let bytes = try await request.body.collect(limit: limit)
            let length = request.body.length.map { "\($0)" } ?? "?"
            return .text("\(length):\(String(decoding: bytes, as: UTF8.self))")
        } catch {
            return .text("\(error)")
        }
    }
}

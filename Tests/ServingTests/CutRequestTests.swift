import TestSupport
import Testing

@testable import Serving

/// A request that arrives in pieces is the same request; one that breaks off is never whole.
@Suite struct CutRequestTests {
    struct Sent: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let seen: String
    }

    static let requests = [
        Sent(
            testDescription: "with a length",
            text: "PUT /a%20b?c=d HTTP/1.1\r\nHost: x\r\nOwn: one two\r\nContent-Length: 5\r\n\r\nhello",
            seen: "PUT /a%20b?c=d one two 5 hello"),
        Sent(
            testDescription: "in chunks",
            text: "POST /x HTTP/1.1\r\nHost: x\r\nOwn: y\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2\r\nhe\r\n3;e=f\r\nllo\r\n0\r\n\r\n",
            seen: "POST /x y ? hello"),
        Sent(
            testDescription: "without a body", text: "DELETE / HTTP/1.1\r\nHost: x\r\nOwn: z\r\n\r\n",
            seen: "DELETE / z 0 "),
    ]

    /// Every byte of the request as its handler sees it; `lost` where the body is not whole.
    @Sendable private static func seen(_ request: Request) async -> String {
        let own = request.headers["own"] ?? "-"
        let length = request.body.length.map { "\($0)" } ?? "?"
        do throws(BodyFailure) {
            let body = String(decoding: try await request.body.collect(limit: 100), as: UTF8.self)
            return "\(request.method) \(request.target) \(own) \(length) \(body)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: requests) func itIsTheSameWhereverItIsCut(_ request: Sent) async throws {
        try await serving({ .text(await Self.seen($0)) }) { server in
            let wire = try Wire(port: server.port)
            let bytes = Array(request.text.utf8)
            for cut in 0...bytes.count {
                try await wire.send(String(decoding: bytes[..<cut], as: UTF8.self))
                try await wire.send(String(decoding: bytes[cut...], as: UTF8.self))
                #expect(try await wire.readAnswer().body == request.seen, "cut at \(cut)")
            }
        }
    }

    @Test(arguments: requests) func oneThatBreaksOffReachesNobodyWhole(_ request: Sent) async throws {
        let seen = Shared<[String]>([])
        let handler: @Sendable (Request) async -> Response = { request in
            let text = await Self.seen(request)
            seen.change { $0.append(text) }
            return .text(text)
        }
        try await serving(handler) { server in
            let bytes = Array(request.text.utf8)
            for cut in 0..<bytes.count {
                let wire = try Wire(port: server.port)
                try await wire.send(String(decoding: bytes[..<cut], as: UTF8.self))
                // The connection ends with `wire`.
            }
        }
        // The server has stopped, so no handler is under way.
        #expect(seen.value.allSatisfy { $0 == "lost" }, "\(seen.value)")
    }

    /// Chunks whose sizes lie, and what follows them.
    @Test(arguments: [
        "-1\r\nhello\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n", "5hello\r\n0\r\n\r\n",
        "5\r\nhelloX0\r\n\r\n", "g\r\nhello\r\n0\r\n\r\n", "\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
    ])
    func aChunkWithoutAnHonestSizeIsNoBody(chunks: String) async throws {
        try await serving({ .text(await Self.seen($0)) }) { server in
            let wire = try Wire(port: server.port)
            // What follows must not be answered as if it were a request of its own.
            let next = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"
            try await wire.send("POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)\(next)")
            wire.finishSending()
            let answer = try await wire.readToEnd()
            #expect(!answer.contains("hello") && !answer.contains("/next"), "\(answer)")
        }
    }
}

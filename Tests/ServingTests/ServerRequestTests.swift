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

    @Test func aBodyOfKnownLengthArrives() async throws {
        try await serving(Self.echo) { server in
            let wire = try Wire(port: server.port)
            for body in ["", "hello", String(repeating: "x", count: 300_000)] {
                #expect(try await wire.post("/", body).body == "\(body.utf8.count):\(body)")
            }
        }
    }

    @Test func aChunkedBodyArrives() async throws {
        try await serving(Self.echo) { server in
            let wire = try Wire(port: server.port)
            try await wire.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await wire.send("5\r\nhello\r\n")
            try await wire.send("6\r\n world\r\n0\r\n\r\n")
            #expect(try await wire.readAnswer().body == "?:hello world")
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

    @Test func aBodyOverTheLimitIsAFailureOfTheReader() async throws {
        try await serving({ request in
            do throws(BodyFailure) {
                return .text("\(try await request.body.collect(limit: 10).count)")
            } catch {
                return .text("\(error)")
            }
        }) { server in
            let wire = try Wire(port: server.port)
            #expect(try await wire.post("/", "0123456789").body == "10")
            #expect(try await wire.post("/", "0123456789a").body == "tooLarge")
            try await wire.send(
                "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n0123456789a\r\n0\r\n\r\n")
            #expect(try await wire.readAnswer().body == "tooLarge")
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

    static let echo: @Sendable (Request) async -> Response = { request in
        do throws(BodyFailure) {
            let bytes = try await request.body.collect(limit: 1 << 20)
            let length = request.body.length.map { "\($0)" } ?? "?"
            return .text("\(length):\(String(decoding: bytes, as: UTF8.self))")
        } catch {
            return Response(status: 400)
        }
    }
}

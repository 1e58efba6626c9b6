import Platform
import TestSupport
import Testing

@testable import Serving

@Suite struct ServerAnswerTests {
    @Test func statusAndHeadersArrive() async throws {
        try await serving({ _ in
            Response(
                status: 418, headers: ["X-One": "1", "Content-Type": "text/html", "Set-Cookie": "a", "set-cookie": "b"])
        }) { server in
            let answer = try await Wire(port: server.port).get("/")
            #expect(answer.status == 418)
            #expect(answer.headers["x-one"] == "1")
            #expect(answer.headers["content-length"] == "0")
            #expect(answer.headers.lines.filter { $0.name.lowercased() == "set-cookie" }.map(\.value) == ["a", "b"])
        }
    }

    @Test func anUrgentAnswerComesInTheMiddleOfTheBody() async throws {
        try await serving({ request in
            var pieces = request.body.makeAsyncIterator()
            _ = try? await pieces.next()
            var response = Response(status: 204, headers: ["X-One": "1"])
            response.isUrgent = true
            return response
        }) { server in
            let wire = try Wire(port: server.port)
            try await wire.send("PATCH / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n1234567")
            let head = try await wire.readHead()
            #expect(head.first?.hasPrefix("HTTP/1.1 204") == true)
            #expect(head.contains("X-One: 1"))
            #expect(head.contains("Connection: close"))
            #expect(try await wire.readToEnd().isEmpty)
            // What the client still sends is read, so that it can read the answer.
            try await wire.send("8901234567890")
        }
    }

    @Test func anUrgentAnswerToAWholeRequestIsLikeAnyOther() async throws {
        try await serving({ _ in
            var response = Response(status: 204)
            response.isUrgent = true
            return response
        }) { server in
            let wire = try Wire(port: server.port)
            for _ in 1...2 { #expect(try await wire.get("/").status == 204) }
        }
    }

    @Test(
        arguments: [
            ("a text", .bytes(Array("hello".utf8)), "5"), ("nothing", .bytes([]), "0"),
            ("what is only announced", .announced(length: 5_000_000_000), "5000000000"),
            ("a stream of known length", .stream(length: 7) { nil }, "7"),
            ("a stream of unknown length", .stream(length: nil) { nil }, nil),
        ] as [(String, Response.Body, String?)])
    func headCarriesTheLengthAndNoBody(_ row: (what: String, body: Response.Body, length: String?)) async throws {
        try await serving({ $0.method == "HEAD" ? Response(status: 200, body: row.body) : .text("after") }) { server in
            let wire = try Wire(port: server.port)
            for _ in 1...2 {
                let answer = try await wire.get("/", method: "HEAD")
                #expect(answer.status == 200, "\(row.what)")
                if let length = row.length { #expect(answer.headers["content-length"] == length, "\(row.what)") }
                #expect(try await wire.get("/").body == "after", "\(row.what)")
            }
        }
    }

    @Test(arguments: [(0, 10, "0123456789"), (3, 4, "3456"), (9, 1, "9"), (5, 0, "")])
    func aRangeOfAFileIsSent(offset: Int64, length: Int64, expected: String) async throws {
        try await withFile("0123456789") { file, path in
            try await serving({ _ in
                Response(status: 200, body: .file(file, offset: offset, length: length))
            }) { server in
                let wire = try Wire(port: server.port)
                for _ in 1...20 { #expect(try await wire.get("/").body == expected) }
            }
            #expect(try openings(of: path) == 1)
        }
    }

    @Test(arguments: [nil, 600_000] as [Int64?])
    func aStreamIsSentWhileItIsMade(length: Int64?) async throws {
        try await serving({ _ in
            let pieces = Pieces(count: 6, size: 100_000)
            return Response(status: 200, body: .stream(length: length) { await pieces.next() })
        }) { server in
            let wire = try Wire(port: server.port)
            for _ in 1...2 {
                let answer = try await wire.get("/")
                #expect(answer.body.utf8.count == 600_000)
                #expect(answer.headers["content-length"] == length.map { "\($0)" })
            }
        }
    }

    @Test func aStreamThatFailsCutsTheConnection() async throws {
        try await serving({ _ in
            let pieces = Pieces(count: 2, size: 10)
            return Response(
                status: 200,
                body: .stream(length: 30) {
                    guard let piece = await pieces.next() else { throw Wire.Failed(call: "made") }
                    return piece
                })
        }) { server in
            let wire = try Wire(port: server.port)
            try await wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await wire.readHead()
            #expect(try await wire.readToEnd() == String(repeating: "x", count: 20))
        }
    }

    @Test(arguments: [
        ("a request", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", nil),
        ("an upload that goes on", "PUT /after-some HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n0123", "4567"),
        (
            "an upload in chunks",
            "PUT /after-some HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "1\r\nb\r\n"
        ),
    ])
    func droppingCutsTheConnectionWithoutAnAnswer(_ row: (what: String, request: String, rest: String?)) async throws {
        try await serving({ request in
            if request.path == "/after-some" {
                var pieces = request.body.makeAsyncIterator()
                _ = try? await pieces.next()
            }
            return .dropped
        }) { server in
            let wire = try Wire(port: server.port)
            try await wire.send(row.request)
            if let rest = row.rest {
                // The connection may be gone already.
                try? await wire.send(rest)
                wire.finishSending()
            }
            #expect(try await wire.readToEnd() == "", "\(row.what)")
        }
    }

    /// A body that may be large is not sent where the answer is a refusal, and the connection is not used again.
    @Test(
        arguments: [
            (0, nil), (500_000, nil), (1 << 20, nil), ((1 << 20) + 1, "close"), (5_000_000_000, "close"),
        ] as [(Int, String?)])
    func aRefusalSparesALargeUpload(size: Int, connection: String?) async throws {
        try await serving({ _ in Response(status: 413) }) { server in
            let wire = try Wire(port: server.port)
            for _ in 1...(connection == nil ? 3 : 1) {
                try await wire.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
                if connection == nil { try await wire.send([UInt8](repeating: 1, count: size)) }
                let answer = try await wire.readAnswer()
                #expect(answer.status == 413)
                #expect(answer.headers["connection"] == connection)
            }
        }
    }

    @Test func aClientThatAsksFirstIsToldToGoOnWhenTheBodyIsWanted() async throws {
        try await serving({ request in
            request.path == "/no" ? Response(status: 413) : await ServerRequestTests.echo(request)
        }) { server in
            let header = "HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
            let wire = try Wire(port: server.port)
            try await wire.send("POST /yes \(header)")
            #expect(try await wire.readHead() == ["HTTP/1.1 100 Continue"])
            try await wire.send("hello")
            #expect(try await wire.readAnswer().body == "5:hello")
            try await wire.send("POST /no \(header)")
            #expect(try await wire.readAnswer().status == 413)
        }
    }

    private func withFile(_ text: String, _ body: (OpenFile, FilePath) async throws -> Void) async throws {
        let tree: FileTree = ["file": .file(Array(text.utf8))]
        try await tree.withDirectory { directory in
            let path = directory.appending("file")
            try await body(OpenFile(reading: path), path)
        }
    }

    /// Descriptors of this process that lead to `path`.
    private func openings(of path: FilePath) throws -> Int {
        let descriptors = try Directory("/proc/self/fd")
        return try descriptors.names().count { (try? descriptors.target(ofLink: $0)) == path }
    }
}

/// `count` pieces of `size` bytes.
private actor Pieces {
    private var count: Int
    private let size: Int

    init(count: Int, size: Int) {
        self.count = count
        self.size = size
    }

    func next() -> [UInt8]? {
        guard count > 0 else { return nil }
        count -= 1
        return Array(repeating: UInt8(ascii: "x"), count: size)
    }
}

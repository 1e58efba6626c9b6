import Testing

@testable import Serving

/// A request that two programs could parse differently is refused.
@Suite struct FramingTests {
    private static let nul = "\u{0}"

    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 20\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775808\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\(nul)b\r\nOther: c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\(nul)\r\nOther: c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nLast: a\(nul)b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nLast: a\(nul)\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nLast: \(nul)\r\n\r\n", "GET /a\(nul)b HTTP/1.1\r\nHost: x\r\n\r\n",
        "A\rGET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a\rb HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.0\rGET /b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nFolded: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\rTransfer-Encoding: chunked\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA\rB: c\r\n\r\n",
    ])
    func twoReadingsAreRefused(request: String) async throws {
        try await serving({ _ in .text("read") }) { server in
            let wire = try Wire(port: server.port)
            try await wire.send(request)
            let answer = try await wire.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(!answer.contains("read"))
        }
    }

    /// Blanks around values, empty values, many lines and bare line ends are accepted.
    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /?a=b&c HTTP/1.1\r\nHost: x\r\nEmpty:\r\nBlank: \t\r\nLast:  a b \t\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nCookie: a=b; c=d\r\nLast: a\r\n\r\n", "GET / HTTP/1.1\nHost: x\nLast: a\n\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    ])
    func oneReadingIsServed(request: String) async throws {
        let handler: @Sendable (Request) async -> Response = { request in
            do { for try await _ in request.body {} } catch { return .text("lost") }
            return .text("read")
        }
        try await serving(handler) { server in
            let wire = try Wire(port: server.port)
            // The connection is used twice, to check that nothing of the first request is left over.
            for _ in 1...2 {
                try await wire.send(request)
                #expect(try await wire.readAnswer().body == "read")
            }
        }
    }

    @Test(
        arguments: [
            ("no length", [], true), ("the longest that is counted", ["9223372036854775807"], true),
            ("one more", ["9223372036854775808"], false), ("nothing", [""], false), ("a sign", ["+1"], false),
            ("a negative one", ["-1"], false), ("a list", ["1, 1"], false), ("hexadecimal digits", ["0x1"], false),
            ("digits of another script", ["١"], false), ("two that agree", ["1", "1"], false),
            ("zeros before it", ["007"], true),
        ] as [(String, [String], Bool)])
    func aLengthIsANumberThatIsCounted(_ row: (why: String, lengths: [String], isClear: Bool)) {
        var headers: Headers = ["Host": "x"]
        for length in row.lengths { headers.append("content-LENGTH", length) }
        #expect(Framing.isClear(headers) == row.isClear, "\(row.why)")
    }

    /// Lines that arrive one by one are handled like lines that arrive at once.
    @Test func aHeaderInPiecesIsServed() async throws {
        try await serving({ .text($0.headers["last"] ?? "-") }) { server in
            let wire = try Wire(port: server.port)
            let long = String(repeating: "l", count: 70_000)
            for piece in ["GET / HTTP/1.1\r\nHo", "st: x\r\nLong: ", long, "\r\nLast: a", "\r\n\r\n"] {
                try await wire.send(piece)
            }
            #expect(try await wire.readAnswer().body == "a")
        }
    }
}

@Suite struct ConnectionsTests {
    /// New clients are served although others only hold connections open.
    @Test func halfOpenOnesMakeRoom() async throws {
        try await serving(connectionLimit: 8, { _ in .text("served") }) { server in
            var halfOpen: [Wire] = []
            for _ in 0..<40 {
                let wire = try Wire(port: server.port)
                try await wire.send("GET / HT")
                halfOpen.append(wire)
            }
            #expect(try await Wire(port: server.port).get("/").body == "served")
            #expect(try await halfOpen[0].readToEnd() == "")
        }
    }

    @Test func aRequestUnderWayIsNotEndedForAnother() async throws {
        let gate = Gate()
        let handler: @Sendable (Request) async -> Response = { _ in
            await gate.pass()
            return .text("served")
        }
        try await serving(connectionLimit: 4, handler) { server in
            let busy = try Wire(port: server.port)
            try await busy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            try await gate.arrived(1)
            let others = try (0..<20).map { _ in try Wire(port: server.port) }
            #expect(try await others[0].readToEnd() == "")
            await gate.open()
            #expect(try await busy.readAnswer().body == "served")
        }
    }

    /// Idle connections are kept as long as no other client needs the room.
    @Test func aConnectionIsUsedAgain() async throws {
        try await serving(connectionLimit: 4, { _ in .text("served") }) { server in
            let wires = try (0..<4).map { _ in try Wire(port: server.port) }
            for _ in 1...3 {
                for wire in wires { #expect(try await wire.get("/").body == "served") }
            }
        }
    }

    @Test func theLimitLeavesFilesForTheHandlers() {
        #expect((32...512).contains(Connections.defaultLimit))
    }
}

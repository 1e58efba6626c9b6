import TestSupport
import Testing
import Transfer

/// Raw bytes over a connection of curl, with real sockets.
@Suite struct ByteConnectionTests {
    private func open(_ server: RawServer, scheme: String = "http") async throws(TransferError) -> ByteConnection {
        try await ByteConnection.open("\(scheme)://127.0.0.1:\(server.port)/", within: .seconds(20))
    }

    @Test func nothingIsSentBeforeItIsAsked() async throws {
        let server = try RawServer { connection in connection.write(connection.body(3) + [7]) }
        let connection = try await open(server)
        try await connection.send([1, 2, 3])
        var seen: [UInt8] = []
        while let piece = try await connection.receive(within: patience) { seen += piece }
        #expect(seen == [1, 2, 3, 7])
    }

    @Test func largePiecesArriveWhole() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try RawServer { connection in connection.write(connection.body(bytes.count)) }
        let connection = try await open(server)
        try await connection.send(bytes)
        var seen: [UInt8] = []
        while let piece = try await connection.receive(within: patience) { seen += piece }
        #expect(seen == bytes)
    }

    @Test func silenceEndsTheWaitAndNotTheConnection() async throws {
        let server = try RawServer { connection in connection.write(connection.body(1)) }
        let connection = try await open(server)
        let error = await #expect(throws: TransferError.self) {
            try await connection.receive(within: .milliseconds(1))
        }
        #expect(error?.kind == .timedOut)
        try await connection.send([9])
        let answer = try await connection.receive(within: patience)
        #expect(answer == [9])
    }

    @Test func aBrokenConnectionIsNoEnd() async throws {
        let server = try RawServer { connection in
            _ = connection.body(1)
            connection.reset()
        }
        let connection = try await open(server)
        try await connection.send([1])
        let error = await #expect(throws: TransferError.self) { try await connection.receive(within: patience) }
        #expect(error?.kind == .lost)
    }

    @Test func nothingListens() async throws {
        let server = try RawServer { $0.stall() }
        server.stop()
        let error = await #expect(throws: TransferError.self) { _ = try await open(server) }
        #expect(error?.kind == .unreachable)
        #expect(error?.mayHaveArrived == false)
    }

    @Test func whoSpeaksNoTLSIsNotTrusted() async throws {
        let server = try RawServer { connection in
            connection.write("HTTP/1.1 400 Plain\r\n\r\n")
            connection.stall()
        }
        let error = await #expect(throws: TransferError.self) { _ = try await open(server, scheme: "https") }
        #expect(error?.kind == .secure)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "http://user@127.0.0.1/", "nonsense://x"])
    func onlyPlainAddressesAreConnectedTo(url: String) async {
        let error = await #expect(throws: TransferError.self) {
            _ = try await ByteConnection.open(url, within: .seconds(1))
        }
        #expect(error?.kind == .unsendable)
    }

    @Test func closingWakesWhoWaits() async throws {
        let server = try RawServer { $0.stall() }
        let connection = try await open(server)
        async let error = #expect(throws: TransferError.self) { try await connection.receive(within: patience) }
        connection.close()
        #expect(await error?.kind == .cancelled)
        await #expect(throws: TransferError.self) { try await connection.send([1]) }
    }

    @Test func aCancelledTaskClosesIt() async throws {
        let (ends, report) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            connection.stall()
            report.yield()
        }
        let connection = try await open(server)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let error = await #expect(throws: TransferError.self) { try await connection.receive(within: patience) }
                #expect(error?.kind == .cancelled)
            }
            group.cancelAll()
        }
        try await ends.first("the connection ends")
    }
}

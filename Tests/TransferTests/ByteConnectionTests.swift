import TestSupport
import Testing
import Transfer

/// Raw bytes over a connection of curl, with real sockets.
@Suite struct ByteConnectionTests {
    private func open(_ server: RawServer, scheme: String = "http") async throws(TransferError) -> ByteConnection {
        try await ByteConnection.open("\(scheme)://127.0.0.1:\(server.port)/", within: .seconds(20))
    }

    @Test(arguments: [1, 3, 65_537, 1_000_000])
    func whatIsSentArrivesWholeAndNothingBeforeIt(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let server = try RawServer { connection in connection.write(connection.body(count) + [7]) }
        let connection = try await open(server)
        try await connection.send(bytes)
        var seen: [UInt8] = []
        while let piece = try await connection.receive(within: patience) { seen += piece }
        #expect(seen == bytes + [7])
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

    @Test(
        arguments: [
            ("nothing listens", "http", true, .unreachable), ("nor for TLS", "https", true, .unreachable),
            ("one that speaks no TLS is not trusted", "https", false, .secure),
        ] as [(String, String, Bool, TransferError.Kind)])
    func isNotOpened(_ row: (why: String, scheme: String, isStopped: Bool, kind: TransferError.Kind)) async throws {
        let server = try RawServer { connection in
            connection.write("HTTP/1.1 400 Plain\r\n\r\n")
            connection.stall()
        }
        if row.isStopped { server.stop() }
        let error = await #expect(throws: TransferError.self) { _ = try await open(server, scheme: row.scheme) }
        #expect(error?.kind == row.kind && error?.mayHaveArrived == false, "\(row.why)")
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

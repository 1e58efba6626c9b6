import Platform
import TestSupport
import Testing
import Transfer

/// Which addresses a request may connect to.
@Suite struct PeerTests {
    let client = HTTPClient()

    private func request(_ url: String, permitting permits: @escaping @Sendable (String) -> Bool) -> HTTPRequest {
        var request = HTTPRequest(.get, url)
        request.permitsPeer = permits
        return request
    }

    @Test func aPermittedAddressIsConnectedTo() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        let asked = Shared<[String]>([])
        let answer = try await client.send(
            request(server.url) { address in
                asked.change { $0.append(address) }
                return true
            })
        #expect(answer.status == 200 && Set(asked.value) == ["127.0.0.1"])
    }

    @Test func nothingIsSentToAnAddressThatIsNotPermitted() async throws {
        let heard = Shared(false)
        let server = try RawServer { connection in
            heard.change { $0 = true }
            connection.serve(answering: 200)
        }
        let error = await #expect(throws: TransferError.self) {
            try await client.send(request(server.url) { _ in false })
        }
        #expect(error?.kind == .forbiddenPeer("127.0.0.1") && error?.mayHaveArrived == false)
        #expect(error?.message.contains("127.0.0.1") == true)
        // The server has accepted no connection before this one.
        #expect(!heard.value)
    }

    @Test(arguments: [
        ("[::1]", "::1"), ("[fd00::12:3456]", "fd00::12:3456"), ("[::ffff:10.0.0.1]", "::ffff:10.0.0.1"),
        ("0x7f.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("10.1.2.3", "10.1.2.3"),
    ])
    func anAddressIsJudgedAsItIs(_ row: (host: String, address: String)) async throws {
        let error = await #expect(throws: TransferError.self) {
            try await client.send(request("http://\(row.host):9/") { _ in false })
        }
        #expect(error?.kind == .forbiddenPeer(row.address))
    }

    @Test func aNameIsJudgedByWhereItLeads() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        let url = server.url.replacing("127.0.0.1", with: "localhost")
        await #expect(throws: TransferError.self) {
            try await client.send(request(url) { $0 != "127.0.0.1" && $0 != "::1" })
        }
    }

    /// Whether the request that opened the connection was checked or not.
    @Test(arguments: [true, false])
    func aKeptConnectionIsJudgedAnew(isFirstJudged: Bool) async throws {
        let heard = Shared(0)
        let server = try RawServer { connection in
            while connection.head() != nil {
                heard.change { $0 += 1 }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let first = isFirstJudged ? request(server.url) { _ in true } : HTTPRequest(.get, server.url)
        #expect(try await client.send(first).status == 200)
        let error = await #expect(throws: TransferError.self) {
            try await client.send(request(server.url) { _ in false })
        }
        #expect(error?.kind == .forbiddenPeer("127.0.0.1") && error?.mayHaveArrived == false)
        #expect(try await client.send(request(server.url) { _ in true }).status == 200)
        #expect(heard.value == 2)
    }

    @Test func permittedRequestsShareAConnection() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        for _ in 0..<5 {
            #expect(try await client.send(request(server.url) { $0 == "127.0.0.1" }).status == 200)
        }
        // One, except on a slow machine, where the connection may expire meanwhile.
        #expect(server.connectionCount < 5)
    }

    @Test func otherFailuresStayWhatTheyAre() async throws {
        let error = await #expect(throws: TransferError.self) {
            try await client.send(request("http://127.0.0.1:1/") { _ in true })
        }
        #expect(error?.kind == .unreachable)
    }
}

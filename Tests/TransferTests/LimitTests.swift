import Platform
import TestSupport
import Testing
import Transfer

/// Limits delay bytes; they lose none.
@Suite struct LimitTests {
    let client = HTTPClient()
    private let body = [UInt8](repeating: 1, count: 200_000)

    private func elapsed(_ work: () async throws -> Void) async rethrows -> Duration {
        try await ContinuousClock().measure(work)
    }

    @Test func aRequestKeepsItsSendLimit() async throws {
        let arrived = Shared(0)
        let server = try RawServer { connection in
            connection.serve { _, body in
                arrived.change { $0 = body.count }
                connection.answer()
            }
        }
        var request = HTTPRequest(.put, server.url, body: .bytes(body))
        request.sendLimit = 1_000_000
        let time = try await elapsed { _ = try await client.send(request) }
        #expect(arrived.value == body.count)
        // 200 KB at 1 MB/s, less the burst that may be sent at once; never sooner, however fast the machine.
        #expect(time >= .milliseconds(100))
    }

    @Test func aRequestKeepsItsReceiveLimit() async throws {
        let server = try RawServer { $0.serve(answering: 200, String(repeating: "x", count: 200_000)) }
        var request = HTTPRequest(.get, server.url)
        request.receiveLimit = 1_000_000
        let time = try await elapsed {
            let answer = try await client.send(request)
            #expect(answer.body.count == 200_000)
        }
        #expect(time >= .milliseconds(100))
    }

    @Test func allRequestsShareTheCommonLimit() async throws {
        client.setLimit(bytesPerSecond: 2_000_000)
        let server = try RawServer { $0.serve(answering: 200) }
        let time = try await elapsed {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { [body] in
                        try await client.send(HTTPRequest(.put, server.url, body: .bytes(body))).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
        #expect(time >= .milliseconds(200))
    }

    @Test func liftingTheLimitReleasesWhoWaits() async throws {
        client.setLimit(bytesPerSecond: 1)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            while let head = connection.head() {
                start.yield()
                _ = connection.body(head.contentLength)
                connection.answer()
            }
        }
        let task = Task { [body] in try await client.send(HTTPRequest(.put, server.url, body: .bytes(body))) }
        try await starts.first("the request has started")
        client.setLimit(bytesPerSecond: nil)
        #expect(try await task.value.status == 200)
    }

    @Test func whoWaitsCanBeCancelled() async throws {
        client.setLimit(bytesPerSecond: 1)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            _ = connection.head()
            start.yield()
            connection.stall()
        }
        let task = Task { [body] in try await client.send(HTTPRequest(.put, server.url, body: .bytes(body))) }
        try await starts.first("the request has started")
        task.cancel()
        let error = await #expect(throws: TransferError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }
}

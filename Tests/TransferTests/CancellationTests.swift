import TestSupport
import Testing
import Transfer

@Suite struct CancellationTests {
    let client = HTTPClient()

    @Test func aCancelledTaskSendsNothing() async throws {
        let server = try RawServer { $0.stall() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(HTTPRequest(.get, server.url))
        }
        let error = await #expect(throws: TransferError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(error?.mayHaveArrived == false)
        #expect(server.connectionCount == 0)
    }

    struct Way: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let cancel: @Sendable (Task<HTTPResponse, any Error>, HTTPClient) -> Void
        /// Connections to another server afterwards, to which one was open; `nil` where nothing is sent any more.
        let connections: Int?
    }

    @Test(arguments: [
        Way(
            testDescription: "a cancelled task ends its own request only", cancel: { task, _ in task.cancel() },
            connections: 1),
        Way(
            testDescription: "renewing ends what runs and keeps no connection", cancel: { _, client in client.renew() },
            connections: 2),
        Way(
            testDescription: "closing cancels what is under way and all that comes",
            cancel: { _, client in
                client.close()
                client.close()
            }, connections: nil),
    ])
    func whatHasArrivedMayHaveArrived(_ way: Way) async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let stalling = try RawServer { connection in
            _ = connection.head()
            arrival.yield()
            connection.stall()
        }
        let answering = try RawServer { $0.serve(answering: 200) }
        for _ in 0..<2 { #expect(try await client.send(HTTPRequest(.get, answering.url)).status == 200) }
        #expect(answering.connectionCount == 1)
        let task = Task { try await client.send(HTTPRequest(.post, stalling.url, body: .bytes([1]))) }
        try await arrivals.first("the request arrives")
        way.cancel(task, client)
        let error = await #expect(throws: TransferError.self) { try await task.value }
        #expect(error?.kind == .cancelled && error?.mayHaveArrived == true)
        guard let connections = way.connections else {
            let late = await #expect(throws: TransferError.self) {
                try await client.send(HTTPRequest(.get, answering.url))
            }
            #expect(late?.kind == .cancelled && late?.mayHaveArrived == false)
            return
        }
        #expect(try await client.send(HTTPRequest(.get, answering.url)).status == 200)
        #expect(answering.connectionCount == connections)
    }

    @Test func twoHundredAtOnceEndAndOthersGoOn() async throws {
        let stalling = try RawServer { $0.stall() }
        let answering = try RawServer { $0.serve(answering: 200) }
        let endings = await withTaskGroup(of: TransferError.Kind?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do throws(TransferError) {
                        _ = try await client.send(HTTPRequest(.get, stalling.url))
                        return nil
                    } catch {
                        return error.kind
                    }
                }
            }
            group.cancelAll()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(endings == Array(repeating: .cancelled, count: 200))
        #expect(try await client.send(HTTPRequest(.get, answering.url)).status == 200)
    }

    /// Cancels at an arbitrary moment: queued, connecting, sending, waiting or answered.
    @Test func everyRaceHasOneEnding() async throws {
        let server = try RawServer { $0.serve(answering: 200, "ok") }
        for round in 0..<300 {
            let task = Task { try await client.send(HTTPRequest(.put, server.url, body: .bytes([1, 2, 3]))) }
            for _ in 0..<(round % 20) { await Task.yield() }
            task.cancel()
            do {
                #expect(try await task.value.status == 200)
            } catch let error as TransferError {
                #expect(error.kind == .cancelled)
            }
        }
    }

    @Test func manyClientsComeAndGo() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        for _ in 0..<50 {
            #expect(try await HTTPClient().send(HTTPRequest(.get, server.url)).status == 200)
        }
    }
}

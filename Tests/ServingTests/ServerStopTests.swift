import Glibc
import Platform
import TestSupport
import Testing

@testable import Serving

@Suite struct ServerStopTests {
    @Test func manyRequestsWaitAtOnceWithoutAThreadEach() async throws {
        let gate = Gate()
        try await serving({ request in
            await gate.pass()
            return .text(request.target)
        }) { server in
            let port = server.port
            try await withThrowingTaskGroup { group in
                for number in 1...100 {
                    group.addTask { try await Wire(port: port).get("/\(number)").body == "/\(number)" }
                }
                try await gate.arrived(100)
                await gate.open()
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func stoppingLetsWhatRunsFinish() async throws {
        let gate = Gate()
        let server = Server(listening: [.loopback(port: 0)]) { _ in
            await gate.pass()
            return .text("done")
        }
        try server.start()
        let wire = try Wire(port: server.port)
        try await wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        try await gate.arrived(1)
        async let stopped: Void = server.stop(grace: .seconds(60))
        await gate.open()
        #expect(try await wire.readAnswer().body == "done")
        await stopped
        #expect(try await wire.readToEnd() == "")
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf",
    ])
    func stoppingCancelsWhatDoesNotFinish(request: String) async throws {
        let gate = Gate()
        let (cancellations, report) = AsyncStream.makeStream(of: Bool.self)
        let server = Server(listening: [.loopback(port: 0)]) { request in
            async let arrived: Void = gate.pass()
            _ = try? await request.body.collect(limit: 100)
            try? await Task.sleep(for: .seconds(3600))
            report.yield(Task.isCancelled)
            await arrived
            return .text("too late")
        }
        try server.start()
        await gate.open()
        let wire = try Wire(port: server.port)
        try await wire.send(request)
        try await gate.arrived(1)
        await server.stop(grace: .zero)
        #expect(try await cancellations.first("the handler is cancelled"))
        #expect(try await wire.readToEnd() == "")
    }

    @Test func aStreamThatIsNotReadEndsWithTheServer() async throws {
        let gate = Gate()
        await gate.open()
        let server = Server(listening: [.loopback(port: 0)]) { _ in
            Response(
                status: 200,
                body: .stream(length: nil) {
                    await gate.pass()
                    return Array(repeating: 0, count: 100_000)
                })
        }
        try server.start()
        let wire = try Wire(port: server.port)
        try await wire.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        try await gate.arrived(10)
        await server.stop(grace: .zero)
        #expect(try await wire.readToEnd().isEmpty == false)
    }

    @Test func nothingIsAcceptedAfterStopping() async throws {
        let server = Server(listening: [.loopback(port: 0)]) { _ in .text("") }
        try server.start()
        let port = server.port
        let idle = try Wire(port: port)
        #expect(try await idle.get("/").status == 200)
        await server.stop()
        #expect(try await idle.readToEnd() == "")
        #expect(throws: Wire.Failed(call: "connect")) { try Wire(port: port) }
        await server.stop()
    }

    @Test func stoppingWhileConnectionsComeHarmsNone() async throws {
        for _ in 1...50 {
            let server = Server(listening: [.loopback(port: 0)]) { _ in .text("") }
            try server.start()
            let port = server.port
            async let answers: Void = withDiscardingTaskGroup { group in
                // Late connections are cut or refused.
                for _ in 1...4 { group.addTask { _ = try? await Wire(port: port).get("/") } }
            }
            await server.stop()
            await answers
            #expect(throws: Wire.Failed(call: "connect")) { try Wire(port: port) }
        }
    }

    @Test func aPortInUseIsAnError() async throws {
        try await serving({ _ in .text("") }) { server in
            let port = try #require(server.port)
            let second = Server(listening: [.loopback(port: 0), .loopback(port: port)]) { _ in .text("") }
            let failure = #expect(throws: SystemError.self) { try second.start() }
            #expect(failure?.code == EADDRINUSE)
            #expect(second.port == nil)
        }
    }

    @Test(arguments: [10, 107, 108, 200])
    func aSocketFileIsServedWhateverTheLengthOfItsPath(length: Int) async throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let filler = max(1, length - folder.path.bytes.count - 6)
        let deep = folder.path.appending(String(repeating: "d", count: filler))
        try Directory.create(at: deep)
        let path = deep.appending("sock")
        // The second round finds the socket file that a killed server would leave.
        for _ in 1...2 {
            let server = Server(listening: [.unix(path)]) { .text($0.target) }
            try server.start()
            #expect(try await Wire(path: path).get("/here").body == "/here")
            #expect(try FileFacts(of: path).mode == 0o600)
            await server.stop()
            #expect(try FileFacts.existing(path) == nil)
            _ = try ListeningSocket(.unix(path))
        }
    }

    @Test func everyExchangeIsLoggedOnce() async throws {
        let (summaries, report) = AsyncStream.makeStream(of: ExchangeSummary.self)
        try await serving(
            log: { report.yield($0) },
            { request in
                request.path == "/drop" ? .dropped : await ServerRequestTests.echo(request)
            }
        ) { server in
            let wire = try Wire(port: server.port)
            _ = try await wire.post("/up?x=%20", "hello")
            _ = try await wire.get("/down", method: "HEAD")
            try await wire.send("GET /drop HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await wire.readToEnd()
        }
        report.finish()
        var lines: [String] = []
        for await one in summaries {
            lines.append("\(one.method) \(one.target) \(one.status) \(one.received) \(one.sent) \(one.isComplete)")
        }
        #expect(lines == ["POST /up?x=%20 200 5 7 true", "HEAD /down 200 0 0 true", "GET /drop 0 0 0 false"])
    }
}

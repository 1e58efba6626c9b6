import Glibc
import Platform
import TestSupport
import Testing
import Transfer

/// Each timeout ends a request that would otherwise never end; how soon is not asserted.
@Suite struct TimeoutTests {
    let client = HTTPClient()

    /// Longer than a busy machine needs to connect and to begin an answer, which precede the timeout.
    private static let enough = Duration.seconds(5)

    private func failure(_ request: HTTPRequest) async throws -> TransferError {
        let error = await #expect(throws: TransferError.self) {
            try await withLimit("the timeout ends the request") { try await client.send(request) }
        }
        return try #require(error)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var timeouts = Timeouts(idle: enough)
        let serve: @Sendable (RawConnection) -> Void
    }

    @Test(arguments: [
        Row(testDescription: "a silent server") { $0.stall() },
        Row(testDescription: "one that stops in its head") {
            _ = $0.head()
            $0.write("HTTP/1.1 200 OK\r\nContent-Le")
            $0.stall()
        },
        Row(testDescription: "one that stops in the middle") {
            _ = $0.head()
            $0.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            $0.stall()
        },
        Row(testDescription: "one that still moves when the total is over", timeouts: Timeouts(total: enough)) {
            _ = $0.head()
            $0.write("HTTP/1.1 200 OK\r\n\r\n")
            $0.writeForEver()
        },
    ])
    func aServerThatEndsNothingIsLeft(_ row: Row) async throws {
        let server = try RawServer(row.serve)
        let answer = AnswerSink.file(try OpenFile(creating: "/dev/null"))
        var request = HTTPRequest(.post, server.url, body: .bytes([1]), answer: answer)
        request.timeouts = row.timeouts
        let error = try await failure(request)
        #expect(error.kind == .timedOut)
        #expect(error.mayHaveArrived)
    }

    @Test func aRefusalThatStopsInTheMiddleIsARefusal() async throws {
        let server = try RawServer { connection in
            _ = connection.head()
            connection.write("HTTP/1.1 500 Oh\r\nContent-Length: 10\r\n\r\nabc")
            connection.stall()
        }
        var request = HTTPRequest(.get, server.url)
        request.timeouts = Timeouts(idle: Self.enough)
        let answer = try await client.send(request)
        #expect(answer.status == 500)
        #expect(answer.isTruncated)
    }

    @Test(arguments: [
        Timeouts(connect: .milliseconds(100), idle: nil), Timeouts(connect: nil, idle: .milliseconds(100)),
        Timeouts(connect: nil, idle: nil, total: .milliseconds(100)),
    ])
    func aFullDoorIsLeft(timeouts: Timeouts) async throws {
        let door = try ClosedDoor()
        var request = HTTPRequest(.get, "http://127.0.0.1:\(door.port)/")
        request.timeouts = timeouts
        let error = try await failure(request)
        #expect(error.kind == .unreachable)
        #expect(!error.mayHaveArrived)
    }

    @Test func withoutTimeoutsAPatientRequestWaits() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        var request = HTTPRequest(.get, server.url)
        request.timeouts = Timeouts(connect: nil, idle: nil, total: nil)
        let answer = try await withLimit("the request is answered") { [request] in try await client.send(request) }
        #expect(answer.status == 200)
    }
}

/// A listener whose queue is full, so that a further connection is neither made nor refused.
private final class ClosedDoor {
    let port: UInt16
    private let sockets: [Int32]

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let waiting = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try #require(bind(listener, address, size) == 0 && listen(listener, 0) == 0)
                getsockname(listener, address, &size)
                return (0..<2).map { _ in
                    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                    _ = connect(client, address, size)
                    return client
                }
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        sockets = waiting + [listener]
    }

    deinit { sockets.forEach { close($0) } }
}

extension RawConnection {
    /// Writes until the peer is gone.
    fileprivate func writeForEver() {
        while write([UInt8](repeating: 1, count: 1024)) {}
    }
}

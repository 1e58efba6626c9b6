import Glibc
import Platform
import TestSupport
import Testing
import Transfer

/// Why there may be no answer, and whether the request may have arrived.
@Suite struct FailureTests {
    let client = HTTPClient()

    private func failure(_ request: HTTPRequest) async throws -> TransferError {
        let error = await #expect(throws: TransferError.self) { try await client.send(request) }
        return try #require(error)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var scheme = "http"
        /// Bytes of the body.
        var size = 1
        /// What the server does with a connection; `nil` where none listens.
        let serve: (@Sendable (RawConnection) -> Void)?
        let kind: TransferError.Kind
        let mayHaveArrived: Bool
    }

    @Test(arguments: [
        Row(testDescription: "nothing listens", serve: nil, kind: .unreachable, mayHaveArrived: false),
        Row(
            testDescription: "the server speaks no TLS", scheme: "https",
            serve: {
                $0.write("HTTP/1.1 400 Plain\r\n\r\n")
                $0.stall()
            }, kind: .secure, mayHaveArrived: false),
        Row(
            testDescription: "the server ends before TLS began", scheme: "https", serve: { $0.close() },
            kind: .secure, mayHaveArrived: false),
        Row(
            testDescription: "the server says nothing", serve: { _ = $0.head() }, kind: .lost, mayHaveArrived: true),
        Row(
            testDescription: "the server speaks no HTTP",
            serve: {
                _ = $0.head()
                $0.write("nonsense\r\n\r\n")
            }, kind: .lost, mayHaveArrived: true),
        Row(
            testDescription: "the server says the half of a line",
            serve: {
                _ = $0.head()
                $0.write("HTTP/1.1 ")
            }, kind: .lost, mayHaveArrived: true),
        Row(
            testDescription: "the connection breaks while sending", size: 8 << 20,
            serve: {
                _ = $0.head()
                _ = $0.body(100_000)
                $0.reset()
            }, kind: .lost, mayHaveArrived: true),
    ])
    func noAnswerComes(_ row: Row) async throws {
        let server = try RawServer(row.serve ?? { $0.stall() })
        if row.serve == nil { server.stop() }
        let body = HTTPBody.bytes([UInt8](repeating: 1, count: row.size))
        let error = try await failure(HTTPRequest(.put, "\(row.scheme)://127.0.0.1:\(server.port)/", body: body))
        #expect(error.kind == row.kind)
        #expect(error.mayHaveArrived == row.mayHaveArrived)
    }

    @Test(arguments: ["/nowhere/socket", FilePath("/nowhere/" + String(repeating: "x", count: 200)), "/dev/null"])
    func thereIsNoSocket(path: FilePath) async throws {
        var request = HTTPRequest(.get, "http://localhost/")
        request.unixSocket = path
        let error = try await failure(request)
        #expect(error.kind == .unreachable)
        #expect(!error.mayHaveArrived)
    }

    @Test(.enabled(if: StrangerServer.isPossible)) func theCertificateIsAStrangers() async throws {
        try await StrangerServer.with { server in
            let error = try await failure(HTTPRequest(.post, server.url + "/secret?token=1", body: .bytes([1])))
            #expect(error.kind == .untrusted)
            #expect(!error.mayHaveArrived)
            #expect(error.message.hasPrefix("The certificate of \(server.url) is not trusted: "))
            #expect(!error.message.contains("secret"))
        }
    }

    @Test(arguments: [(0, 11), (4, 7), (9, 2), (10, 1), (11, 1)])
    func theFileEndsEarly(offset: Int64, length: Int64) async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        try await FileTree(["f": "0123456789"]).withDirectory { directory in
            let file = try OpenFile(reading: directory.appending("f"))
            let body = HTTPBody.file(file, offset: offset, length: length)
            #expect(try await failure(HTTPRequest(.put, server.url, body: body)).kind == .sourceShrank)
        }
    }

    struct LocalFailure: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: @Sendable () throws -> OpenFile
        var isAnswer = true
        let code: Int32
    }

    @Test(arguments: [
        LocalFailure(
            testDescription: "the file cannot be read", file: { try OpenFile(reading: "/") }, isAnswer: false,
            code: EISDIR),
        LocalFailure(
            testDescription: "the disk of the answer is full", file: { try OpenFile(creating: "/dev/full") },
            code: ENOSPC),
        LocalFailure(
            testDescription: "the answer cannot be written", file: { try OpenFile(reading: "/dev/null") }, code: EBADF),
    ])
    func thisComputerRefuses(_ row: LocalFailure) async throws {
        let server = try RawServer { $0.serve(answering: 200, "hello") }
        let file = try row.file()
        let request =
            row.isAnswer
            ? HTTPRequest(.get, server.url, answer: .file(file))
            : HTTPRequest(.put, server.url, body: .file(file, offset: 0, length: 7))
        let error = try await failure(request)
        guard case .local(let reason) = error.kind else { throw error }
        #expect(reason.code == row.code)
    }

    @Test func messagesNameNoSecret() async throws {
        let server = try RawServer { $0.reset() }
        let request = HTTPRequest(.get, server.url, headers: ["authorization": "Bearer s3cret"])
        #expect(!"\(try await failure(request))".contains("s3cret"))
    }
}

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

    @Test func nothingListens() async throws {
        let server = try RawServer { $0.stall() }
        let url = server.url
        server.stop()
        let error = try await failure(HTTPRequest(.post, url, body: .bytes([1])))
        #expect(error.kind == .unreachable)
        #expect(!error.mayHaveArrived)
    }

    @Test func thereIsNoSocket() async throws {
        var request = HTTPRequest(.get, "http://localhost/")
        for path: FilePath in ["/nowhere/socket", FilePath("/nowhere/" + String(repeating: "x", count: 200))] {
            request.unixSocket = path
            let error = try await failure(request)
            #expect(error.kind == .unreachable)
            #expect(!error.mayHaveArrived)
        }
    }

    @Test func theServerSpeaksNoTLS() async throws {
        let server = try RawServer { connection in
            connection.write("HTTP/1.1 400 Plain\r\n\r\n")
            connection.stall()
        }
        let error = try await failure(HTTPRequest(.get, "https://127.0.0.1:\(server.port)/"))
        #expect(error.kind == .secure)
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

    @Test(arguments: ["", "nonsense\r\n\r\n", "HTTP/1.1 "])
    func theServerSpeaksNoHTTP(answer: String) async throws {
        let server = try RawServer { connection in
            _ = connection.head()
            connection.write(answer)
        }
        let error = try await failure(HTTPRequest(.post, server.url, body: .bytes([1])))
        #expect(error.kind == .lost)
        #expect(error.mayHaveArrived)
    }

    @Test func theConnectionBreaksWhileSending() async throws {
        let server = try RawServer { connection in
            _ = connection.head()
            _ = connection.body(100_000)
            connection.reset()
        }
        let error = try await failure(
            HTTPRequest(.put, server.url, body: .bytes([UInt8](repeating: 1, count: 8 << 20))))
        #expect(error.kind == .lost)
        #expect(error.mayHaveArrived)
    }

    @Test func theFileEndsEarly() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        try await FileTree(["f": "0123456789"]).withDirectory { directory in
            let file = try OpenFile(reading: directory.appending("f"))
            let error = try await failure(HTTPRequest(.put, server.url, body: .file(file, offset: 4, length: 7)))
            #expect(error.kind == .sourceShrank)
        }
    }

    @Test func theFileCannotBeRead() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        let directory = try OpenFile(reading: "/")
        let error = try await failure(HTTPRequest(.put, server.url, body: .file(directory, offset: 0, length: 7)))
        guard case .local(let reason) = error.kind else { throw error }
        #expect(reason.code == EISDIR)
    }

    @Test func theAnswerCannotBeWritten() async throws {
        let server = try RawServer { $0.serve(answering: 200, "hello") }
        let full = try OpenFile(creating: "/dev/full")
        let readOnly = try OpenFile(reading: "/dev/null")
        for (file, code) in [(full, ENOSPC), (readOnly, EBADF)] {
            let error = try await failure(HTTPRequest(.get, server.url, answer: .file(file)))
            guard case .local(let reason) = error.kind else { throw error }
            #expect(reason.code == code)
        }
    }

    @Test func messagesNameNoSecret() async throws {
        let server = try RawServer { $0.reset() }
        let request = HTTPRequest(.get, server.url, headers: ["authorization": "Bearer s3cret"])
        #expect(!"\(try await failure(request))".contains("s3cret"))
    }
}

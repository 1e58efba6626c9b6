import FoundationEssentials
import Platform
import Serving
import TestSupport
import Testing
import Transfer

@testable import ObjectStore
@testable import StorageServer

@Suite struct StorageServerTests {
    /// Calls `body` with a running server on a fresh folder and a client of it.
    private func serving(
        secret: String? = nil, faults: (@Sendable (Request) async -> Fault?)? = nil,
        _ body: (Running) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let running = try Running(folder: directory.path, secret: secret, faults: faults)
        do {
            try await body(running)
        } catch {
            await running.server.stop()
            throw error
        }
        await running.server.stop()
    }

    @Test func anObjectGoesInAndComesOutOverTheNetwork() async throws {
        try await serving { running in
            try await running.makeBucket()
            let bytes = Randomness.bytes(3_000_000)
            let stored = try await running.send("POST", "/object/b/a%20b", body: bytes)
            #expect(stored.status == 200)
            for prefix in ["", "/storage/v1"] {
                let got = try await running.send("GET", "\(prefix)/object/b/a%20b", limit: 4 << 20)
                #expect(got.body == bytes)
            }
            let head = try await running.send("HEAD", "/object/b/a%20b")
            #expect(head.headers["content-length"] == "3000000")
            #expect(head.body.isEmpty)
        }
    }

    @Test func theSocketServesTheSame() async throws {
        try await serving { running in
            try await running.makeBucket()
            let answer = try await running.send("GET", "/bucket/b", through: running.server.socket)
            #expect(answer.status == 200)
            #expect(try FileFacts(of: running.server.socket).mode == 0o600)
        }
    }

    @Test func aFolderHasOneServer() async throws {
        try await serving { running in
            let failure = #expect(throws: StorageFolderInUse.self) { try StorageServer(folder: running.folder) }
            #expect(failure?.description == "\(running.folder): in use by process \(Host.processID)")
        }
    }

    @Test func theFolderKeepsItsSecretAndTheKeysStay() async throws {
        try await serving { running in
            let secret = try running.text("secret")
            #expect(secret.count == 64)
            #expect(try running.text("service.key") == running.server.serviceKey)
            #expect(try running.text("anon.key") == running.server.anonKey)
            for name in ["secret", "service.key", "anon.key", "index.sqlite", "requests.jsonl", "lock"] {
                #expect(try FileFacts(of: running.folder.appending(name)).mode & 0o077 == 0)
            }
            let claims = try Token(secret: secret).claims(of: running.server.anonKey, now: 4_000_000_000)
            #expect(claims["role"] == "anon")
        }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let keys = try (1...2).map { _ in try StorageServer(folder: directory.path).serviceKey }
        #expect(keys[0] == keys[1])
    }

    @Test func aGivenSecretIsNotKept() async throws {
        let secret = String(repeating: "given", count: 7)
        try await serving(secret: secret) { running in
            #expect(try FileFacts.existing(running.folder.appending("secret")) == nil)
            #expect(try Token(secret: secret).claims(of: running.server.serviceKey, now: 0)["role"] == "service_role")
            try await running.makeBucket()
        }
    }

    @Test func whatWasStoredIsThereAfterARestart() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let running = try Running(folder: directory.path)
        try await running.makeBucket()
        _ = try await running.send("POST", "/object/b/a", body: [1, 2, 3])
        await running.server.stop()
        let again = try Running(folder: directory.path)
        #expect(try await again.send("GET", "/object/b/a").body == [1, 2, 3])
        await again.server.stop()
    }

    @Test func everyRequestIsALineOfTheLog() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let running = try Running(folder: directory.path)
        try await running.makeBucket()
        _ = try await running.send("POST", "/object/b/a", body: [1, 2, 3])
        _ = try await running.send("GET", "/object/b/a")
        _ = try await running.send("GET", "/object/sign/b/a?token=secret&download=")
        await running.server.stop()
        let lines = try running.text("requests.jsonl").split(separator: "\n").compactMap {
            JSON(parsing: Array($0.utf8))
        }
        let said = lines.map { line in
            ["method", "path", "status", "bytesIn", "bytesOut"].map { line[$0]?.rendered ?? "-" }.joined(separator: " ")
        }
        #expect(
            said == [
                #""POST" "/bucket" 200 12 12"#, #""POST" "/object/b/a" 200 3 57"#, #""GET" "/object/b/a" 200 0 3"#,
                #""GET" "/object/sign/b/a?token=…&download=" 400 0 93"#,
            ])
        #expect(lines.allSatisfy { $0["at"]?.string.flatMap(ServerTime.milliseconds(iso8601:)) != nil })
    }

    /// The agent is killed or the server stopped in the middle of an upload.
    @Test func stoppingInTheMiddleOfAnUploadStoresNothing() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let running = try Running(folder: directory.path) { request in
            if request.method == "PUT" { arrived.yield() }
            return nil
        }
        try await running.makeBucket()
        // Slow enough to be still running when the server stops.
        async let upload: Bool = {
            let bytes = [UInt8](repeating: 1, count: 1 << 20)
            return (try? await running.send("PUT", "/object/b/a", body: bytes, sendLimit: 1 << 10)) != nil
        }()
        try await arrivals.first("the request arrives")
        await running.server.stop(grace: .zero)
        #expect(await !upload)
        let again = try Running(folder: directory.path)
        let list = try await again.send("POST", "/object/list-v2/b", body: Array("{}".utf8))
        #expect(list.json["objects"] == [])
        let objects = try Directory(directory.path.appending("objects"))
        for part in try objects.names() where part.bytes.count == 2 {
            #expect(try objects.open(directory: part).names().isEmpty)
        }
        await again.server.stop()
    }

    @Test func anUploadHasTheLifetimeItIsGiven() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let running = try Running(folder: directory.path, uploadLifetime: .zero)
        try await running.makeBucket()
        let metadata = "bucketName \(Data("b".utf8).base64EncodedString()),objectName YQ=="
        let created = try await running.send(
            "POST", "/storage/v1/upload/resumable", body: [],
            ["Tus-Resumable": "1.0.0", "Upload-Length": "3", "Upload-Metadata": metadata])
        #expect(created.status == 201)
        let location = try #require(created.headers["location"])
        let path = try #require(location.firstRange(of: "/storage/v1/").map { String(location[$0.lowerBound...]) })
        #expect(try await running.send("HEAD", path, ["Tus-Resumable": "1.0.0"]).status == 410)
        await running.server.stop()
    }

    @Test func usersGivenToTheServerSignIn() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let users = [StorageUser(email: "a@b.c", password: "p", id: "u")]
        for _ in 1...2 {
            let running = try Running(folder: directory.path, signIns: SignInRules(users: users))
            let answer = try await running.send(
                "POST", "/auth/v1/token?grant_type=password", body: Array(#"{"email":"a@b.c","password":"p"}"#.utf8))
            #expect(answer.json["user"]?["id"] == "u")
            await running.server.stop()
        }
    }

    // MARK: Faults

    @Test func aFaultAnswersInsteadAndHasNoEffect() async throws {
        try await serving(faults: Self.once { .unavailable(retryAfter: 7) }) { running in
            let refused = try await running.send("POST", "/bucket", body: Running.bucket)
            #expect(refused.status == 503)
            #expect(refused.headers["retry-after"] == "7")
            try await running.makeBucket()
        }
    }

    @Test(arguments: [0, 10])
    func aFaultDropsTheConnectionAndHasNoEffect(bytes: Int) async throws {
        try await serving(faults: Self.once { .drop(afterReading: bytes) }) { running in
            await #expect(throws: TransferError.self) {
                try await running.send("POST", "/bucket", body: Running.bucket)
            }
            try await running.makeBucket()
        }
    }

    @Test(arguments: [0, 5])
    func aFaultLosesTheAnswerOfWhatHappened(bytes: Int) async throws {
        try await serving(faults: Self.once { .cutAnswer(after: bytes) }) { running in
            await #expect(throws: TransferError.self) {
                try await running.send("POST", "/bucket", body: Running.bucket)
            }
            let shown = try await running.send("GET", "/bucket/b")
            #expect(shown.status == 200)
        }
    }

    @Test func aFaultMisreportsSizes() async throws {
        try await serving(faults: { $0.path.contains("/info/") ? .misreportSize(by: -1) : nil }) { running in
            try await running.makeBucket()
            _ = try await running.send("POST", "/object/b/a", body: [1, 2, 3])
            #expect(try await running.send("GET", "/object/info/b/a").json["size"] == 2)
            #expect(try await running.send("GET", "/object/b/a").body == [1, 2, 3])
        }
    }

    /// The first request gets `fault`, the others none.
    private static func once(_ fault: @escaping @Sendable () -> Fault) -> @Sendable (Request) async -> Fault? {
        let isUsed = Shared(false)
        return { _ in
            let isFirst = isUsed.change { used in
                defer { used = true }
                return !used
            }
            return isFirst ? fault() : nil
        }
    }
}

/// A started server and a client with its service key.
private struct Running {
    let server: StorageServer
    let folder: FilePath
    private let client = HTTPClient()

    static let bucket = Array(#"{"name":"b"}"#.utf8)

    init(
        folder: FilePath, secret: String? = nil, signIns: SignInRules = SignInRules(),
        uploadLifetime: Duration = .seconds(3600), faults: (@Sendable (Request) async -> Fault?)? = nil
    ) throws {
        self.folder = folder
        server = try StorageServer(
            folder: folder, secret: secret, signIns: signIns, uploadLifetime: uploadLifetime, faults: faults)
        try server.start()
    }

    struct Reply {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
        var json: JSON { JSON(parsing: body) ?? .null }
    }

    func send(
        _ method: String, _ target: String, body: [UInt8]? = nil, _ headers: HTTPHeaders = [:],
        through socket: FilePath? = nil, limit: Int = 1 << 20,
        sendLimit: Int? = nil
    ) async throws -> Reply {
        var request = HTTPRequest(HTTPMethod(rawValue: method), "http://127.0.0.1:\(server.port ?? 0)\(target)")
        request.headers = ["Authorization": "Bearer \(server.serviceKey)"]
        if let body {
            request.body = .bytes(body)
            request.headers["Content-Type"] = "application/json"
        }
        for field in headers.fields { request.headers[field.name] = field.value }
        request.unixSocket = socket
        request.sendLimit = sendLimit
        request.answer = .memory(limit: limit)
        let response = try await client.send(request)
        return Reply(status: response.status, headers: response.headers, body: response.body)
    }

    func makeBucket() async throws {
        #expect(try await send("POST", "/bucket", body: Self.bucket).status == 200)
    }

    func text(_ name: String) throws -> String {
        let bytes = try OpenFile(reading: folder.appending(name)).readAll()
        return String(decoding: bytes, as: UTF8.self).trimmed
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed()) }
}

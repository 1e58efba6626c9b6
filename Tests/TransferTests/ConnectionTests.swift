import Glibc
import Platform
import TestSupport
import Testing
import Transfer

@Suite struct ConnectionTests {
    let client = HTTPClient()

    @Test func requestsOneAfterAnotherShareAConnection() async throws {
        let server = try RawServer { $0.serve(answering: 200, "ok") }
        for size in [0, 1, 100_000, 1] {
            _ = try await client.send(HTTPRequest(.post, server.url, body: .bytes([UInt8](repeating: 1, count: size))))
            _ = try await client.send(HTTPRequest(.get, server.url))
            _ = try await client.send(HTTPRequest(.head, server.url))
        }
        #expect(server.connectionCount == 1)
    }

    @Test func atOnceNoMoreConnectionsThanRequests() async throws {
        let server = try RawServer { $0.serve(answering: 200, "ok") }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<49 { _ = try await client.send(HTTPRequest(.get, server.url)) }
                    return try await client.send(HTTPRequest(.get, server.url)).status
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.connectionCount <= 8)
    }

    /// The connection seems alive, but the server resets it at the next request.
    @Test(arguments: [0, 1, 8 << 20])
    func aConnectionThatHadGoneStaleIsReplaced(size: Int) async throws {
        try await FileTree(["f": .file([UInt8](repeating: 7, count: size))]).withDirectory { directory in
            let file = try OpenFile(reading: directory.appending("f"))
            for _ in 0..<20 {
                let server = try RawServer { connection in
                    guard connection.number == 0 else { return connection.serve(answering: 200) }
                    guard let head = connection.head() else { return }
                    _ = connection.body(head.contentLength)
                    connection.answer()
                    _ = connection.head()
                    connection.reset()
                }
                for _ in 0..<2 {
                    let observer = RecordingObserver()
                    let body = HTTPBody.file(file, offset: 0, length: Int64(size), observer: observer)
                    #expect(try await client.send(HTTPRequest(.post, server.url, body: body)).status == 200)
                    #expect(observer.bytes.count == size)
                }
                #expect(server.connectionCount == 2)
            }
        }
    }

    /// The server acts on each POST and closes the connection without an answer.
    @Test(arguments: [true, false])
    func whatCostsIsSentOnce(isOnce: Bool) async throws {
        let acted = Shared(0)
        let server = try RawServer { connection in
            while let head = connection.head(), head.method == "GET" { connection.answer() }
            acted.change { $0 += 1 }
            connection.close()
        }
        _ = try await client.send(HTTPRequest(.get, server.url))
        var request = HTTPRequest(.post, server.url)
        request.isOnce = isOnce
        let error = await #expect(throws: TransferError.self) { try await client.send(request) }
        #expect(error?.kind == .lost)
        #expect(error?.mayHaveArrived == true)
        // Without the option curl repeats the request, which is why the option exists.
        #expect(acted.value == (isOnce ? 1 : 2))
    }

    @Test(arguments: [1, 107, 108, 300])
    func aUnixSocketIsReachedHoweverLongItsPath(length: Int) async throws {
        try await FileTree().withDirectory { directory in
            let here = directory.appending("s")
            let server = try RawServer(unix: here) { $0.serve(answering: 200, "hello") }
            let path = try longer(here, than: length)
            var request = HTTPRequest(.get, "http://localhost/status")
            request.unixSocket = path
            for _ in 0..<3 { #expect(try await client.send(request).body == Array("hello".utf8)) }
            #expect(server.connectionCount == 1)
        }
    }

    /// As where the folder of a storage was put aside, and another one took its place, while an agent goes on.
    @Test func aSocketIsReachedThoughItsLongDirectoryIsAnotherOneNow() async throws {
        try await FileTree().withDirectory { directory in
            let long = FilePath(Array(repeating: String(repeating: "d", count: 50), count: 3).joined(separator: "/"))
            var request = HTTPRequest(.get, "http://localhost/")
            request.unixSocket = directory.appending(long).appending("s")
            for name in ["first", "second", "third"] {
                let here = directory.appending(FilePath(name))
                let server = try RawServer(unix: here) { $0.serve(answering: 200, name) }
                defer { server.stop() }
                try Directory(directory).createDirectories(long)
                try Directory(directory.appending(long)).createLink("s", to: here)
                for _ in 0..<2 { #expect(try await client.send(request).body == Array(name.utf8)) }
                try Directory(directory).rename(FilePath(bytes: long.components[0]), to: FilePath("aside-of-" + name))
            }
        }
    }

    @Test func socketsAreToldApart() async throws {
        try await FileTree().withDirectory { directory in
            let servers = try ["a", "b"].map { name in
                try RawServer(unix: directory.appending(name)) { $0.serve(answering: 200, name) }
            }
            for name in ["a", "b", "a"] {
                var request = HTTPRequest(.get, "http://localhost/")
                request.unixSocket = directory.appending(name)
                #expect(try await client.send(request).body == Array(name.utf8))
            }
            #expect(servers.map(\.connectionCount) == [1, 1])
        }
    }

    @Test func aConnectionIsNotPassedToOtherPrograms() async throws {
        let server = try RawServer { $0.serve(answering: 200) }
        _ = try await client.send(HTTPRequest(.get, server.url))
        let connected = (0..<65_536).filter { peerPort(of: $0) == server.port }
        #expect(connected.count == 1)
        #expect(connected.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    }

    /// The port on the other side of a connected descriptor.
    private func peerPort(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        return code == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// A path of at least `length` bytes to what `path` names.
    private func longer(_ path: FilePath, than length: Int) throws -> FilePath {
        var directory = path.parent
        while directory.bytes.count < length {
            let name = FilePath(String(repeating: "d", count: 50))
            try Directory(directory).createDirectories(name)
            directory = directory.appending(name)
        }
        guard directory != path.parent else { return path }
        try Directory(directory).createLink(FilePath(bytes: path.name), to: path)
        return directory.appending(path.name)
    }
}

import Platform
package import Serving
package import StorageServer
package import Supabase
package import TestSupport
import Testing
import Transfer

/// The embedded server with a bucket `media`, and a client of it, over real connections.
package enum StoringServer {
    /// Calls `body` with a client of a server that holds `things`, and with the requests it has seen.
    package static func with(
        _ things: [StoredThing], faults: @escaping @Sendable (Request) -> Fault? = { _ in nil },
        _ body: (StorageClient, Shared<[String]>) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder throws in
            let requests = Shared<[String]>([])
            let isReady = Shared(false)
            let server = try StorageServer(folder: folder) { request in
                guard isReady.value else { return nil }
                requests.change { $0.append("\(request.method) \(request.target) \(request.headers["range"] ?? "")") }
                return faults(request)
            }
            try server.start()
            let transport = HTTPClient()
            let port = try #require(server.port)
            let client = StorageClient(
                endpoint: StorageEndpoint(base: "http://127.0.0.1:\(port)/storage/v1"),
                credentials: StorageCredentials(key: server.serviceKey), transport: transport)
            try await client.createBucket("media")
            for thing in things {
                _ = try await client.upload(
                    .bytes(thing.bytes), bucket: "media", key: thing.key, contentType: "image/jpeg",
                    metadata: thing.metadata ?? [:])
            }
            isReady.change { $0 = true }
            try await body(client, requests)
            transport.close()
            await server.stop()
        }
    }
}

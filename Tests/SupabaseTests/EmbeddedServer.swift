import Foundation
import Platform
import Serving
import StorageServer
import TestSupport
import Testing
import Transfer

@testable import Supabase

/// An embedded server in a fresh folder, with a private bucket `b` and one user.
struct EmbeddedServer {
    static let user = StorageUser(email: "ada@x", password: "p", id: "317eadce-631a-4429-a0bb-f19a7a517b4a")
    let server: StorageServer
    let folder: FilePath
    let client: StorageClient
    let transport = HTTPClient()

    /// The faults of the next requests, in order; `nil` lets one pass.
    typealias Faults = Shared<[Fault?]>

    /// Runs `body` with a server whose requests of method `method` meet `faults` in turn.
    static func run(
        faults: Faults = Faults([]), of method: String = "PATCH", _ body: (EmbeddedServer) async throws -> Void
    ) async throws {
        try await FileTree().withDirectory { folder in
            let server = try StorageServer(folder: folder.appending("data"), signIns: SignInRules(users: [user])) {
                request in
                guard request.method == method else { return nil }
                return faults.change { $0.isEmpty ? nil : $0.removeFirst() }
            }
            try server.start()
            let embedded = EmbeddedServer(server, folder, port: try #require(server.port))
            try await embedded.client.createBucket("b", BucketSettings(fileSizeLimit: 100_000))
            try await body(embedded)
            embedded.transport.close()
            await server.stop()
        }
    }

    private let url: String

    private init(_ server: StorageServer, _ folder: FilePath, port: UInt16) {
        self.server = server
        self.folder = folder
        url = "http://127.0.0.1:\(port)"
        client = StorageClient(
            endpoint: StorageEndpoint(base: "\(url)/storage/v1"),
            credentials: StorageCredentials(key: server.serviceKey), transport: transport)
    }

    var auth: AuthClient {
        AuthClient(base: "\(url)/auth/v1", apiKey: server.anonKey, transport: transport) { Date() }
    }

    /// A client with the credentials of `source`.
    func client(_ source: @escaping CredentialsSource) -> StorageClient {
        StorageClient(endpoint: client.endpoint, transport: transport, credentials: source)
    }

    /// Random-looking bytes, and a file that holds them.
    func file(_ count: Int) throws -> (bytes: [UInt8], file: OpenFile) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let path = folder.appending("file")
        try OpenFile(creating: path).append(bytes)
        return (bytes, try OpenFile(reading: path))
    }

    /// Sends the rest of `upload` in chunks, asking for the offset whenever an answer is lost.
    func finish(
        _ upload: ResumableUpload, _ file: OpenFile, of length: Int64, by client: StorageClient? = nil,
        replacing: Bool = false, chunk: Int64 = 6000
    ) async throws -> ResumableUpload {
        let client = client ?? self.client
        var upload = upload
        while upload.offset < length {
            let count = min(chunk, length - upload.offset)
            do throws(ResumableError) {
                upload.offset =
                    try await client.send(upload, from: file, length: count, replacing: replacing).offset
            } catch {
                // A piece whose answer was lost may have been sent twice, and then refused once.
                guard error == .offsetConflict || error.isSilence else { throw error }
                upload.offset = try await client.progress(of: upload).offset
            }
        }
        return upload
    }
}

extension ResumableError {
    fileprivate var isSilence: Bool { if case .storage(.noAnswer) = self { true } else { false } }
}

import Configuration
import ObjectStore
import Platform
import Records
import StorageServer
import Supabase
import Transfer

/// The storage on this computer, served by another process that has its folder, or by this one once that has ended.
actor LocalStorage {
    private let folder: FilePath
    private let secret: String?
    private let isForReading: Bool
    /// Where it answers: the socket in its folder or, if no socket can be made there, a port.
    nonisolated let endpoint: StorageEndpoint
    private let tell: @Sendable ([String]) -> Void
    private var server: StorageServer?
    private var key: StorageCredentials
    private var isClosed = false

    /// Whether this process found the folder damaged, so that objects may be lost.
    let wasRepaired: Bool

    /// Serves `folder` unless another process does; passes to `tell` what the start found damaged and repaired.
    ///
    /// Throws `Refusal` if a person has to act first.
    ///
    /// - Parameter isForReading: Whether a folder that cannot be written, or whose disk is full, will do.
    init(
        _ folder: FilePath, in surroundings: Surroundings, isForReading: Bool,
        tell: @escaping @Sendable ([String]) -> Void
    ) throws {
        self.folder = folder
        self.isForReading = isForReading
        self.tell = tell
        secret = surroundings.environment["GALLERY_SYNC_JWT_SECRET"].flatMap { $0.isEmpty ? nil : $0 }
        (server, key) = try Self.serve(folder, secret, isForReading)
        if let server, server.isReadOnly {
            endpoint = StorageEndpoint(base: "http://127.0.0.1:\(server.port ?? 0)")
        } else {
            endpoint = StorageEndpoint(base: "http://this-computer", unixSocket: folder.appending("storage.sock"))
        }
        wasRepaired = server?.findings.isEmpty == false
        if let server { tell(server.findings) }
    }

    /// The source asked before each request: it takes over if the process that served the folder has ended.
    nonisolated var credentials: CredentialsSource {
        { _ throws(StorageError) in try await self.current() }
    }

    /// Stops the server if this process runs it, and takes over from no other process any more.
    func close() async {
        isClosed = true
        await server?.stop()
    }

    private func current() throws(StorageError) -> StorageCredentials {
        guard server == nil, !isClosed else { return key }
        do {
            guard try !StorageServer.isRunning(in: folder) else { return key }
            (server, key) = try Self.serve(folder, secret, isForReading)
            if let server { tell(server.findings) }
            return key
        } catch {
            throw .noAnswer(TransferError(.unreachable, "\(error)", mayHaveArrived: false))
        }
    }

    /// Free bytes that opening a database for writing needs; a command that only looks treats a disk with less as read-only.
    static let leastRoom: Int64 = 1 << 20

    /// Serves the folder, or uses the process that already serves it.
    private static func serve(
        _ folder: FilePath, _ secret: String?, _ isForReading: Bool
    ) throws -> (StorageServer?, StorageCredentials) {
        do {
            if !isForReading, let refusal = Directory.refusal(at: folder), !refusal.isMissing { throw refusal }
            let room = isForReading ? Self.leastRoom : 0
            let server = try StorageServer(folder: folder, secret: secret, room: room, listening: [])
            try server.start()
            return (server, StorageCredentials(key: server.serviceKey))
        } catch is StorageFolderInUse {
            let text = try OpenFile(reading: folder.appending("service.key")).readAll(limit: 1 << 16)
            let key = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
            return (nil, StorageCredentials(key: key))
        } catch {
            throw Refusal(storage: error, in: folder) ?? error
        }
    }
}

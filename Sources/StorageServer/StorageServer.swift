import Database
package import ObjectStore
package import Platform
package import Serving

/// An embedded server that speaks Supabase Storage's REST protocol over a local folder.
///
/// It answers below `/` and below `/storage/v1`, on the given addresses and on `storage.sock` in
/// its folder. A folder that cannot be written is served for reading, on a port, since no socket can be made there.
package final class StorageServer: Sendable {
    /// A token of the service role, which may do everything; secret.
    package let serviceKey: String
    /// A token of the anonymous role, which may read public buckets.
    package let anonKey: String
    private let folder: DataFolder
    /// Sentences about what the start found wrong and repaired; empty after a clean stop.
    package let findings: [String]
    private let depot: Depot
    private let faults: (@Sendable (Request) async -> Fault?)?
    /// `nil` in a folder that can only be read.
    private let log: RequestLog?
    private let server: Server

    /// Opens `path`, creating it; throws `StorageFolderInUse` while another process uses it.
    ///
    /// - Parameters:
    ///   - secret: The HS256 secret of all tokens; without one the folder's own is used.
    ///   - room: Bytes without which the folder is only read.
    ///   - addresses: Where to listen besides `storage.sock`.
    ///   - signIns: Who may sign in at `/auth/v1`; codes sent by e-mail are written to `outbox.jsonl`.
    ///   - uploadLifetime: How long after its creation a resumable upload can be continued.
    ///   - eTags: Which kind of storage the eTags imitate.
    ///   - faults: What goes wrong with a request, for tests, such as the `fault` of a `FaultPlan`.
    package convenience init(
        folder path: FilePath, secret: String? = nil, room: Int64 = 0,
        listening addresses: [Address] = [.loopback(port: 0)], signIns: SignInRules = SignInRules(),
        uploadLifetime: Duration = .seconds(24 * 60 * 60), eTags: ETagRule = .md5,
        faults: (@Sendable (Request) async -> Fault?)? = nil
    ) throws {
        try self.init(
            DataFolder(path, secret: secret, room: room), listening: addresses, signIns: signIns,
            uploadLifetime: uploadLifetime, eTags: eTags, faults: faults)
    }

    init(
        _ folder: DataFolder, listening addresses: [Address], signIns: SignInRules = SignInRules(),
        uploadLifetime: Duration = .seconds(24 * 60 * 60), eTags: ETagRule = .md5,
        faults: (@Sendable (Request) async -> Fault?)? = nil
    ) throws {
        let clock: @Sendable () -> Int64 = { FileTime.now.nanoseconds / 1_000_000 }
        let depot = try Depot(
            folder, signIns: signIns, uploadLifetime: uploadLifetime, eTags: eTags, clock: clock
        ) { path throws(SystemError) in
            try LocalDisk(directory: path)
        }
        let token = Token(secret: folder.secret)
        serviceKey = Self.key("service_role", signedBy: token)
        anonKey = Self.key("anon", signedBy: token)
        try folder.publish(service: serviceKey, anonymous: anonKey)
        let log = try folder.isReadOnly ? nil : RequestLog(folder.requestLog, clock: clock)
        self.folder = folder
        (self.depot, self.faults, findings) = (depot, faults, depot.findings)
        self.log = log
        server = Server(
            listening: folder.isReadOnly ? Self.readOnly(addresses) : addresses + [.unix(folder.socket)],
            log: { log?.note($0) },
            handler: { await depot.answer($0, with: faults?($0)) })
    }

    private static func readOnly(_ addresses: [Address]) -> [Address] {
        addresses.isEmpty ? [.loopback(port: 0)] : addresses
    }

    /// When the keys expire, in seconds since 1970: in the year 2100.
    private static let keyExpiry: Int64 = 4_102_444_800

    /// The same key at every start, so that the copies of clients stay valid.
    private static func key(_ role: String, signedBy token: Token) -> String {
        token.sign(["role": .text(role), "iss": "gallery-sync", "exp": .integer(keyExpiry)])
    }
}

extension StorageServer {
    /// Whether any process uses the folder at `path`, so that this one cannot.
    package static func isRunning(in path: FilePath) throws(SystemError) -> Bool { try DataFolder.isInUse(path) }

    /// Binds the addresses and serves them.
    package func start() throws(SystemError) {
        try server.start()
    }

    /// The answer to a request of this process, which no connection carries.
    package func answer(_ request: Request) async -> Response {
        await depot.answer(request, with: faults?(request))
    }

    /// The loopback port in use; `nil` before `start()`, and where no port is served.
    package var port: UInt16? { server.port }

    /// Whether its folder can only be read: then every change is refused, and nothing serves `socket`.
    package var isReadOnly: Bool { folder.isReadOnly }

    /// The socket file, which serves the same as the port.
    package var socket: FilePath { folder.socket }

    /// Waits up to `grace` for running requests, then cancels them, and writes the request log.
    ///
    /// Afterwards another server may use the folder. A stopped server cannot be started again.
    package func stop(grace: Duration = .seconds(5)) async {
        await server.stop(grace: grace)
        await log?.close()
        // Without the note of a clean stop, the next start searches the blobs itself, which finds the leftovers.
        if !depot.blobs.hasLeftovers { try? await depot.index.writer.noteClean() }
        folder.unlock()
    }
}

extension Depot {
    /// The depot of `folder`, whose index and blobs agree from now on.
    init(
        _ folder: DataFolder, signIns: SignInRules = SignInRules(),
        uploadLifetime: Duration = .seconds(24 * 60 * 60), eTags: ETagRule = .md5,
        clock: @escaping @Sendable () -> Int64, disk: @escaping Blobs.OpenDisk
    ) throws {
        blobs = try Blobs(root: folder.objects, disk: disk)
        if folder.isReadOnly {
            index = try DamagedIndex.naming(folder.path) { try Index(reading: folder.index, of: folder.path) }
            findings = ["\(folder.path.display) can only be read now, and nothing is written there."]
        } else {
            let newest = try NewestNote(in: blobs.root)
            let numbers: ChangeNumbers
            (numbers, findings) = try Self.settled(folder, blobs, newest, signIns.users, at: clock())
            index = try Index(path: folder.index, blobs: blobs.root, newest: newest, numbers: numbers)
        }
        isReadOnly = folder.isReadOnly
        token = Token(secret: folder.secret)
        resumption = Resumption(lifetime: uploadLifetime)
        self.signIns = SignInService(rules: signIns, index: index, outbox: folder.outbox)
        self.clock = clock
        self.eTags = eTags
    }

    private static func settled(
        _ folder: DataFolder, _ blobs: Blobs, _ newest: NewestNote, _ users: [StorageUser], at now: Int64
    ) throws -> (ChangeNumbers, [String]) {
        let index = try DamagedIndex.naming(folder.path) { try IndexSchema.open(folder.index) }
        if !users.isEmpty { try index.transaction { try index.enroll(users, at: now) } }
        let settlement = try Settlement(of: index, with: blobs, note: newest.before)
        let numbers = ChangeNumbers(after: settlement.greatestNumber)
        let number = numbers.next()
        try index.set(number: number)
        try newest.begin(at: number)
        return (numbers, settlement.findings)
    }
}

/// The index is not a readable database any more; it can be rebuilt from the blobs.
package struct DamagedIndex: Error, CustomStringConvertible {
    let folder: FilePath
    let reason: String

    /// A sentence that names the database and the command that rebuilds it.
    package var description: String {
        "\(folder.display)/index.sqlite is damaged (\(reason)). Make it anew with \"gallery-sync serve --rebuild-index "
            + "--data \(folder.display)\"."
    }

    /// The result of `body`; a corrupt database is thrown as `DamagedIndex`, which says what to do.
    static func naming<T>(_ folder: FilePath, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError {
            guard error.isCorruption else { throw error }
            throw DamagedIndex(folder: folder, reason: error.message)
        }
    }
}

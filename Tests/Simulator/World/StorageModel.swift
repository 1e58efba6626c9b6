import Configuration
import Platform
import Serving
import Simulation
import StorageServer
import Supabase
import Text
import Transfer

/// The storage: the embedded server's real code in this process, and what the world knows of its objects.
final class StorageModel: FarSide {
    static let bucket = "media"
    /// The folder of the storage's folders, one for each life of it.
    private let base: FilePath
    private let number = Simulated(0)
    private let server: Simulated<StorageServer?>
    private let running = Simulated(0)
    let serviceKey: String
    let anonKey: String
    private let signIns: SignInRules
    /// The prefix of all keys of the agent: the id of the user who signed in.
    let prefix: String
    /// Where the agent stores.
    let destination: Destination
    /// The table in the database of the same project.
    let table = RowsModel()
    /// Keys of objects that it has lost, until they are sent again.
    let forgotten = Simulated<Set<String>>([])
    /// Objects of another program, which must not be touched.
    private let foreign = Simulated<[String: [UInt8]]>([:])
    /// Keys of those that another computer's agent has stored.
    private let distant = Simulated<Set<String>>([])
    /// Keys of those that the user lets the agent replace.
    private let replaceable = Simulated<Set<String>>([])

    /// Begins with `empty`, or makes its tables; with `tokenLifetime`, in seconds, the agent's user signs in.
    ///
    /// - Parameter directory: What the keys of another destination than the usual one begin with.
    init(folder: FilePath, from empty: EmptyState?, tokenLifetime: Int?, below directory: String = "") throws {
        base = folder
        prefix = tokenLifetime == nil ? "" : Self.userFolder
        destination = Destination(
            endpoint: Self.endpoint, bucket: Self.bucket, prefix: directory,
            userID: tokenLifetime.map { _ in Self.userID })
        signIns = SignInRules(users: [Self.user], accessLifetime: .seconds(tokenLifetime ?? 3_600))
        try empty?.copyStorage(to: folder.appending("0"))
        let started = try StorageServer(
            folder: folder.appending("0"), secret: Self.secret, listening: [], signIns: signIns)
        serviceKey = started.serviceKey
        anonKey = started.anonKey
        server = Simulated(started)
    }

    var isUp: Bool { server.value != nil }

    /// The answer of the server; `nil` if it is down, or went down meanwhile.
    func answer(_ request: Request) async -> Response? {
        guard let current = server.value else { return nil }
        if RowsModel.isAsked(request) { return await table.answer(request) }
        running.value += 1
        let response = await current.answer(request)
        running.value -= 1
        return server.value === current ? response : nil
    }

    /// Stops the server, which then answers no request any more.
    func stop() async {
        guard let current = server.value else { return }
        server.value = nil
        while running.value > 0 { try? await Task.sleep(for: .milliseconds(100)) }
        await current.stop()
    }

    /// Starts it again on the same folder.
    func start() throws {
        guard server.value == nil else { return }
        server.value = try StorageServer(folder: folder, secret: Self.secret, listening: [], signIns: signIns)
    }

    /// Where the storage keeps its objects now.
    private var folder: FilePath { base.appending("\(number.value)") }

    /// Ends the server in the middle of its work; the next start finds what was on the disk.
    func crash(_ crash: Deed.Crash, _ random: inout SplitMix) throws {
        guard let dead = server.value else { return }
        server.value = nil
        let old = folder
        number.value += 1
        try CrashedFolder(old).copy(to: folder, losingPower: crash == .powerCut, &random)
        Task { await dead.stop() }
    }

    /// A client whose requests meet no fault.
    var client: StorageClient {
        StorageClient(
            endpoint: Self.endpoint, credentials: StorageCredentials(key: serviceKey), transport: StraightLine(to: self)
        )
    }

    static let secret = String(repeating: "s", count: 40)
    private static let userID = "u-1"
    private static let userFolder = userID + "/"
    static let password = "made-up-password"
    static let user = StorageUser(email: "ada@example.org", password: password, id: userID)
    static let auth = "https://storage.test/auth/v1"

    /// The key without the user's folder.
    static func bare(_ key: String) -> String {
        key.hasPrefix(userFolder) ? String(key.dropFirst(userFolder.count)) : key
    }

    /// Deletes the bucket; `false` if there are objects in it.
    func dropBucket() async throws -> Bool {
        guard try await objects().isEmpty else { return false }
        do { try await client.deleteBucket(Self.bucket) } catch { return false }
        return true
    }

    /// Makes the bucket, which users may not do.
    func makeBucket() async { try? await client.createBucket(Self.bucket) }

    static let endpoint = StorageEndpoint(base: "https://storage.test/storage/v1")

    /// Stores an object as another program would, unless there is one; with `name`, as another computer's agent would.
    func storeForeign(_ key: String, _ bytes: [UInt8], ofFile name: String? = nil) async throws {
        try? await client.createBucket(Self.bucket)
        let place = prefix + key
        guard try await client.infoIfPresent(bucket: Self.bucket, key: place) == nil else { return }
        let metadata: [String: JSONValue]? = name.map { name in
            [
                "path": .string(name), "sha256": .string(SHA256.hash(bytes).hexadecimal),
                "mtime": .string("2026-01-01T00:00:00Z"), "computer": .string("another"),
            ]
        }
        _ = try await client.upload(
            .bytes(bytes), bucket: Self.bucket, key: place, contentType: "image/jpeg", metadata: metadata ?? [:])
        foreign.value[key] = bytes
        if name != nil { distant.value.insert(key) }
    }

    /// Lets an agent replace the object of another program under `key`; returns whether there is one.
    ///
    /// Only another computer may replace what it has stored.
    func letReplace(_ key: String) -> Bool {
        guard isForeign(key), !distant.value.contains(key) else { return false }
        replaceable.value.insert(key)
        return true
    }

    /// Loses a stored object, but never another program's, which the agent must not lose.
    func forget(_ key: String) async {
        guard !isForeign(key) else { return }
        forgotten.value.insert(key)
        _ = try? await client.deleteAll(bucket: Self.bucket, keys: [prefix + key])
    }

    /// Whether another program has put an object under `key`.
    func isForeign(_ key: String) -> Bool { foreign.value[key] != nil }

    /// Every object with its bytes; starts again if one is moved or deleted after it was listed.
    func objects() async throws -> [String: [UInt8]] {
        for _ in 0..<8 {
            do { return try await listedObjects() } catch let error as StorageError {
                guard error.isMissing else { throw error }
                try await Task.sleep(for: .seconds(1))
            }
        }
        return try await listedObjects()
    }

    private func listedObjects() async throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        guard try await client.buckets().contains(where: { $0.name == Self.bucket }) else { return [:] }
        for object in try await client.list(bucket: Self.bucket).objects {
            found[Self.bare(object.key)] = try await client.download(
                bucket: Self.bucket, key: object.key, to: .memory(limit: 32 << 20)
            ).body
        }
        return found
    }

    /// Changes to objects that are not the agent's.
    func damages(_ objects: [String: [UInt8]]) -> [String] {
        foreign.value.sorted { $0.key < $1.key }
            .filter { objects[$0.key] != $0.value && !replaceable.value.contains($0.key) }
            .map { "the object \($0.key) of another program was changed or deleted" }
    }
}

/// Carries requests to a storage at once and without loss.
struct StraightLine: Transport {
    let far: any FarSide

    init(to far: any FarSide) {
        self.far = far
    }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let crossing = Crossing(request)
        guard let response = await far.answer(crossing.request(try crossing.body())) else {
            throw TransferError(.unreachable, "the server is down", mayHaveArrived: false)
        }
        return try await crossing.response(response)
    }
}

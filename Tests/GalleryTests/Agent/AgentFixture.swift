import Catalog
import Configuration
import Foundation
import Gallery
import Platform
import Records
import Serving
import StorageServer
import Supabase
import Synchronization
import TestSupport
import Transfer

/// A gallery folder, an embedded server and the state of one profile, in a temporary directory.
struct AgentFixture: Sendable {
    let folder: FilePath
    let gallery: FilePath
    let server: StorageServer
    let client: HTTPClient
    /// Shared by all agents of this fixture.
    var settings = Settings()

    /// What all keys begin with.
    var prefix = ""

    /// Changes the setup of each agent.
    var equip: @Sendable (inout Agent.Setup) -> Void = { _ in }

    /// The faults of the server's next requests.
    let faults: Shared<@Sendable (Request) -> Fault?>

    static func with(_ tree: FileTree, _ body: (AgentFixture) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let gallery = folder.appending("Pictures")
            try Directory.create(at: gallery)
            try tree.write(to: gallery)
            let faults = Shared<@Sendable (Request) -> Fault?>({ _ in nil })
            let server = try StorageServer(
                folder: folder.appending("storage"), listening: [], faults: { faults.value($0) })
            try server.start()
            let fixture = AgentFixture(
                folder: folder, gallery: gallery, server: server, client: HTTPClient(), faults: faults)
            do {
                try await body(fixture)
            } catch {
                await fixture.close()
                throw error
            }
            await fixture.close()
        }
    }

    private func close() async {
        client.close()
        await server.stop()
    }

    init(
        folder: FilePath, gallery: FilePath, server: StorageServer, client: HTTPClient,
        faults: Shared<@Sendable (Request) -> Fault?>
    ) {
        self.folder = folder
        self.gallery = gallery
        self.server = server
        self.client = client
        self.faults = faults
        settings.retry.base = .milliseconds(20)
        settings.retry.factor = 2
        settings.sync.patience = .seconds(100)
        settings.scan.settle = .milliseconds(200)
        settings.thumbnails.enabled = false
    }

    var locations: Locations {
        get throws {
            try Locations(
                for: LocationRequest(
                    environment: ["HOME": folder.display], stateDirectory: folder.appending("s"), user: Host.userID))
        }
    }

    var destination: Destination {
        Destination(
            endpoint: StorageEndpoint(base: "http://storage", unixSocket: server.socket), bucket: "media",
            prefix: prefix, isLocal: true)
    }

    /// The destination as a remote one: the steps that `isLocal` skips are taken.
    var distantDestination: Destination { Destination(endpoint: destination.endpoint, bucket: destination.bucket) }

    var storage: StorageClient { storage(over: client) }

    func storage(over line: any Transport) -> StorageClient {
        StorageClient(
            endpoint: destination.endpoint, credentials: StorageCredentials(key: server.serviceKey), transport: line)
    }

    /// How long a run may take; enough for several waits of a test's body.
    static let limit = patience * 3

    /// Runs a new agent on the state, as a new process would.
    func run<Value: Sendable>(
        _ mode: Agent.Mode = .pass, namesNoRoot: Bool = false,
        _ body: @escaping @Sendable (Agent) async throws -> Value
    ) async throws -> Value {
        try await withLimit("an agent's run ends", Self.limit) { try await runToItsEnd(mode, namesNoRoot, body) }
    }

    /// The agent and its lock are released before this returns, so that the next one can start at once.
    private func runToItsEnd<Value: Sendable>(
        _ mode: Agent.Mode, _ namesNoRoot: Bool, _ body: @escaping @Sendable (Agent) async throws -> Value
    ) async throws -> Value {
        try await agent().run(mode, namesNoRoot: namesNoRoot, body)
    }

    /// A new agent that has opened the state; it dies where it is not run.
    func agent() async throws -> Agent {
        let lock = try await locations.lock()
        var setup = Agent.Setup(
            settings: settings, locations: try locations, destination: destination,
            credentials: StorageCredentials(key: server.serviceKey), transport: client, workers: nil)
        equip(&setup)
        return try await Agent(setup, lock: lock)
    }

    /// Every object of the bucket with its bytes.
    func objects() async throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for object in try await storage.list(bucket: "media").objects {
            found[object.key] = try await storage.download(
                bucket: "media", key: object.key, to: .memory(limit: 1 << 20)
            ).body
        }
        return found
    }
}

extension Locations {
    /// The lock of the state, which no agent holds any more.
    ///
    /// A child that another test starts holds the lock of the agent before, too, until its exec.
    func lock() async throws -> StateLock {
        try await eventually("no agent holds the state") {
            guard case .taken(let lock) = try StateLock.acquire(self) else { return nil }
            return lock
        }
    }
}

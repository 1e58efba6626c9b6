import Access
import Foundation
import Platform
import Records
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Catalog
@testable import Configuration
@testable import Gallery

/// A gallery of a user who signs in to an embedded server with a bucket.
struct Tenancy: Sendable {
    static let userID = "317eadce-631a-4429-a0bb-f19a7a517b4a"

    let folder: FilePath
    let gallery: FilePath
    let server: StorageServer
    let client: HTTPClient
    let url: String
    let locations: Locations
    /// The faults of the server's next requests.
    let faults: Shared<@Sendable (Request) -> Fault?>

    static func with(_ tree: FileTree, _ body: (Tenancy) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let gallery = folder.appending("Pictures")
            try Directory.create(at: gallery)
            try tree.write(to: gallery)
            let faults = Shared<@Sendable (Request) -> Fault?>({ _ in nil })
            let user = StorageUser(email: "ada@x", password: "p", id: userID)
            let server = try StorageServer(
                folder: folder.appending("data"), signIns: SignInRules(users: [user], reuseInterval: .zero),
                faults: { faults.value($0) })
            try server.start()
            let tenancy = Tenancy(
                folder: folder, gallery: gallery, server: server, client: HTTPClient(),
                url: "http://127.0.0.1:\(try #require(server.port))",
                locations: try Locations(
                    for: LocationRequest(environment: ["HOME": folder.display], user: Host.userID)), faults: faults)
            do {
                try await tenancy.owner.createBucket("media", BucketSettings(isPublic: false))
                try await tenancy.login()
                try await body(tenancy)
            } catch {
                await server.stop()
                throw error
            }
            tenancy.client.close()
            await server.stop()
        }
    }

    /// The client of the project's owner.
    var owner: StorageClient {
        StorageClient(
            endpoint: StorageEndpoint(base: url + "/storage/v1"),
            credentials: StorageCredentials(key: server.serviceKey),
            transport: client)
    }

    var auth: AuthClient {
        get throws {
            AuthClient(base: try #require(AuthPlace.base(for: url)), apiKey: server.anonKey, transport: client) {
                Date()
            }
        }
    }

    func login() async throws {
        _ = try await SignIn(auth: auth, locations: locations).run(email: "ada@x", password: "p")
    }

    func session() throws -> Session {
        try #require(try Session.find(locations, url: url, apiKey: server.anonKey, transport: client))
    }

    func destination(of session: Session) -> Destination {
        Destination(
            endpoint: StorageEndpoint(base: url + "/storage/v1"), bucket: "media", userID: session.user.id)
    }

    /// One pass of a fresh agent.
    func sync(_ change: (inout Settings) -> Void = { _ in }) async throws -> Ending {
        var settings = Settings()
        settings.thumbnails.enabled = false
        settings.retry.base = .milliseconds(20)
        settings.sync.patience = .seconds(100)
        change(&settings)
        let changed = settings
        return try await withLimit("an agent's run ends", AgentFixture.limit) { try await sync(with: changed) }
    }

    private func sync(with settings: Settings) async throws -> Ending {
        let lock = try await locations.lock()
        let session = try session()
        let agent = try await Agent(
            Agent.Setup(
                settings: settings, locations: locations, destination: destination(of: session), transport: client,
                workers: nil, credentials: session.source), lock: lock)
        let gallery = gallery
        return try await agent.run { try await $0.sync([gallery]) }
    }

    /// Keys in the bucket, as its owner sees them.
    var keys: [String] {
        get async throws { try await owner.list(bucket: "media").objects.map(\.key).sorted() }
    }
}

import Foundation
import Platform
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import Access
@testable import Configuration

/// The sign-in against the embedded server, whose refresh tokens rotate as the real one's do.
@Suite struct SessionServerTests {
    /// Counts what is sent.
    private struct CountingTransport: Transport {
        let client: HTTPClient
        let urls = Shared<[String]>([])

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            urls.change { $0.append(request.url) }
            return try await client.send(request)
        }

        var renewals: Int { urls.value.count { $0.hasSuffix("grant_type=refresh_token") } }
    }

    /// A server, a profile that is signed in to it, and a clock that only the profile uses.
    private struct Scene {
        let url: String
        let key: String
        let locations: Locations
        let transport: CountingTransport
        let now = Shared(Date())

        /// The session as another process would open it.
        func open() throws -> Session {
            let now = now
            let found = try Session.find(
                locations, url: url, apiKey: key, transport: transport, clock: { now.value })
            return try #require(found)
        }
    }

    private func scene(_ body: (Scene) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let user = StorageUser(email: "ada@x", password: "p", id: "317eadce-631a-4429-a0bb-f19a7a517b4a")
            // A spent token is accepted only in the case of a lost answer, however soon it comes.
            let rules = SignInRules(users: [user], reuseInterval: .zero)
            let server = try StorageServer(folder: folder.appending("data"), signIns: rules)
            try server.start()
            let client = HTTPClient()
            let environment = ["HOME": folder.display]
            let port = try #require(server.port)
            let scene = Scene(
                url: "http://127.0.0.1:\(port)", key: server.anonKey,
                locations: try Locations(for: LocationRequest(environment: environment, user: Host.userID)),
                transport: CountingTransport(client: client))
            let base = try #require(AuthPlace.base(for: scene.url))
            let auth = AuthClient(base: base, apiKey: scene.key, transport: client) { [now = scene.now] in now.value }
            _ = try await SignIn(auth: auth, locations: scene.locations).run(email: "ada@x", password: "p")
            try await body(scene)
            client.close()
            await server.stop()
        }
    }

    @Test func severalProcessesRenewOnceBetweenThem() async throws {
        try await scene { scene in
            let sessions = try (0..<3).map { _ in try scene.open() }
            for round in 1...4 {
                scene.now.change { $0 += 3600 }
                let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                    for session in sessions + sessions {
                        group.addTask { try await session.credentials().bearer }
                    }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(tokens.count == 1)
                #expect(scene.transport.renewals == round)
            }
        }
    }

    @Test func aProcessThatDiedBeforeItSavedIsForgiven() async throws {
        try await scene { scene in
            let file = try SessionFile(scene.locations)
            let before = try #require(try file.read())
            scene.now.change { $0 += 3600 }
            _ = try await scene.open().credentials()
            try file.write(before)
            _ = try await scene.open().credentials()
            #expect(try file.read()?.session.refreshToken != before.session.refreshToken)
            #expect(scene.transport.renewals == 2)
        }
    }

    @Test func aStolenTokenEndsTheSignInWithItsSentence() async throws {
        try await scene { scene in
            let file = try SessionFile(scene.locations)
            let before = try #require(try file.read())
            for _ in 0..<2 {
                scene.now.change { $0 += 3600 }
                _ = try await scene.open().credentials()
            }
            // A token from two renewals ago is never accepted.
            try file.write(before)
            let error = await #expect(throws: StorageError.self) { try await scene.open().credentials() }
            guard case .signedOut(let sentence) = error else { throw try #require(error) }
            #expect(sentence.contains("another program") && sentence.contains("gallery-sync login"))
            #expect(try file.read()?.ended == sentence)
        }
    }

    @Test func aUsersUploadsGoOnPastTheEndOfAToken() async throws {
        try await scene { scene in
            let session = try scene.open()
            let storage = StorageClient(
                endpoint: StorageEndpoint(base: "\(scene.url)/storage/v1"), transport: scene.transport,
                credentials: session.source)
            scene.now.change { $0 += 7200 }
            let error = await #expect(throws: StorageError.self) {
                try await storage.info(bucket: "none", key: session.user.id + "/k")
            }
            #expect(error?.isSignIn == false && scene.transport.renewals == 1)
        }
    }

    @Test func whoSignsOutCannotRenew() async throws {
        try await scene { scene in
            let (one, other) = (try scene.open(), try scene.open())
            #expect(try await one.end())
            scene.now.change { $0 += 3600 }
            await #expect(throws: StorageError.self) { try await other.credentials() }
            #expect(try SessionFile.existing(scene.locations)?.read() == nil)
        }
    }
}

import Output
import Platform
import Serving
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import CommandLine
@testable import GallerySync

/// A watch whose key the server does not take any more goes on with the one that is put where that stands.
@Suite struct RotatedKeyTests {
    private static let id = "317eadce-631a-4429-a0bb-f19a7a517b4a"
    private static let user = StorageUser(email: "ada@x", password: "p", id: id)

    /// A server of the same objects and port with another secret, and the profile of a watch whose key it refuses.
    private struct Rotated {
        let fixture: CommandFixture
        let server: StorageServer
        var key: FilePath { fixture.home.appending("key") }

        /// Whether the file that was added after the rotation is stored.
        func isStored(_ client: HTTPClient) async throws -> Bool {
            let port = try #require(server.port)
            let storage = StorageClient(
                endpoint: StorageEndpoint(base: "http://127.0.0.1:\(port)/storage/v1"),
                credentials: StorageCredentials(key: server.serviceKey), transport: client)
            return try await storage.list(bucket: "media", limit: 9).objects.contains { $0.key == "Pictures/b.jpg" }
        }
    }

    /// The server of the objects in `fixture`, started.
    private func server(_ fixture: CommandFixture, secret: Character, port: UInt16 = 0) throws -> StorageServer {
        try fixture.storageServer(secret: secret, port: port, signIns: SignInRules(users: [Self.user]))
    }

    /// Calls `body` while a watch runs that was refused.
    private func refused(_ body: (Rotated) async throws -> Void) async throws {
        var fixture = try CommandFixture()
        defer { fixture.remove() }
        let first = try server(fixture, secret: "1")
        let port = try #require(first.port)
        fixture.environment["GALLERY_SYNC_DESTINATION_URL"] = "http://127.0.0.1:\(port)"
        fixture.environment["GALLERY_SYNC_DESTINATION_KEY_FILE"] = "\(fixture.home.display)/key"
        try fixture.write(first.serviceKey, to: fixture.home.appending("key"))
        try fixture.write("one", to: fixture.home.appending("Pictures/a.jpg"))
        let watched = fixture
        _ = try await fixture.running("watch Pictures --json --set page.enabled=false \(RunningTests.rest)") {
            _ async throws in
            try await eventually("a photo is stored", seen: { try? watched.results }) {
                try watched.results.contains("\"event\":\"stored\"")
            }
            await first.stop()
            let second = try server(watched, secret: "2", port: port)
            do {
                try watched.write("two", to: watched.home.appending("Pictures/b.jpg"))
                #expect(await watched.run("sync Pictures -q \(RunningTests.rest)") == .denied)
                #expect(try watched.notes.contains("The key from HOME/key is refused. Put the right one there"))
                try await body(Rotated(fixture: watched, server: second))
            } catch {
                await second.stop()
                throw error
            }
            await second.stop()
        }
    }

    @Test(arguments: ["sync Pictures -q", "queue resume -q"])
    func itGoesOnWithTheNewKey(command: String) async throws {
        try await refused { rotated async throws in
            try rotated.fixture.write(rotated.server.serviceKey, to: rotated.key)
            #expect(await rotated.fixture.run("\(command) \(RunningTests.rest)") == .success)
            let client = HTTPClient()
            defer { client.close() }
            try await eventually("the new file is stored", seen: { try? rotated.fixture.notes }) {
                try await rotated.isStored(client)
            }
        }
    }

    @Test func aKeyThatOthersMayReadIsNotTaken() async throws {
        try await refused { rotated async throws in
            try Directory(rotated.fixture.home).remove(file: "key")
            try rotated.fixture.write(rotated.server.serviceKey, to: rotated.key, mode: 0o644)
            #expect(await rotated.fixture.run("sync Pictures -q \(RunningTests.rest)") == .denied)
            #expect(try rotated.fixture.notes.contains("readable by you alone. Run \"chmod 600"))
        }
    }

    @Test func aUserWhoSignedInSinceHasOtherFiles() async throws {
        try await refused { rotated async throws in
            var fixture = rotated.fixture
            try fixture.write("p\n", to: fixture.home.appending("password"))
            fixture.environment["GALLERY_SYNC_KEY"] = rotated.server.anonKey
            #expect(
                await fixture.run("login -q --email ada@x --password-file password --state-dir state") == .success)
            #expect(try fixture.notes.contains("goes on with the key that it began with."))
            #expect(try !fixture.results.contains("Next:"))
            fixture.environment["GALLERY_SYNC_KEY"] = nil
            #expect(await fixture.run("sync Pictures -q \(RunningTests.rest)") == .denied)
            let sentence = "and ada@x, who has signed in since, stores into a folder of their own."
            #expect(try fixture.notes.contains(sentence))
            try fixture.write(rotated.server.serviceKey, to: rotated.key)
            #expect(await fixture.run("sync Pictures -q \(RunningTests.rest)") == .success)
        }
    }
}

import Output
import Platform
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@testable import CommandLine
@testable import GallerySync

/// Whole commands as a user of a real server: exit codes, messages, and where the objects are.
@Suite struct SignedInTests {
    private static let id = "317eadce-631a-4429-a0bb-f19a7a517b4a"

    private func fixture(_ body: (CommandFixture, StorageServer, String) async throws -> Void) async throws {
        var fixture = try CommandFixture()
        defer { fixture.remove() }
        let user = StorageUser(email: "ada@x", password: "p", id: Self.id)
        let server = try StorageServer(
            folder: fixture.home.appending("server"), signIns: SignInRules(users: [user]))
        try server.start()
        let url = "http://127.0.0.1:\(try #require(server.port))"
        fixture.environment["GALLERY_SYNC_DESTINATION_URL"] = url
        fixture.environment["GALLERY_SYNC_THUMBNAILS_ENABLED"] = "false"
        fixture.environment["GALLERY_SYNC_KEY"] = server.anonKey
        try fixture.write("one", to: fixture.home.appending("Pictures/a.jpg"))
        try fixture.write("p\n", to: fixture.home.appending("password"))
        let client = HTTPClient()
        let owner = StorageClient(
            endpoint: StorageEndpoint(base: url + "/storage/v1"),
            credentials: StorageCredentials(key: server.serviceKey), transport: client)
        do {
            try await owner.createBucket("media")
            try await body(fixture, server, url)
        } catch {
            await server.stop()
            throw error
        }
        client.close()
        await server.stop()
    }

    @Test func withoutASignInNothingIsSentAndWithOneAllIs() async throws {
        try await fixture { fixture, _, url in
            #expect(await fixture.run("sync Pictures") == .denied)
            #expect(
                try fixture.notes.contains(
                    "Not signed in at \(url): the anon key from GALLERY_SYNC_KEY opens nothing by itself. Run \"gallery-sync login\"."
                ))
            #expect(await fixture.run("login --email ada@x --password-file password") == .success)
            #expect(await fixture.run("sync Pictures") == .success)
            #expect(await fixture.run("restore --to back") == .success)
            let back = try FileTree(at: fixture.home.appending("back"))
            #expect(back == ["Pictures": ["a.jpg": "one"]])
            #expect(await fixture.run("why Pictures/a.jpg") == .success)
            #expect(try fixture.results.contains("is stored as \(Self.id)/Pictures/a.jpg"))
        }
    }

    @Test func initTriesWhatItWasToldBeforeItWrites() async throws {
        try await fixture { fixture, server, url in
            var fixture = fixture
            fixture.environment["GALLERY_SYNC_DESTINATION_URL"] = nil
            fixture.environment["GALLERY_SYNC_KEY"] = "eyJub25zZW5zZSI6.e30.x"
            #expect(await fixture.run("init Pictures --url \(url) --yes") == .denied)
            #expect(await fixture.run("init Pictures --url http://127.0.0.1:1 --yes") == .temporary)
            fixture.environment["GALLERY_SYNC_KEY"] = server.serviceKey
            #expect(await fixture.run("init --restore --url \(url) --bucket none --yes") == .configuration)
            let written = try FileFacts.existing(fixture.configurationPath)
            #expect(written == nil)
            #expect(await fixture.run("init --restore --url \(url) --yes") == .success)
            let (notes, results) = (try fixture.notes, try fixture.results)
            for words in [
                "The key from GALLERY_SYNC_KEY is refused. Put the right one there", "--url http://127.0.0.1:1: ",
                "--bucket none: Bucket \"none\" does not exist there", "service_role key from GALLERY_SYNC_KEY",
                "ok     delete",
            ] {
                #expect(notes.contains(words), "\(words)")
            }
            #expect(results.contains("Next: gallery-sync restore --to DIR"))
        }
    }

    @Test func aWrongAnswerIsAskedAgainAndAMissingBucketIsOffered() async throws {
        try await fixture { fixture, server, url in
            var fixture = fixture
            fixture.environment["GALLERY_SYNC_DESTINATION_URL"] = nil
            fixture.environment["GALLERY_SYNC_KEY"] = nil
            fixture.answers = [
                "~/Pictures", "http://127.0.0.1:1", "new", "nonsense", "yes", url, server.serviceKey, "new",
            ]
            #expect(await fixture.run("init") == .success)
            let notes = try fixture.notes
            #expect(notes.contains("The key from your answer is refused."))
            #expect(notes.contains("Bucket \"new\" does not exist yet. Name it again, and it is made, private."))
            #expect(notes.contains("Made the private bucket \"new\"."))
            let text = try fixture.configuration()
            #expect(text.contains("url: \"\(url)\"") && text.contains("bucket: \"new\""))
        }
    }

    @Test func anAnonymousKeyIsNoServiceKeyAndLoginIsOffered() async throws {
        try await fixture { fixture, _, url in
            #expect(await fixture.run("init Pictures --yes") == .success)
            let (notes, results) = (try fixture.notes, try fixture.results)
            #expect(notes.contains("the anon key from GALLERY_SYNC_KEY is no service key"))
            #expect(results.contains("Next: gallery-sync login"))
        }
    }

    @Test(
        arguments: [
            (nil, ["Not signed in at URL, and there is no key.", "gallery-sync login", "GALLERY_SYNC_KEY"]),
            ("", ["Not signed in at URL, and there is no key.", "gallery-sync login", "GALLERY_SYNC_KEY"]),
            ("sb_secret_abc", ["This server has no gateway that knows a secret key"]),
            ("nonsense", ["The key from GALLERY_SYNC_KEY is refused. Put the right one there"]),
        ] as [(String?, [String])])
    func aKeyThatIsNoneIsNamed(key: String?, words: [String]) async throws {
        try await fixture { fixture, _, url in
            var fixture = fixture
            fixture.environment["GALLERY_SYNC_KEY"] = key
            #expect(await fixture.run("sync Pictures") == .denied)
            let notes = try fixture.notes
            for word in words { #expect(notes.contains(word.replacing("URL", with: url)), "\(notes)") }
        }
    }
}

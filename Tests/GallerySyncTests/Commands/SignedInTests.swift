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

    private func household(_ body: (Household, StorageServer, String) async throws -> Void) async throws {
        var household = try Household()
        defer { household.remove() }
        let user = StorageUser(email: "ada@x", password: "p", id: Self.id)
        let server = try StorageServer(
            folder: household.home.appending("server"), signIns: SignInRules(users: [user]))
        try server.start()
        let url = "http://127.0.0.1:\(try #require(server.port))"
        household.environment["GALLERY_SYNC_DESTINATION_URL"] = url
        household.environment["GALLERY_SYNC_THUMBNAILS_ENABLED"] = "false"
        household.environment["GALLERY_SYNC_KEY"] = server.anonKey
        try household.write("one", to: household.home.appending("Pictures/a.jpg"))
        try household.write("p\n", to: household.home.appending("password"))
        let client = HTTPClient()
        let owner = StorageClient(
            endpoint: StorageEndpoint(base: url + "/storage/v1"),
            credentials: StorageCredentials(key: server.serviceKey), transport: client)
        do {
            try await owner.createBucket("media")
            try await body(household, server, url)
        } catch {
            await server.stop()
            throw error
        }
        client.close()
        await server.stop()
    }

    @Test func withoutASignInNothingIsSentAndWithOneAllIs() async throws {
        try await household { household, _, url in
            #expect(await household.run("sync Pictures") == .denied)
            #expect(
                try household.notes.contains(
                    "Not signed in at \(url): the anon key from GALLERY_SYNC_KEY opens nothing by itself. Run \"gallery-sync login\"."
                ))
            #expect(await household.run("login --email ada@x --password-file password") == .success)
            #expect(await household.run("sync Pictures") == .success)
            #expect(await household.run("restore --to back") == .success)
            let back = try FileTree(at: household.home.appending("back"))
            #expect(back == ["Pictures": ["a.jpg": "one"]])
            #expect(await household.run("why Pictures/a.jpg") == .success)
            #expect(try household.results.contains("is stored as \(Self.id)/Pictures/a.jpg"))
        }
    }

    @Test func initTriesWhatItWasToldBeforeItWrites() async throws {
        try await household { household, server, url in
            var household = household
            household.environment["GALLERY_SYNC_DESTINATION_URL"] = nil
            household.environment["GALLERY_SYNC_KEY"] = "eyJub25zZW5zZSI6.e30.x"
            #expect(await household.run("init Pictures --url \(url) --yes") == .denied)
            #expect(await household.run("init Pictures --url http://127.0.0.1:1 --yes") == .temporary)
            household.environment["GALLERY_SYNC_KEY"] = server.serviceKey
            #expect(await household.run("init --restore --url \(url) --bucket none --yes") == .configuration)
            let written = try FileFacts.existing(household.configurationPath)
            #expect(written == nil)
            #expect(await household.run("init --restore --url \(url) --yes") == .success)
            let (notes, results) = (try household.notes, try household.results)
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
        try await household { household, server, url in
            var household = household
            household.environment["GALLERY_SYNC_DESTINATION_URL"] = nil
            household.environment["GALLERY_SYNC_KEY"] = nil
            household.answers = [
                "~/Pictures", "http://127.0.0.1:1", "new", "nonsense", "yes", url, server.serviceKey, "new",
            ]
            #expect(await household.run("init") == .success)
            let notes = try household.notes
            #expect(notes.contains("The key from your answer is refused."))
            #expect(notes.contains("Bucket \"new\" does not exist yet. Name it again, and it is made, private."))
            #expect(notes.contains("Made the private bucket \"new\"."))
            let text = try household.configuration()
            #expect(text.contains("url: \"\(url)\"") && text.contains("bucket: \"new\""))
        }
    }

    @Test func anAnonymousKeyIsNoServiceKeyAndLoginIsOffered() async throws {
        try await household { household, _, url in
            #expect(await household.run("init Pictures --yes") == .success)
            let (notes, results) = (try household.notes, try household.results)
            #expect(notes.contains("the anon key from GALLERY_SYNC_KEY is no service key"))
            #expect(results.contains("Next: gallery-sync login"))
        }
    }

    @Test func withoutAnyKeyTheSentenceNamesEveryWay() async throws {
        try await household { household, _, url in
            var household = household
            household.environment["GALLERY_SYNC_KEY"] = nil
            #expect(await household.run("sync Pictures") == .denied)
            let notes = try household.notes
            #expect(notes.contains("Not signed in at \(url), and there is no key."))
            #expect(notes.contains("gallery-sync login") && notes.contains("GALLERY_SYNC_KEY"))
        }
    }

    @Test(arguments: [
        ("sb_secret_abc", "This server has no gateway that knows a secret key"),
        ("nonsense", "The key from GALLERY_SYNC_KEY is refused. Put the right one there"),
    ])
    func aKeyThatIsNoneIsNamed(key: String, words: String) async throws {
        try await household { household, _, _ in
            var household = household
            household.environment["GALLERY_SYNC_KEY"] = key
            #expect(await household.run("sync Pictures") == .denied)
            let notes = try household.notes
            #expect(notes.contains(words), "\(notes)")
        }
    }
}

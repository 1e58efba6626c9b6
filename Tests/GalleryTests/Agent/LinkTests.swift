import Catalog
import Configuration
import Control
import Foundation
import Gallery
import Platform
import Records
import StorageServer
import Supabase
import TestSupport
import Testing
import Transfer

@Suite struct LinkTests {
    @Test(arguments: [
        "plain.jpg", "with space.jpg", "hash#tag.jpg", "per%cent%20.jpg", "bang!.jpg", "🎉 party.jpg", "what?.jpg",
        "plus+&=.jpg", "quote's (1).jpg",
    ])
    func aSignedURLShowsTheFileWhateverItsName(_ name: String) async throws {
        try await AgentFixture.with([FilePath(name): "picture"]) { fixture in
            try await fixture.pass()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let linker = Linker(library: library, storage: fixture.storage, destination: fixture.destination)
            let link = try await linker.link(
                to: fixture.gallery.appending(FilePath(name)), ("Pictures", FilePath(name)), for: .seconds(60))
            #expect(link.expiresAt != nil)
            var request = HTTPRequest(.get, link.url, answer: .memory(limit: 1 << 20))
            request.unixSocket = fixture.server.socket
            let response = try await fixture.client.send(request)
            #expect(response.status == 200)
            #expect(response.body == Array("picture".utf8))
        }
    }

    @Test func aPublicBucketNeedsNoSigning() async throws {
        try await AgentFixture.with(["a b.jpg": "picture"]) { fixture in
            var fixture = fixture
            fixture.settings.destination.allowPublicBucket = true
            try await fixture.storage.createBucket("media", BucketSettings(isPublic: true))
            try await fixture.pass()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let linker = Linker(library: library, storage: fixture.storage, destination: fixture.destination)
            let link = try await linker.link(
                to: fixture.gallery.appending("a b.jpg"), ("Pictures", "a b.jpg"), for: .seconds(60))
            #expect(link.expiresAt == nil)
            #expect(link.url == "http://storage/object/public/media/Pictures/a%20b.jpg")
        }
    }

    /// What keeps one file back and is no fault of its own keeps back all: the server is asked once, not for each.
    @Test(arguments: [
        Fact("it is busy", 503, (asked: 1, kind: Ending.Kind.temporary)), Fact("too often", 429, (1, .temporary)),
        // Whether the bucket is public may be kept from users: links are signed then, one by one.
        Fact("it does not permit it", 403, (asked: 6, kind: .notPermitted)),
    ])
    func aServerThatIsAwayIsNotAskedForEachFile(_ row: Fact<Int, (asked: Int, kind: Ending.Kind)>) async throws {
        let files = ["a.jpg", "b.jpg", "c.jpg"]
        try await AgentFixture.with(["a.jpg": "a", "b.jpg": "b", "c.jpg": "c"]) { fixture in
            try await fixture.pass()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let refusal = ScriptedTransport.Answer.json(#"{"error":"no","message":"no"}"#, status: row.input)
            let transport = ScriptedTransport(Array(repeating: refusal, count: 6))
            let storage = StorageClient(
                endpoint: fixture.destination.endpoint, credentials: StorageCredentials(key: "k"), transport: transport)
            let linker = Linker(library: library, storage: storage, destination: fixture.destination)
            let (links, refused) = try await linker.links(
                to: files.map { RootedPath(root: "Pictures", path: FilePath($0)) }, seconds: 60, now: Date())
            #expect(links.isEmpty)
            #expect(refused?.ending.kind == row.output.kind)
            #expect(transport.requests.count == row.output.asked)
        }
    }

    /// The key may be wrong, and the settings may name another place than the one that has the file.
    @Test(arguments: [
        Fact(
            "a wrong key", false,
            Ending.notPermitted(
                "The key is refused. Set a new GALLERY_SYNC_KEY, or run \"gallery-sync login\". The server says: Invalid Compact JWS"
            )),
        Fact(
            "another destination", true,
            .needsHuman(
                "it is stored in local media. Run \"gallery-sync init --change-destination\" to begin anew there, or "
                    + "name the former one again.")),
    ])
    func whatKeepsAllFilesBackIsSaidWithItsNextStep(_ row: Fact<Bool, Ending>) async throws {
        try await AgentFixture.with(["a.jpg": "a"]) { fixture in
            try await fixture.pass()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let refusal = ScriptedTransport.Answer.json(
                #"{"statusCode":"403","error":"Unauthorized","message":"Invalid Compact JWS","code":"AccessDenied"}"#,
                status: 400)
            let storage = StorageClient(
                endpoint: fixture.destination.endpoint, credentials: StorageCredentials(key: "k"),
                transport: ScriptedTransport([refusal, refusal]))
            let (ours, other) = (
                fixture.destination, Destination(endpoint: fixture.destination.endpoint, bucket: "other")
            )
            let linker = Linker(library: library, storage: storage, destination: row.input ? other : ours)
            let refused = await #expect(throws: Refusal.self) {
                try await linker.link(to: "/a.jpg", ("Pictures", "a.jpg"), for: .seconds(60))
            }
            #expect(refused?.ending == row.output)
        }
    }

    @Test(
        arguments: [
            ("b.jpg", "it is not stored yet; \"gallery-sync why\" tells why"),
            ("c.jpg", "there is no such file, and none was stored by that name"),
            ("sub", "it is a directory: name a file in it"),
        ] as [(FilePath, String)])
    func whatIsNotStoredHasNoURL(_ name: FilePath, reason: String) async throws {
        try await AgentFixture.with(["a.jpg": "picture", "sub": [:]]) { fixture in
            try await fixture.pass()
            try fixture.write("another", to: "b.jpg")
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let linker = Linker(library: library, storage: fixture.storage, destination: fixture.destination)
            for location in [nil, ("Pictures", name)] {
                let refusal = await #expect(throws: Refusal.self) {
                    try await linker.link(to: fixture.gallery.appending(name), location, for: .seconds(60))
                }
                #expect(refusal?.ending == .refused(reason))
            }
        }
    }
}

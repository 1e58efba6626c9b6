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

    @Test func whatIsNotStoredHasNoURL() async throws {
        try await AgentFixture.with(["a.jpg": "picture"]) { fixture in
            try await fixture.pass()
            let library = try Library(path: fixture.locations.library, isReadOnly: true)
            let linker = Linker(library: library, storage: fixture.storage, destination: fixture.destination)
            await #expect(throws: Refusal.self) {
                try await linker.link(to: "/elsewhere.jpg", nil, for: .seconds(60))
            }
        }
    }
}

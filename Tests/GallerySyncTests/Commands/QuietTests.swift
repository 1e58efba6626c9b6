import Output
import Platform
import Serving
import StorageServer
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// What is said with `-q`: only what went wrong, and what the command was asked for.
@Suite struct QuietTests {
    private static let rest = "--local --state-dir state --set thumbnails.enabled=false --set scan.settle=0s"

    /// Commands, and whether they say anything with `-q`.
    private static let lines: [(String, isSaid: Bool)] = [
        ("restore --to back", false), ("restore --to other --dry-run", true), ("verify", false),
        ("verify --deep 100", false), ("queue pause", false), ("queue resume", false),
        ("queue cancel Pictures/a.jpg", false), ("queue list", true), ("prune", false), ("prune --delete --yes", false),
        ("reupload --failed", false), ("reupload --all --yes", false), ("jobs list", true),
        ("why Pictures/a.jpg", true), ("status", true), ("logout", false),
    ]

    /// In one gallery, because each sync takes long.
    @Test func whatWasDoneIsNotSaid() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            var before = try fixture.results + fixture.notes
            #expect(before == "")
            for (line, isSaid) in Self.lines {
                #expect(await fixture.run("\(line) -q \(Self.rest)") == .success, "\(line)")
                let said = try fixture.results + fixture.notes
                #expect((said == before) == !isSaid, "\(line): \(said)")
                before = said
            }
        }
    }

    @Test func whatIsOnlyInStorageIsListedAndDeletedWithoutAWord() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "Pictures/b.jpg": "two"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            try Directory(fixture.home).remove(file: "Pictures/a.jpg")
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await fixture.run("prune -q \(Self.rest)") == .success)
            let listed = try fixture.results
            #expect(listed.contains("Pictures/a.jpg"))
            #expect(await fixture.run("prune --delete --yes -q \(Self.rest)") == .success)
            #expect(try fixture.results == listed && fixture.notes == "")
        }
    }

    /// What another profile or computer stored is found by a verification, and is not wrong.
    @Test func whatOthersStoredIsNotSaid() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            try fixture.write("{profiles: {default: {}, other: {}}}", to: fixture.configurationPath)
            let other = "--profile other --set destination.prefix=other"
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await fixture.run("sync Pictures -q \(other) \(Self.rest)") == .success)
            #expect(await fixture.run("verify -q \(Self.rest)") == .success)
            #expect(try fixture.results + fixture.notes == "")
            #expect(await fixture.run("verify \(Self.rest)") == .success)
            #expect(try fixture.results.contains("1 unknown"))
        }
    }

    @Test func whatWentWrongIsSaid() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await fixture.run("restore nope --to back -q \(Self.rest)") == .someFailed)
            #expect(try fixture.notes.contains("nope: nothing is stored below it"))
        }
    }

    @Test func aSetUpSaysNothing() async throws {
        try await CommandFixture.with { fixture async throws in
            var fixture = fixture
            let server = try fixture.storageServer()
            fixture.environment["GALLERY_SYNC_KEY"] = server.serviceKey
            let url = "http://127.0.0.1:\(try #require(server.port))"
            #expect(await fixture.run("init Pictures --url \(url) --bucket b --yes -q") == .success)
            await server.stop()
            #expect(try fixture.results + fixture.notes == "")
        }
    }
}

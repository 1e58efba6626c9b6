import Output
import Platform
import Testing

@testable import CommandLine
@testable import GallerySync

/// `status --check`, as a monitor calls it.
@Suite struct StatusCheckTests {
    private static let rest = "--local --state-dir state --set thumbnails.enabled=false"

    private func fixture(_ body: (CommandFixture) async throws -> Void) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"], body)
    }

    private func check(_ fixture: CommandFixture, _ more: String = "-q") async -> ExitCode {
        await fixture.run("status --check \(more) \(Self.rest)")
    }

    @Test func whatWasNeverSyncedIsNotWell() async throws {
        try await fixture { fixture async throws in
            #expect(await check(fixture) == .temporary)
            #expect(try fixture.notes.hasPrefix("gallery-sync: No sync is remembered. Run"))
            #expect(try fixture.results == "")
        }
    }

    @Test func whatIsStoredAndWasLookedAtIsWellAndSaysNothing() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            let (results, notes) = (try fixture.results, try fixture.notes)
            #expect(await check(fixture) == .success)
            #expect(try fixture.results == results)
            #expect(try fixture.notes == notes)
        }
    }

    @Test func aFileThatCameSinceIsSaid() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            try fixture.write("two", to: fixture.home.appending("Pictures/b.jpg"))
            #expect(await check(fixture) == .temporary)
            #expect(
                try fixture.notes.contains("gallery-sync: 1 file on disk is new or changed since the last look. "))
            #expect(try !fixture.results.contains("new or changed"))
        }
    }

    @Test func aRootThatIsGoneIsSaid() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            try Directory(fixture.home).rename("Pictures", to: "Elsewhere")
            #expect(await check(fixture) == .temporary)
            #expect(try fixture.notes.contains("gallery-sync: HOME/Pictures is not there. Mount"))
        }
    }

    @Test func aStartThatFailsIsRemembered() async throws {
        var fixture = try CommandFixture()
        defer { fixture.remove() }
        #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
        fixture.environment["GALLERY_SYNC_JWT_SECRET"] = "short"
        #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .configuration)
        #expect(await check(fixture) == .configuration)
        #expect(try fixture.notes.contains("gallery-sync: The last sync, "))
        #expect(try fixture.notes.contains("was refused: GALLERY_SYNC_JWT_SECRET"))
    }

    @Test func underJSONTheReasonIsADocument() async throws {
        try await fixture { fixture async throws in
            #expect(await check(fixture, "--json -q") == .temporary)
            #expect(try fixture.notes.hasPrefix(#"{"exit":5,"message":"No sync is remembered.","next":"Run "#))
            #expect(try fixture.results.contains("\"lastRun\" : null"))
        }
    }

    @Test func programsGetAllThatThePageHas() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await fixture.run("status --json \(Self.rest)") == .success)
            let results = try fixture.results
            for text in [
                "\"objects\" : 1", "\"name\" : \"photo\"", "\"path\" : \"Pictures/a.jpg\"", "\"ending\" : \"done\"",
            ] {
                #expect(results.contains(text), "\(text)")
            }
        }
    }

    @Test func aPageReplacesNothingButAPage() async throws {
        try await fixture { fixture async throws in
            let photo = fixture.home.appending("Pictures/a.jpg")
            #expect(await fixture.run("status --html Pictures/a.jpg \(Self.rest)") == .usage)
            #expect(try fixture.notes.contains("HOME/Pictures/a.jpg is there already and is no page of gallery-sync"))
            #expect(try OpenFile(reading: photo).readAll() == Array("one".utf8))
            for _ in 1...2 { #expect(await fixture.run("status --html page.html \(Self.rest)") == .success) }
            #expect(await fixture.run("status --html - \(Self.rest)") == .success)
            #expect(try fixture.results.contains("<!doctype html>"))
        }
    }
}

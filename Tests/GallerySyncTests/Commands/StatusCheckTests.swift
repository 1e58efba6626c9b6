import Output
import Platform
import Testing

@testable import CommandLine
@testable import GallerySync

/// `status --check`, as a monitor calls it.
@Suite struct StatusCheckTests {
    private static let rest = "--local --state-dir state --set thumbnails.enabled=false"

    private func household(_ body: (Household) async throws -> Void) async throws {
        let household = try Household()
        defer { household.remove() }
        try household.write("one", to: household.home.appending("Pictures/a.jpg"))
        try await body(household)
    }

    private func check(_ household: Household, _ more: String = "-q") async -> ExitCode {
        await household.run("status --check \(more) \(Self.rest)")
    }

    @Test func whatWasNeverSyncedIsNotWell() async throws {
        try await household { household async throws in
            #expect(await check(household) == .temporary)
            #expect(try household.notes.hasPrefix("gallery-sync: No sync is remembered. Run"))
            #expect(try household.results == "")
        }
    }

    @Test func whatIsStoredAndWasLookedAtIsWellAndSaysNothing() async throws {
        try await household { household async throws in
            #expect(await household.run("sync Pictures -q \(Self.rest)") == .success)
            let (results, notes) = (try household.results, try household.notes)
            #expect(await check(household) == .success)
            #expect(try household.results == results)
            #expect(try household.notes == notes)
        }
    }

    @Test func aFileThatCameSinceIsSaid() async throws {
        try await household { household async throws in
            #expect(await household.run("sync Pictures -q \(Self.rest)") == .success)
            try household.write("two", to: household.home.appending("Pictures/b.jpg"))
            #expect(await check(household) == .temporary)
            #expect(
                try household.notes.contains("gallery-sync: 1 file on disk is new or changed since the last look. "))
            #expect(try !household.results.contains("new or changed"))
        }
    }

    @Test func aRootThatIsGoneIsSaid() async throws {
        try await household { household async throws in
            #expect(await household.run("sync Pictures -q \(Self.rest)") == .success)
            try Directory(household.home).rename("Pictures", to: "Elsewhere")
            #expect(await check(household) == .temporary)
            #expect(try household.notes.contains("gallery-sync: HOME/Pictures is not there. Mount"))
        }
    }

    @Test func aStartThatFailsIsRemembered() async throws {
        var household = try Household()
        defer { household.remove() }
        #expect(await household.run("sync Pictures -q \(Self.rest)") == .success)
        household.environment["GALLERY_SYNC_JWT_SECRET"] = "short"
        #expect(await household.run("sync Pictures -q \(Self.rest)") == .configuration)
        #expect(await check(household) == .configuration)
        #expect(try household.notes.contains("gallery-sync: The last sync, "))
        #expect(try household.notes.contains("was refused: GALLERY_SYNC_JWT_SECRET"))
    }

    @Test func underJSONTheReasonIsADocument() async throws {
        try await household { household async throws in
            #expect(await check(household, "--json -q") == .temporary)
            #expect(try household.notes.hasPrefix(#"{"exit":5,"message":"No sync is remembered.","next":"Run "#))
            #expect(try household.results.contains("\"lastRun\" : null"))
        }
    }

    @Test func programsGetAllThatThePageHas() async throws {
        try await household { household async throws in
            #expect(await household.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await household.run("status --json \(Self.rest)") == .success)
            let results = try household.results
            for text in [
                "\"objects\" : 1", "\"name\" : \"photo\"", "\"path\" : \"Pictures/a.jpg\"", "\"ending\" : \"done\"",
            ] {
                #expect(results.contains(text), "\(text)")
            }
        }
    }

    @Test func aPageReplacesNothingButAPage() async throws {
        try await household { household async throws in
            let photo = household.home.appending("Pictures/a.jpg")
            #expect(await household.run("status --html Pictures/a.jpg \(Self.rest)") == .usage)
            #expect(try household.notes.contains("HOME/Pictures/a.jpg is there already and is no page of gallery-sync"))
            #expect(try OpenFile(reading: photo).readAll() == Array("one".utf8))
            for _ in 1...2 { #expect(await household.run("status --html page.html \(Self.rest)") == .success) }
            #expect(await household.run("status --html - \(Self.rest)") == .success)
            #expect(try household.results.contains("<!doctype html>"))
        }
    }
}

import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// `status --check`, as a monitor calls it.
@Suite struct StatusCheckTests {
    private static let rest = "--local --state-dir state --set thumbnails.enabled=false"

    /// The same beside a URL, which `--local` cannot stand with.
    private static func rest(of line: String) -> String {
        line.contains("destination.url") ? rest.replacing("--local ", with: "") : rest
    }

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

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (CommandFixture) throws -> Void
        /// How what is said begins; `nil` where all is well and nothing is said.
        let said: String?

        init(_ fact: String, _ said: String? = nil, change: @escaping @Sendable (CommandFixture) throws -> Void) {
            (testDescription, self.said, self.change) = (fact, said, change)
        }
    }

    @Test(arguments: [
        Change("what is stored and was looked at is well") { _ in },
        Change("a file that came since", "1 file on disk is new or changed since the last look. ") {
            try $0.write("two", to: $0.home.appending("Pictures/b.jpg"))
        },
        Change("one that changed since", "1 file on disk is new or changed since the last look. ") {
            try $0.write("longer", to: $0.home.appending("Pictures/a.jpg"))
        },
        Change("both", "2 files on disk are new or changed since the last look. ") {
            for name in ["a", "b"] { try $0.write("longer", to: $0.home.appending("Pictures/\(FilePath(name)).jpg")) }
        },
        Change("a file that is no media") { try $0.write("two", to: $0.home.appending("Pictures/.hidden")) },
        Change("a root that is gone", "HOME/Pictures is not there. Mount") {
            try Directory($0.home).rename("Pictures", to: "Elsewhere")
        },
    ])
    func whatChangedSinceIsSaid(_ row: Change) async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            let (results, notes) = (try fixture.results, try fixture.notes)
            try row.change(fixture)
            #expect(await check(fixture) == (row.said == nil ? .success : .temporary))
            #expect(try fixture.results == results)
            let said = try fixture.notes.dropFirst(notes.count)
            #expect(row.said.map { said.hasPrefix("gallery-sync: \($0)") } ?? said.isEmpty, "\(said)")
        }
    }

    @Test(arguments: ["destination.bucket=other", "destination.prefix=laptop"])
    func whatIsStoredElsewhereIsNotStoredThere(_ setting: String) async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await check(fixture, "-q --set \(setting)") == .configuration)
            let said = "That is in local media, and the configuration names another destination. Run"
            #expect(try fixture.notes.hasSuffix("begin anew there, or name the former one again.\n"))
            #expect(try fixture.notes.contains("gallery-sync: \(said)"))
            #expect(await fixture.run("status --set \(setting) \(Self.rest)") == .success)
            #expect(try fixture.results.contains("The one file is stored, but that is in local media, and the"))
            #expect(await check(fixture) == .success)
        }
    }

    /// A mistake of one call says nothing of how the profile is.
    @Test(arguments: [
        Fact("a file", "Pictures/a.jpg", ExitCode.usage), Fact("what holds a root", ".", .usage),
        Fact("another prefix", "Pictures --set destination.prefix=x", .configuration),
        Fact("another bucket", "--set destination.bucket=x", .configuration),
        Fact("another destination", "--set destination.url=https://a.example", .denied),
        Fact("another root", "--set roots=/dev/null", .usage),
    ])
    func aMistypedSyncIsNoTrouble(_ row: Fact<String, ExitCode>) async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            #expect(await fixture.run("sync \(row.input) -q \(Self.rest(of: row.input))") == row.output)
            #expect(await check(fixture) == .success)
        }
    }

    @Test func ofAMistypedSyncAloneNothingIsRemembered() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures/a.jpg -q \(Self.rest)") == .usage)
            #expect(await check(fixture) == .temporary)
            #expect(try fixture.notes.contains("gallery-sync: No sync is remembered. Run"))
        }
    }

    /// The same in the configuration is one: it stays until it is changed.
    @Test(arguments: [
        Fact(
            "another prefix", "destination: {local: true, prefix: 'x'}, roots: ['~/Pictures']", ExitCode.configuration),
        Fact("a root that is a file", "destination: {local: true}, roots: ['~/b.jpg']", .configuration),
        Fact("no key", "destination: {url: 'https://a.example'}, roots: ['~/Pictures']", .denied),
    ])
    func aMistakeInTheConfigurationIs(_ row: Fact<String, ExitCode>) async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            try fixture.write("two", to: fixture.home.appending("b.jpg"))
            try fixture.write("{profiles: {default: {\(row.input)}}}", to: fixture.configurationPath)
            #expect(await fixture.run("sync -q --state-dir state") == row.output)
            #expect(await fixture.run("status --check -q --state-dir state") == row.output)
        }
    }

    @Test func aSignInThatCannotBeReadHidesNothingElse() async throws {
        try await fixture { fixture async throws in
            #expect(await fixture.run("sync Pictures -q \(Self.rest)") == .success)
            try fixture.write("garbage", to: fixture.home.appending("state/state/default/session.json"))
            let line = "status --state-dir state --set destination.url=https://a.example"
            #expect(await fixture.run(line) == .success)
            #expect(try fixture.results.contains("1 of 1"))
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

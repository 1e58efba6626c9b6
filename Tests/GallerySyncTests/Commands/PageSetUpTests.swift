import Dashboard
import Foundation
import Output
import Platform
import SetUp
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// The answers of the set-up page, as they are read, tried and written.
@Suite struct PageSetUpTests {
    /// Answers as the page sends them.
    struct Typed: Encodable, Sendable {
        var folders = ["~/Pictures"]
        var url = "local"
        var place = "media"
        var budget = ""
        var key = ""
        var makesBucket = false

        static func with(_ change: (inout Typed) -> Void) -> Typed {
            var typed = Typed()
            change(&typed)
            return typed
        }

        /// As they arrive, with `HOME` as the fixture has it.
        func read(_ home: FilePath) throws -> SetUpAnswers {
            let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
            let here = text.replacing("HOME", with: home.display)
            return try JSONDecoder().decode(SetUpAnswers.self, from: Data(here.utf8))
        }
    }

    /// `FIELD: SENTENCE` for each trouble.
    static func troubles(_ verdict: SetUpVerdict) throws -> [String] {
        struct Told: Decodable {
            struct Trouble: Decodable {
                let field: String
                let sentence: String
            }
            let troubles: [Trouble]
        }
        let told = try JSONDecoder().decode(Told.self, from: JSONEncoder().encode(verdict))
        return told.troubles.map { "\($0.field): \($0.sentence)" }
    }

    static func with(
        _ configuration: String? = nil, _ body: (CommandFixture, PageSetUp) async throws -> Void
    ) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "Videos/2026/a.mp4": "two"]) { fixture async throws in
            var fixture = fixture
            // No systemd is found, so that nothing is started.
            fixture.environment["PATH"] = "/none"
            if let configuration { try fixture.write(configuration, to: fixture.configurationPath) }
            try await body(fixture, PageSetUp(fixture.unattended()))
        }
    }

    @Test(arguments: [
        Fact("all is well", Typed(), []),
        Fact("two folders", .with { $0.folders = ["~/Pictures", "HOME/Videos"] }, []),
        Fact("no folder", .with { $0.folders = [] }, ["folders: Name a folder."]),
        Fact(
            "folders that are none", .with { $0.folders = ["", "Pictures", "~/None", "~/Pictures/a.jpg"] },
            [
                "folders: Begin with / or ~/.", "folders: Begin with / or ~/.", "folders: HOME/None is no directory.",
                "folders: HOME/Pictures/a.jpg is no directory.",
            ]),
        Fact(
            "one within another", .with { $0.folders = ["~/Videos", "~/Videos/2026"] },
            ["folders: HOME/Videos/2026 lies in HOME/Videos: name only one of them."]),
        Fact("the same one twice", .with { $0.folders = ["~/Pictures", "HOME/Pictures/", "~/Pictures"] }, []),
        Fact(
            "no address", .with { $0.url = "" },
            ["url: "]),
        Fact("an address of another kind", .with { $0.url = "ftp://a" }, ["url: "]),
        Fact("a bucket without a name", .with { ($0.url, $0.place) = ("https://a.example", "") }, ["bucket: "]),
        Fact(
            "a key of two words", .with { ($0.url, $0.key) = ("https://a.example", "a b") }, ["key: A key is one word."]
        ),
        Fact(
            "a plan that there is not", .with { ($0.url, $0.budget) = ("https://a.example", "much") },
            ["budget: Answer \"free\", a size like 90GB, or \"unlimited\"."]),
        Fact(
            "all of it at once",
            Typed(folders: [], url: "x", place: "/", budget: "x", key: "a b"),
            ["folders: Name a folder.", "url: ", "bucket: ", "budget: ", "key: A key is one word."]),
        Fact("of this computer nothing else is asked", Typed(place: "/", budget: "x", key: "a b"), []),
    ])
    func eachAnswerHasItsOwnTrouble(_ row: Fact<Typed, [String]>) async throws {
        try await Self.with { fixture, page async throws in
            let told = Shared(0)
            let verdict = try await page.trial(row.input.read(fixture.home)) { _ in told.change { $0 += 1 } }
            let troubles = try Self.troubles(verdict).map { $0.replacing(fixture.home.display, with: "HOME") }
            #expect(troubles.count == row.output.count, "\(troubles)")
            for (trouble, expected) in zip(troubles, row.output) {
                #expect(expected.hasSuffix(": ") ? trouble.hasPrefix(expected) : trouble == expected)
            }
            #expect((told.value > 0) == row.output.isEmpty)
            #expect(try FileFacts.existing(fixture.configurationPath) == nil)
        }
    }

    /// The profile has `~/Videos/2026` already.
    @Test(arguments: [
        Fact("the larger one", ["~/Videos"], ["folders: HOME/Videos/2026 lies in HOME/Videos: name only one of them."]),
        Fact("the same one", ["~/Videos/2026"], []), Fact("another one", ["~/Pictures"], []),
        Fact(
            "a link to it", ["~/link"],
            ["folders: HOME/link is HOME/Videos/2026 by another name: name only one of them."]),
    ])
    func aFolderMustFitThoseOfTheProfile(_ row: Fact<[String], [String]>) async throws {
        let profile = "{profiles: {default: {roots: ['~/Videos/2026']}}}"
        try await Self.with(profile) { fixture, page async throws in
            try Directory(fixture.home).createLink("link", to: "Videos/2026")
            let answers = try Typed.with { $0.folders = row.input }.read(fixture.home)
            let troubles = try Self.troubles(await page.trial(answers) { _ in })
            #expect(troubles.map { $0.replacing(fixture.home.display, with: "HOME") } == row.output)
        }
    }

    @Test func whatWasNotFoundRightIsNotWritten() async throws {
        try await Self.with { fixture, page async throws in
            let (right, other) = (
                try Typed().read(fixture.home), try Typed.with { $0.folders = ["~/Videos"] }.read(fixture.home)
            )
            await #expect(throws: PageRefusal.self) { try await page.start(right) }
            #expect(try Self.troubles(await page.trial(right) { _ in }).isEmpty)
            await #expect(throws: PageRefusal.self) { try await page.start(other) }
            // Another trial, which fails, is about other answers.
            let broken = try Typed.with { $0.folders = [] }.read(fixture.home)
            #expect(try !Self.troubles(await page.trial(broken) { _ in }).isEmpty)
            await #expect(throws: PageRefusal.self) { try await page.start(right) }
            #expect(try FileFacts.existing(fixture.configurationPath) == nil)
        }
    }

    @Test(
        arguments: [
            Fact("a new profile", String?.none, Typed()),
            Fact(
                "two folders, one of them twice", nil, .with { $0.folders = ["~/Videos", "~/Pictures", "~/Videos/"] }),
            Fact(
                "a profile that has one of them",
                "{profiles: {default: {destination: {local: true}, roots: ['~/Pictures'], retry: {attempts: 3}}}}",
                .with { $0.folders = ["~/Pictures", "~/Videos"] }),
        ] as [Fact<String?, Typed>])
    func whatIsRightIsWrittenAndCanBeRead(_ row: Fact<String?, Typed>) async throws {
        try await Self.with(row.input) { fixture, page async throws in
            let answers = try row.output.read(fixture.home)
            #expect(try Self.troubles(await page.trial(answers) { _ in }).isEmpty)
            let outcome = try await page.start(answers)
            let told = String(decoding: try JSONEncoder().encode(outcome), as: UTF8.self)
            #expect(told.contains("Wrote ") && told.contains("watch"))
            #expect(await fixture.run("config check") == .success)
            let text = try fixture.configuration()
            for folder in ["~/Pictures", "~/Videos"] {
                let wanted = row.output.folders.contains { $0.hasPrefix(folder) }
                #expect(text.components(separatedBy: "\"\(folder)\"").count - 1 == (wanted ? 1 : 0), "\(text)")
            }
            if row.input != nil { #expect(text.contains("attempts: 3")) }
        }
    }

    /// The page offers what is likely, and shows what is known.
    @Test(
        arguments: [
            Fact("nothing is known", String?.none, ["~/Pictures", "~/Videos"]),
            Fact(
                "a profile is there",
                "{profiles: {default: {roots: ['~/Videos'], destination: {bucket: 'b', prefix: 'nas'}}}}",
                ["HOME/Videos", "b/nas"]),
            Fact("a broken configuration is told", "{profiles: [}", []),
        ] as [Fact<String?, [String]>])
    func itBeginsWithWhatIsKnown(_ row: Fact<String?, [String]>) async throws {
        try await Self.with(row.input) { fixture, page async throws in
            guard !row.output.isEmpty else {
                await #expect(throws: (any Error).self) { try await page.beginning() }
                return
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            let told = String(decoding: try encoder.encode(await page.beginning()), as: UTF8.self)
                .replacing(fixture.home.display, with: "HOME")
            for word in row.output { #expect(told.contains("\"\(word)\""), "\(told)") }
        }
    }
}

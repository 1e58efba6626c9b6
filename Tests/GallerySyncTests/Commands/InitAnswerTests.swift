import Output
import Platform
import TestSupport
import Testing

@testable import GallerySync

/// What an answer of `init` makes of a profile that is there, and what is offered for an empty one.
@Suite struct InitAnswerTests {
    static func profile(_ destination: String, roots: String = "['~/Pictures']") -> String {
        "{profiles: {default: {roots: \(roots), destination: \(destination)}}}"
    }

    /// A budget that is not asked about again must not grow by being rounded.
    @Test(arguments: [
        Fact("a round size", "90GB", "90 GB"), Fact("half a gigabyte more", "90.5GB", "90500 MB"),
        Fact("a binary size", "8GiB", "8 GiB"), Fact("single bytes", "1234567", "1234567"),
        Fact("no limit", "unlimited", "unlimited"),
    ])
    func anEmptyAnswerKeepsThePlan(_ row: Fact<String, String>) async throws {
        let file = Self.profile("{url: 'https://abc.supabase.co', bucket: 'b', storageBudget: '\(row.input)'}")
        try await CommandFixture.with([CommandFixture.configuration: file, "Videos/a.mp4": "x"]) {
            fixture async throws in
            #expect(await fixture.run("init Videos --no-try") == .success)
            let text = try fixture.configuration()
            #expect(text.contains("storageBudget: \"\(row.output)\""), "\(text)")
            #expect(text.contains("~/Videos") && text.contains("~/Pictures"))
        }
    }

    /// Spaces around a path are a slip of the hand, those within are a name's own.
    @Test(arguments: [
        Fact("one space", "~/My Pictures", "~/My Pictures"), Fact("two", "~/My  Pictures", "~/My  Pictures"),
        Fact("around it", "   ~/My  Pictures ", "~/My  Pictures"),
        Fact("a slash behind it", "~/My Pictures/", "~/My Pictures"),
    ])
    func aFolderMayHaveSpacesInItsName(_ row: Fact<String, String>) async throws {
        var fixture = try CommandFixture(answers: [row.input, "yes"])
        defer { fixture.remove() }
        fixture.environment["GALLERY_SYNC_DESTINATION_LOCAL"] = "true"
        for name in ["My Pictures", "My  Pictures"] { try Directory.create(at: fixture.home.appending(FilePath(name))) }
        #expect(await fixture.run("init") == .success)
        #expect(try fixture.configuration().contains("\"\(row.output)\""))
    }

    /// Answers that are not accepted are asked for again, with the reason.
    @Test(arguments: [
        Fact("a folder that is not there", ["~/None", "~/Pictures", "yes"], "HOME/None is no directory."),
        Fact("a relative one", ["Pictures", "~/Pictures", "yes"], "Begin with / or ~/."),
        Fact("neither yes nor no", ["~/Pictures", "perhaps", "no"], "Answer yes or no."),
    ])
    func whatIsNotAcceptedIsAskedAgain(_ row: Fact<[String], String>) async throws {
        let fixture = try CommandFixture(answers: row.input)
        defer { fixture.remove() }
        #expect(await fixture.run("init --local") == .success)
        #expect(try fixture.notes.contains(row.output))
        #expect(try fixture.configuration().contains("~/Pictures"))
    }

    /// Where the input ends, nothing is written.
    @Test(arguments: [[], ["~/Pictures"], ["~/None", "x"]] as [[String]])
    func anInputThatEndsWritesNothing(_ answers: [String]) async throws {
        let fixture = try CommandFixture(answers: answers)
        defer { fixture.remove() }
        #expect(await fixture.run("init --local") == .usage)
        #expect(try fixture.notes.contains("Nothing can be asked here; add "))
        #expect(try FileFacts.existing(fixture.configurationPath) == nil)
    }
}

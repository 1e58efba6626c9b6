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

    /// Folders as they are named, and those that the configuration has then; it can be read in any case.
    @Test(arguments: [
        Fact("one twice", ["init a a --local --yes"], ["~/a"]),
        Fact("one by many names", ["init a ./a/ a// ./b/../a HOME/a --local --yes"], ["~/a"]),
        Fact("two", ["init a b --local --yes"], ["~/a", "~/b"]),
        Fact("one that is there already", ["init a --local --yes", "init a b --local --yes"], ["~/a", "~/b"]),
        Fact("one below one that is there", ["init a --local --yes", "init a/c --local --yes"], ["~/a"]),
        Fact("a link to another", ["init link --local --yes"], ["~/link"]),
    ])
    func aFolderIsNamedOnce(_ row: Fact<[String], [String]>) async throws {
        try await CommandFixture.with(["a/c/1.jpg": "1", "b/2.jpg": "2"]) { fixture async throws in
            try Directory(fixture.home).createLink("link", to: "b")
            for line in row.input {
                #expect(await fixture.run(line.replacing("HOME", with: fixture.home.display)) == .success)
            }
            let roots = row.output.map { "\"\($0)\"" }.joined(separator: ", ")
            #expect(try fixture.configuration().contains("roots: [\(roots)]"))
            #expect(await fixture.run("config check") == .success)
        }
    }

    /// What no command could read afterwards is not written, and what was there stays.
    @Test(arguments: [
        Fact("one within another", ["init a a/c --local --yes"], "HOME/a/c lies in HOME/a: name only one of them."),
        Fact("the larger one last", ["init a/c a --local --yes"], "HOME/a/c lies in HOME/a: name only one of them."),
        Fact(
            "a larger one than the profile has", ["init a/c --local --yes", "init a --local --yes"],
            "HOME/a/c lies in HOME/a: name only one of them."),
        Fact(
            "one by another name", ["init b link --local --yes"],
            "HOME/link is HOME/b by another name: name only one of them."),
        Fact(
            "one of the profile by another name", ["init b --local --yes", "init link --local --yes"],
            "HOME/link is HOME/b by another name: name only one of them."),
        Fact(
            "all of the home, beside a part", ["init a . --local --yes"], "HOME/a lies in HOME: name only one of them."),
        Fact("a file", ["init b/2.jpg --local --yes"], "HOME/b/2.jpg is no directory."),
    ])
    func foldersThatHoldEachOtherAreRefused(_ row: Fact<[String], String>) async throws {
        try await CommandFixture.with(["a/c/1.jpg": "1", "b/2.jpg": "2"]) { fixture async throws in
            try Directory(fixture.home).createLink("link", to: "b")
            for line in row.input.dropLast() { #expect(await fixture.run(line) == .success) }
            let before = try? fixture.configuration()
            #expect(await fixture.run(row.input.last ?? "") == .usage)
            let notes = try fixture.notes
            #expect(notes.contains("gallery-sync: \(row.output)\n"), "\(notes)")
            #expect((try? fixture.configuration()) == before)
        }
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

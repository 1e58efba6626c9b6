import Configuration
import FoundationEssentials
import Output
import Platform
import TestSupport
import Testing

@testable import CommandLine
@testable import GallerySync

/// What `rescue` takes from its words, before any provider is asked.
@Suite struct RescueWordsTests {
    @Test(arguments: [
        Fact("a line that is no link", "https://a.example/1\nnonsense\n", "list.csv, line 2: \"nonsense\" is no link."),
        Fact(
            "several of them", "nonsense\nhttps://a.example/1\nmore\nand more\n",
            "list.csv, line 1: \"nonsense\" is no link (and 2 more)."),
        Fact(
            "a time that is none", "url,expires\nhttps://a.example/1,soon\n",
            "list.csv, line 2: \"soon\" is no time like 2026-11-22T10:00:00Z or 2h."),
        Fact("a quotation mark", "\"https://a.example/1\n", "list.csv, line 1: a quotation mark is not closed."),
        Fact("bytes that steer a terminal", "\u{1B}[2J\n", #"list.csv, line 1: "\u001b[2J" is no link."#),
    ])
    func ofAListWithAFaultNothingIsFetched(_ row: Fact<String, String>) async throws {
        try await CommandFixture.with(["list.csv": row.input]) { fixture async throws in
            for line in ["rescue list.csv", "rescue https://a.example/2 list.csv --dry-run"] {
                let before = try fixture.notes.count
                #expect(await fixture.run("\(line) --local --state-dir state") == .usage)
                let notes = try fixture.notes.dropFirst(before)
                #expect(notes.hasPrefix("gallery-sync: \(row.output) Nothing was fetched.\n"), "\(notes)")
            }
            #expect(try fixture.results.isEmpty)
            #expect(try FileFacts.existing(fixture.home.appending("state/state/default/jobs.json")) == nil)
        }
    }

    /// A list without any link is no fault, and neither is one that only leads to what is there.
    @Test(arguments: ["", "\n\n", "url,expires\n", "\u{FEFF}"])
    func aListWithoutALinkHasNothing(_ text: String) async throws {
        try await CommandFixture.with(["list.csv": text]) { fixture async throws in
            #expect(await fixture.run("rescue list.csv --local --state-dir state -q") == .success)
            #expect(try fixture.results == "Nothing to rescue.\n")
        }
    }

    private static let now = Date(timeIntervalSince1970: 1_795_168_800)

    @Test(
        arguments: [
            ("2h", now + 7_200), ("90m", now + 5_400), ("0s", now), ("1d12h", now + 129_600),
            ("2026-11-20", Date(timeIntervalSince1970: 1_795_132_800)),
            ("2026-11-22T10:00:00Z", Date(timeIntervalSince1970: 1_795_341_600)),
        ])
    func anAgeIsCountedFromNowOn(_ text: String, _ date: Date) throws {
        #expect(try #require(Since(text)).ahead(of: Self.now) == date)
    }
}

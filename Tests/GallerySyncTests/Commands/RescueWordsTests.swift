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
        Fact("a line that is no link", "nonsense\n", "list.csv, line 1: \"nonsense\" is no link."),
        Fact(
            "several of them", "nonsense\nmore\nand more\n",
            "list.csv, line 1: \"nonsense\" is no link (and 2 more)."),
        Fact(
            "a time that is none", "url,expires\nhttps://a.example/1,soon\n",
            "list.csv, line 2: \"soon\" is no time like 2026-11-22T10:00:00Z or 2h."),
        Fact("a quotation mark", "\"https://a.example/1\n", "list.csv, line 1: a quotation mark is not closed."),
        Fact(
            "a link that is not followed", "htps://a.example/2\n",
            "list.csv, line 1: The link is htps://; only https is followed."),
        Fact(
            "one of this network, and two more", "id,url\n1,https://10.0.0.8/1\n2,file:///1\n3,ftp://a.example/1\n",
            "list.csv, line 2: 10.0.0.8 is an address of this computer or its network; rescue.origins may allow it "
                + "(and 2 more)."),
        Fact(
            "a host in letters that are not ASCII", "https://bücher.example/1.mp4\n",
            "list.csv, line 1: The link's host has letters that are not ASCII: write it as browsers show it when it is "
                + "copied, such as xn--bcher-kva.example."),
        Fact("bytes that steer a terminal", "\u{1B}[2J\n", #"list.csv, line 1: "\u001b[2J" is no link."#),
    ])
    func ofAListWithoutAGoodLineNothingIsFetched(_ row: Fact<String, String>) async throws {
        try await CommandFixture.with(["list.csv": row.input]) { fixture async throws in
            for line in ["rescue list.csv", "rescue https://a.example/2 list.csv --dry-run"] {
                let before = try fixture.notes.count
                #expect(await fixture.run("\(line) --local --state-dir state") == .someFailed)
                let notes = try fixture.notes.dropFirst(before)
                #expect(notes.hasPrefix("gallery-sync: \(row.output) Nothing was fetched.\n"), "\(notes)")
            }
            #expect(try fixture.results.isEmpty)
            #expect(try FileFacts.existing(fixture.home.appending("state/state/default/jobs.json")) == nil)
        }
    }

    /// Each bad line is named, and the exit code says that not all was done.
    @Test func aBadLineOfAListStopsNoGoodOne() async throws {
        let list = "http://127.0.0.1:9/1.mp4\nnonsense\nhttps://10.0.0.8/1.mp4\nhttp://127.0.0.1:9/2.mp4\n"
        try await CommandFixture.with(["list.csv": list]) { fixture async throws in
            let line = "rescue list.csv --dry-run --local --state-dir state --set rescue.origins=http://127.0.0.1:9"
            #expect(await fixture.run(line) == .someFailed)
            let results = try fixture.results
            #expect(results.contains("1.mp4") && results.contains("2.mp4"), "\(results)")
            #expect(results.contains("list.csv, line 2: \"nonsense\" is no link.\n"), "\(results)")
            #expect(results.contains("list.csv, line 3: 10.0.0.8 is an address"), "\(results)")
            #expect(await fixture.run("\(line) --json") == .someFailed)
            #expect(try fixture.results.contains("\"list.csv, line 2:"))
        }
    }

    /// Whether one link or several: none of them is taken, and no state begins.
    @Test(arguments: [
        Fact("file:///etc/passwd", "file:///etc/passwd", "The link is file://; only https is followed"),
        Fact("a scheme mistyped", "htps://a.example/1.mp4", "The link is htps://; only https is followed"),
        Fact(
            "a plain one", "http://a.example/1.mp4",
            "The link is http://, which is followed only to the addresses in rescue.origins"),
        Fact(
            "an address of this network", "https://10.0.0.8/1.mp4",
            "10.0.0.8 is an address of this computer or its network; rescue.origins may allow it"),
        Fact("no address", "https://a b/", "The link is no address that can be followed safely"),
    ])
    func aLinkThatIsNotFollowedIsRefused(_ row: Fact<String, String>) async throws {
        try await CommandFixture.with { fixture async throws in
            for others in [[], ["https://a.example/2.mp4"], ["--dry-run"]] {
                let before = try fixture.notes.count
                let words = ["rescue"] + others + [row.input, "--local", "--state-dir", "state"]
                #expect(await fixture.run(words) == .someFailed)
                let notes = try fixture.notes.dropFirst(before)
                let said = "gallery-sync: \(row.input): \(row.output). Nothing was fetched.\n"
                #expect(notes.hasPrefix(said), "\(notes)")
            }
            #expect(try fixture.results.isEmpty)
            #expect(try FileFacts.existing(fixture.home.appending("state")) == nil)
        }
    }

    @Test func theHostsOfTheSettingsHold() async throws {
        try await CommandFixture.with { fixture async throws in
            let line = "rescue https://b.example/1.mp4 --local --state-dir state --set rescue.hosts=a.example"
            #expect(await fixture.run(line) == .someFailed)
            #expect(try fixture.notes.contains("https://b.example/1.mp4: b.example is none of the hosts"))
            let plain = "rescue http://127.0.0.1:9/1.mp4 --dry-run --local --state-dir state"
            #expect(await fixture.run(plain) == .someFailed)
            #expect(await fixture.run("\(plain) --set rescue.origins=http://127.0.0.1:9") == .success)
        }
    }

    /// A list without any link is no fault, and neither is one that only leads to what is there.
    @Test(arguments: ["", "\n\n", "url,expires\n", "\u{FEFF}"])
    func aListWithoutALinkHasNothing(_ text: String) async throws {
        try await CommandFixture.with(["list.csv": text]) { fixture async throws in
            #expect(await fixture.run("rescue list.csv --local --state-dir state") == .success)
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

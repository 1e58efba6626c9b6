import FoundationEssentials
import Rescue
import Testing

@Suite struct RescueListTests {
    @Test(arguments: [
        ("a link a line", "https://a/1.mp4\nhttps://a/2.mp4\n", ["https://a/1.mp4", "https://a/2.mp4"]),
        ("no newline at the end", "https://a/1.mp4", ["https://a/1.mp4"]),
        (
            "DOS line ends, empty lines and a byte order mark", "\u{FEFF}https://a/1.mp4\r\n\r\nhttps://a/2.mp4\r\n",
            ["https://a/1.mp4", "https://a/2.mp4"]
        ),
        ("headings in any order", "id,URL\n7,https://a/1.mp4\n", ["https://a/1.mp4"]),
        (
            "quotes hold commas and doubled quotes", "url\n\"https://a/1.mp4?a=1,2&b=\"\"x\"\"\"\n",
            ["https://a/1.mp4?a=1,2&b=\"x\""]
        ),
        ("semicolons part fields too", "name;url\nx;https://a/1.mp4\n", ["https://a/1.mp4"]),
        ("white space at the ends is none of it", "url , expires\n  https://a/1.mp4 ,\n", ["https://a/1.mp4"]),
        (
            "a quotation mark within a field is one of its signs",
            "id,title,url\n1,7\" clip,https://a/1.mp4\n2,8\" clip,https://a/2.mp4\n",
            ["https://a/1.mp4", "https://a/2.mp4"]
        ),
        (
            "one in a link is, too", "https://a/1.mp4?a=\"b\nhttps://a/2.mp4\n",
            ["https://a/1.mp4?a=\"b", "https://a/2.mp4"]
        ),
        ("quotes after white space are quotes", "url,x\n  \"https://a/1.mp4?a,b\" ,7\n", ["https://a/1.mp4?a,b"]),
        ("an empty field in quotes", "url,x\nhttps://a/1.mp4,\"\"\n", ["https://a/1.mp4"]),
        (
            "line ends within quotes", "url,x\nhttps://a/1.mp4,\"a\nb\"\nhttps://a/2.mp4,c\n",
            ["https://a/1.mp4", "https://a/2.mp4"]
        ),
        (
            "without headings a comma is one of a link's signs", "https://a/1.mp4?a=1,2&b=3\n",
            ["https://a/1.mp4?a=1,2&b=3"]
        ),
        ("a semicolon is, too", "https://a/1.mp4;v=1?a;b\n", ["https://a/1.mp4;v=1?a;b"]),
        ("those at its end are not", "https://a/1.mp4,;\nhttps://a/2.mp4 ,\n", ["https://a/1.mp4", "https://a/2.mp4"]),
        (
            "a link ends at white space", "https://a/1.mp4, my clip\nhttps://a/2.mp4\tb\n",
            ["https://a/1.mp4", "https://a/2.mp4"]
        ),
        (
            "a row may hold several links", "https://a/1.mp4,https://a/2.mp4;http://a/3.mp4?x=1,2\n",
            ["https://a/1.mp4", "https://a/2.mp4", "http://a/3.mp4?x=1,2"]
        ),
        ("a quoted link ends with its quotes", "\"https://a/1.mp4?a,b\",c\n", ["https://a/1.mp4?a,b"]),
        ("a quoted field is none of the link before it", "https://a/1.mp4,\"a\"\n", ["https://a/1.mp4"]),
        (
            "letters that an address has only escaped are escaped, as browsers do", "https://a/vidéo 1.mp4?q=ü\n",
            ["https://a/vid%C3%A9o%201.mp4?q=%C3%BC"]
        ),
        ("what is escaped stays as it is", "https://a/%C3%A9%2f.mp4\n", ["https://a/%C3%A9%2f.mp4"]),
        ("nothing", "", []),
        ("headings alone", "url,expires\n", []),
    ])
    func theLinks(_ row: (why: String, text: String, links: [String])) {
        let list = RescueList(row.text)
        #expect(list.links.map(\.url) == row.links, "\(row.why)")
        #expect(list.faults.isEmpty)
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(
        arguments: [
            ("none is told", "url\nhttps://a/1\n", nil, [nil]), ("that of all", "url\nhttps://a/1\n", now, [now]),
            (
                "a row's own goes before that of all",
                "url,expires_at\nhttps://a/1,2026-11-22T10:00:00Z\nhttps://a/2,\n",
                now, [Date(timeIntervalSince1970: 1_795_341_600), now]
            ),
            (
                "a time that is left counts from now", "url,expires\nhttps://a/1,2h\nhttps://a/2,90m\n", nil,
                [now + 7_200, now + 5_400]
            ),
            (
                "one that is left goes before that of all, too", "url,expires\nhttps://a/1,2h\n", now + 1,
                [now + 7_200]
            ),
        ] as [(String, String, Date?, [Date?])])
    func theirTime(_ row: (why: String, text: String, all: Date?, times: [Date?])) {
        let list = RescueList(row.text, expires: row.all, now: Self.now)
        #expect(list.links.map(\.expires) == row.times && list.faults.isEmpty, "\(row.why)")
    }

    @Test(arguments: [
        ("url\nhttps://a/1\nnonsense\n", "line 3: \"nonsense\" is no link"),
        ("url,expires\nhttps://a/1,soon\n", "line 2: \"soon\" is no time like 2026-11-22T10:00:00Z or 2h"),
        ("url,expires\nhttps://a/1,2\n", "line 2: \"2\" is no time like 2026-11-22T10:00:00Z or 2h"),
        ("id,url\n7\n", "line 2: \"\" is no link"),
        ("7,https://a/1\n", "line 1: \"7\" is no link"),
        ("url\nhttps://a/1\n\"https://a/2\nhttps://a/3\n", "line 3: a quotation mark is not closed"),
    ])
    func whatIsNoLinkIsNamedByItsLine(_ row: (text: String, fault: String)) {
        #expect(RescueList(row.text).faults == [row.fault])
    }
}

import Providers
import Testing

@Suite struct LinkRulesTests {
    @Test(arguments: [
        "https://v3b.fal.media/files/a.mp4", "https://storage.googleapis.com/x?a=b", "https://8.8.8.8/v.mp4",
        "https://[2606:4700::1111]/v.mp4", "https://d1.cloudfront.net:8443/x.mp4?_jwt=a.b.c", "HTTPS://A.IO/V",
    ])
    func aPublicPlaceOverHTTPSIsFollowed(link: String) {
        #expect(LinkRules().refusal(of: link) == nil)
    }

    @Test(arguments: [
        ("http://v3b.fal.media/a.mp4", LinkRefusal.scheme("http")), ("file:///etc/passwd", .scheme("file")),
        ("file:/etc/passwd", .scheme("file")), ("ftp://a.io/v", .scheme("ftp")), ("https://", .unreadable),
        ("//a.io/v", .unreadable), ("https://user:word@a.io/v", .unreadable),
        ("https://a.io\\@127.0.0.1/", .unreadable),
        ("https://a.io /v", .unreadable), ("https://é.io/v", .foreignLetters), ("https://%C3%A9.io/v", .foreignLetters),
        ("https://é@a.io/v", .unreadable), ("https://a.io:0/v", .unreadable),
        ("https://a.io:+443/v", .unreadable),
        ("https://a.io:65536/v", .unreadable), ("https://%3127.0.0.1/", .unreadable), ("https://[::1/", .unreadable),
        ("https://localhost/v", .localName("localhost")), ("https://minio/v", .localName("minio")),
        ("https://nas.local./v", .localName("nas.local")), ("https://[fe80::zz]/", .unreadable),
        ("https://metadata.google.internal/", .localName("metadata.google.internal")),
    ])
    func whatIsNoSafeLinkIsRefused(link: String, refusal: LinkRefusal) {
        #expect(LinkRules().refusal(of: link) == refusal)
    }

    @Test(arguments: [
        "127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "0.0.0.0", "10.0.0.1", "100.64.0.1",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255",
        "[::1]", "[::]", "[fe80::1]", "[fc00::1]", "[ff02::1]", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]",
        "[64:ff9b::10.0.0.1]", "[2002:7f00:1::]", "[2001:db8::1]", "[2001::1]",
    ])
    func aPrivateAddressIsRefusedHoweverItIsSpelled(host: String) {
        guard case .privateAddress? = LinkRules().refusal(of: "https://\(host)/v.mp4") else {
            Issue.record("followed \(host)")
            return
        }
    }

    /// Each range that is not of the public internet, and the addresses before and behind it, where those are.
    @Test(arguments: [
        ("0.0.0.0", "0.255.255.255", ["1.0.0.0"]), ("10.0.0.0", "10.255.255.255", ["9.255.255.255", "11.0.0.0"]),
        ("100.64.0.0", "100.127.255.255", ["100.63.255.255", "100.128.0.0"]),
        ("127.0.0.0", "127.255.255.255", ["126.255.255.255", "128.0.0.0"]),
        ("169.254.0.0", "169.254.255.255", ["169.253.255.255", "169.255.0.0"]),
        ("172.16.0.0", "172.31.255.255", ["172.15.255.255", "172.32.0.0"]),
        ("192.0.0.0", "192.0.0.255", ["191.255.255.255", "192.0.1.0"]),
        ("192.0.2.0", "192.0.2.255", ["192.0.1.255", "192.0.3.0"]),
        ("192.88.99.0", "192.88.99.255", ["192.88.98.255", "192.88.100.0"]),
        ("192.168.0.0", "192.168.255.255", ["192.167.255.255", "192.169.0.0"]),
        ("198.18.0.0", "198.19.255.255", ["198.17.255.255", "198.20.0.0"]),
        ("198.51.100.0", "198.51.100.255", ["198.51.99.255", "198.51.101.0"]),
        ("203.0.113.0", "203.0.113.255", ["203.0.112.255", "203.0.114.0"]),
        ("224.0.0.0", "255.255.255.255", ["223.255.255.255"]),
        ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2000::"]),
        (
            "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
            ["2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"]
        ),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:db7:ffff::", "2001:db9::"]),
        ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2001:ffff:ffff::", "2003::"]),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", ["3ffe:ffff::", "3fff:1000::"]),
        ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]),
        // An address of the old internet within one of the new is judged as what it is.
        ("::ffff:10.0.0.0", "::ffff:10.255.255.255", ["::ffff:9.255.255.255", "::ffff:11.0.0.0"]),
        ("64:ff9b::192.168.0.0", "64:ff9b::192.168.255.255", ["64:ff9b::192.167.255.255", "64:ff9b::192.169.0.0"]),
        ("64:ff9b:1::8.8.8.8", "64:ff9b:1:ffff:ffff:ffff:8.8.8.8", []),
    ])
    func aRangeIsPrivateFromItsFirstAddressToItsLast(first: String, last: String, neighbours: [String]) throws {
        for text in [first, last] { #expect(try !#require(IPAddress(text)).isPublic, "\(text)") }
        for text in neighbours { #expect(try #require(IPAddress(text)).isPublic, "\(text)") }
    }

    @Test(arguments: ["", "1.2.3.4.5", "256.1.1.1", "1..2", "1.2.3.x", "08.1.1.1", "::1::", "1:2:3", "12345::", ":::"])
    func whatIsNoAddressIsNone(text: String) {
        #expect(IPAddress(text) == nil)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rules: LinkRules
        let link: String
        /// What the name resolves to.
        let addresses: [String]
        let refusal: LinkRefusal?

        init(
            _ fact: String, _ rules: LinkRules, _ link: String, resolvedTo addresses: [String] = [],
            _ refusal: LinkRefusal?
        ) {
            (testDescription, self.rules, self.link) = (fact, rules, link)
            (self.addresses, self.refusal) = (addresses, refusal)
        }
    }

    private static let rebind = "https://rebind.example/v.mp4"
    private static let minio = LinkRules(configured: ["http://minio:9000/bucket", "nonsense"])
    private static let list = LinkRules(hosts: ["Fal.media", "*.fal.media"])
    private static let own: LinkRules = {
        var rules = LinkRules(hosts: ["a.io"])
        rules.providerHosts = [.fal: ["Fal.media"]]
        return rules
    }()

    @Test(arguments: [
        Row("public answers are followed", LinkRules(), rebind, resolvedTo: ["93.184.216.34", "2606:4700::1111"], nil),
        Row(
            "one private answer of the resolver is enough", LinkRules(), rebind,
            resolvedTo: ["93.184.216.34", "10.1.2.3"],
            .privateAddress(host: "rebind.example", address: "10.1.2.3")),
        Row(
            "so is one that is no address", LinkRules(), rebind, resolvedTo: ["nonsense"],
            .privateAddress(host: "rebind.example", address: "nonsense")),
        Row("the configured origin may be plain", minio, "http://minio:9000/b/v.mp4?X-Amz-Date=1", nil),
        Row("and private", minio, "http://minio:9000/v", resolvedTo: ["172.18.0.2"], nil),
        Row("another port is another origin", minio, "http://minio:9001/v", .scheme("http")),
        Row("so is another scheme", minio, "https://minio:9000/v", .localName("minio")),
        Row("a host of the list", list, "https://fal.media/a", nil),
        Row("one below a host of the list", list, "https://v3b.fal.media/a", nil),
        Row("one that ends alike", list, "https://evilfal.media/a", .foreignHost("evilfal.media")),
        Row("one that begins alike", list, "https://fal.media.evil.io/a", .foreignHost("fal.media.evil.io")),
        Row("a path that says so", list, "https://a.io/fal.media", .foreignHost("a.io")),
        Row(
            "a list leads to no private address", LinkRules(hosts: ["*.io"]), "https://a.io/", resolvedTo: ["::1"],
            .privateAddress(host: "a.io", address: "::1")),
        Row("the provider's own list", own.of(.fal), "https://fal.media/v.mp4", nil),
        Row("in place of the usual one", own.of(.fal), "https://a.io/v.mp4", .foreignHost("a.io")),
        Row("which a provider without one has", own.of(.runway), "https://a.io/v.mp4", nil),
        Row("as has a link of none", own.of(nil), "https://fal.media/v.mp4", .foreignHost("fal.media")),
    ])
    func aLinkIsJudgedByTheRules(_ row: Row) {
        #expect(row.rules.refusal(of: row.link, resolvedTo: row.addresses) == row.refusal)
        if row.addresses.isEmpty { #expect(row.rules.refusal(of: row.link) == row.refusal) }
    }

    @Test(arguments: [
        ("https://b.io/w", "https://b.io/w"), ("//b.io/w", "https://b.io/w"), ("/w?x=1", "https://a.io/w?x=1"),
        ("w.mp4", "https://a.io/dir/w.mp4"), ("../w.mp4", "https://a.io/w.mp4"), ("?s=2", "https://a.io/dir/v.mp4?s=2"),
        ("/w?then=https://b.io/", "https://a.io/w?then=https://b.io/"), ("/vidéo 1", "https://a.io/vid%C3%A9o%201"),
    ])
    func aRedirectIsResolved(location: String, target: String) throws {
        #expect(try LinkRules().target(of: location, from: "https://a.io/dir/v.mp4?s=1") == target)
    }

    @Test(arguments: [
        "http://127.0.0.1/", "https://169.254.169.254/latest", "file:///etc/passwd", "http://b.io/w",
        "file:/etc/passwd", "https://127.1/", "https://%3127.0.0.1/", "//[::1]/", "https://user:word@b.io/",
        "https://b.io\\@127.0.0.1/", "https://b.io /w", "javascript://b.io/w", "http://",
    ])
    func aRedirectIsJudgedLikeALink(location: String) {
        #expect(throws: LinkRefusal.self) { try LinkRules().target(of: location, from: "https://a.io/v.mp4") }
    }

    /// With a limit of 1 GiB.
    @Test(
        arguments: [
            ("twice its promise and 1 MiB", 10 << 20, 21 << 20), ("of a single byte, too", 1, (1 << 20) + 2),
            ("the limit where nothing is promised", nil, 1 << 30), ("or no byte", 0, 1 << 30),
            ("or less", -1, 1 << 30), ("a byte less than half the limit", (1 << 29) - 1, 1 << 30),
            ("half the limit", 1 << 29, 1 << 30), ("more than there is", .max, 1 << 30),
        ] as [(String, Int64?, Int64)])
    func aFileMayNotOutgrowItsPromise(_ row: (why: String, promised: Int64?, limit: Int64)) {
        let rules = LinkRules(sizeLimit: 1 << 30)
        #expect(rules.allowance(promised: row.promised) == row.limit, "\(row.why)")
        #expect(rules.refusal(ofSize: row.limit, promised: row.promised) == nil, "\(row.why)")
        let refusal = LinkRefusal.tooLarge(row.limit + 1, limit: row.limit)
        #expect(rules.refusal(ofSize: row.limit + 1, promised: row.promised) == refusal, "\(row.why)")
    }

    @Test func everyRefusalIsASentence() {
        let refusals: [LinkRefusal] = [
            .unreadable, .scheme("file"), .privateAddress(host: "a.io", address: "10.0.0.1"), .localName("nas"),
            .privateAddress(host: "10.0.0.1", address: "10.0.0.1"), .foreignHost("a.io"), .tooLarge(2, limit: 1),
        ]
        #expect(refusals.allSatisfy { "\($0)".hasSuffix(".") })
        #expect(Set(refusals.map(String.init(describing:))).count == refusals.count)
    }
}

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
        ("https://a.io /v", .unreadable), ("https://é.io/v", .unreadable), ("https://a.io:0/v", .unreadable),
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

    @Test(arguments: ["172.15.255.255", "172.32.0.0", "169.253.255.255", "100.128.0.0", "223.255.255.255", "128.0.0.0"])
    func theAddressNextToAPrivateRangeIsPublic(host: String) {
        #expect(LinkRules().refusal(of: "https://\(host)/v.mp4") == nil)
    }

    @Test(arguments: ["", "1.2.3.4.5", "256.1.1.1", "1..2", "1.2.3.x", "08.1.1.1", "::1::", "1:2:3", "12345::", ":::"])
    func whatIsNoAddressIsNone(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func onePrivateAnswerOfTheResolverIsEnough() {
        let rules = LinkRules()
        let link = "https://rebind.example/v.mp4"
        #expect(rules.refusal(of: link, resolvedTo: ["93.184.216.34", "2606:4700::1111"]) == nil)
        #expect(
            rules.refusal(of: link, resolvedTo: ["93.184.216.34", "10.1.2.3"])
                == .privateAddress(host: "rebind.example", address: "10.1.2.3"))
        #expect(rules.refusal(of: link, resolvedTo: ["nonsense"]) != nil)
    }

    @Test func onlyTheConfiguredOriginMayBePlainAndPrivate() {
        let rules = LinkRules(configured: ["http://minio:9000/bucket", "nonsense"])
        #expect(rules.refusal(of: "http://minio:9000/b/v.mp4?X-Amz-Date=1") == nil)
        #expect(rules.refusal(of: "http://minio:9000/v", resolvedTo: ["172.18.0.2"]) == nil)
        #expect(rules.refusal(of: "http://minio:9001/v") == .scheme("http"))
        #expect(rules.refusal(of: "https://minio:9000/v") == .localName("minio"))
    }

    @Test(arguments: [
        ("https://fal.media/a", true), ("https://v3b.fal.media/a", true), ("https://evilfal.media/a", false),
        ("https://fal.media.evil.io/a", false), ("https://a.io/fal.media", false),
    ])
    func aListOfHostsIsKeptTo(link: String, isFollowed: Bool) {
        let rules = LinkRules(hosts: ["Fal.media", "*.fal.media"])
        #expect((rules.refusal(of: link) == nil) == isFollowed)
    }

    @Test func aProviderMayHaveAListOfItsOwn() {
        var rules = LinkRules(hosts: ["a.io"])
        rules.providerHosts = [.fal: ["Fal.media"]]
        #expect(rules.of(.fal).refusal(of: "https://fal.media/v.mp4") == nil)
        #expect(rules.of(.fal).refusal(of: "https://a.io/v.mp4") == .foreignHost("a.io"))
        #expect(rules.of(.runway).refusal(of: "https://a.io/v.mp4") == nil)
        #expect(rules.of(nil).refusal(of: "https://fal.media/v.mp4") == .foreignHost("fal.media"))
    }

    @Test(arguments: [
        ("https://b.io/w", "https://b.io/w"), ("//b.io/w", "https://b.io/w"), ("/w?x=1", "https://a.io/w?x=1"),
        ("w.mp4", "https://a.io/dir/w.mp4"), ("../w.mp4", "https://a.io/w.mp4"), ("?s=2", "https://a.io/dir/v.mp4?s=2"),
        ("/w?then=https://b.io/", "https://a.io/w?then=https://b.io/"),
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

    @Test func aFileMayNotOutgrowItsPromise() {
        let rules = LinkRules(sizeLimit: 1 << 30)
        let promised: Int64 = 10 << 20
        #expect(rules.allowance(promised: promised) == 21 << 20)
        #expect(rules.refusal(ofSize: 21 << 20, promised: promised) == nil)
        #expect(rules.refusal(ofSize: 10 << 30, promised: promised) == .tooLarge(10 << 30, limit: 21 << 20))
        #expect(rules.refusal(ofSize: 1 << 30) == nil)
        #expect(rules.refusal(ofSize: 1 << 30 + 1) == .tooLarge(1 << 30 + 1, limit: 1 << 30))
        #expect(rules.allowance(promised: .max) == 1 << 30)
        #expect(rules.allowance(promised: 0) == 1 << 30)
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

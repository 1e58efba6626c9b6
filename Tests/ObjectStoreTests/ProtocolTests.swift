import TestSupport
import Testing

@testable import ObjectStore

@Suite struct JSONTests {
    @Test(
        arguments: [
            Fact("nothing", JSON.null, "null"),
            Fact("flags", [true, false], "[true,false]"),
            Fact("whole numbers", [0, -7, 9_007_199_254_740_993], "[0,-7,9007199254740993]"),
            Fact("other numbers", .number(1.5), "1.5"),
            Fact("no number JSON has", .number(.infinity), "null"),
            Fact("members keep their order", ["b": 1, "a": []], #"{"b":1,"a":[]}"#),
            Fact(
                "texts are escaped as JavaScript does", "\"\\/\u{8}\t\n\u{c}\r\u{1}\u{1f}é😀",
                #""\"\\/\b\t\n\f\r\u0001\u001fé😀""#),
        ] as [Fact<JSON, String>])
    func isWritten(_ fact: Fact<JSON, String>) {
        #expect(fact.input.rendered == fact.output)
        if fact.input != .number(.infinity) { #expect(JSON(parsing: Array(fact.output.utf8))?.rendered != nil) }
    }

    @Test(
        arguments: [
            ("{", nil), ("", nil), ("[1", nil), ("nul", nil),
            (#"{"b":1,"a":{"c":[null,"x",2.5,true]}}"#, #"{"a":{"c":[null,"x",2.5,true]},"b":1}"#),
            ("7", "7"), (#""x""#, #""x""#), ("1e3", "1000"),
        ] as [(String, String?)])
    func isRead(text: String, expected: String?) {
        #expect(JSON(parsing: Array(text.utf8))?.rendered == expected)
    }
}

@Suite struct NamesTests {
    @Test(arguments: [
        ("a", true), ("A-z_0/9!.*'() &$@=;:+,?", true), ("/", true), ("a//b", true), ("trail/", true), ("", false),
        ("%", false), ("#", false), ("a[1]", false), ("{", false), ("^", false), ("~", false), ("`", false),
        ("\"", false), ("<", false), (">", false), ("|", false), ("\\", false), ("\t", false), ("\n", false),
        ("\0", false), ("ñ", false), ("日本", false), ("e\u{301}", false), ("😀", false),
    ])
    func keys(text: String, isKey: Bool) {
        #expect(Names.isKey(text) == isKey)
    }

    @Test(arguments: [
        ("b", true), (String(repeating: "x", count: 100), true), (String(repeating: "x", count: 101), false),
        ("a/b", false), (" a", false), ("a ", false), ("a b", true), ("", false), ("バケツ", false),
        ("x--table-s3", false),
    ])
    func buckets(text: String, isBucket: Bool) {
        #expect(Names.isBucket(text) == isBucket)
    }

    @Test(arguments: [
        (".", true), ("..", true), ("a/./b", true), ("a/../b", true), ("../a", true), ("a/..", true),
        ("..hidden", false), ("dot./x", false), ("a/.b", false), ("...", false),
    ])
    func dotSegments(key: String, has: Bool) {
        #expect(Names.hasDotSegment(key) == has)
    }

    @Test(arguments: [(255, false), (256, true)])
    func longSegments(count: Int, isLong: Bool) {
        #expect(Names.hasLongSegment("a/" + String(repeating: "s", count: count) + "/b") == isLong)
    }

    @Test(arguments: [
        ("image/png", true), ("image/*", true), ("image/svg+xml", true), ("text/plain; charset=utf-8", true),
        ("notamime", false), ("/png", false), ("image/", false), ("image/*;x", false), ("a/b/c", false), ("", false),
    ])
    func typeRules(text: String, isRule: Bool) {
        #expect(Names.isTypeRule(text) == isRule)
    }

    @Test(arguments: [
        ("image/png", "image/png", true), ("image/png", "image/*", true), ("image/png", "image/jpeg", false),
        ("IMAGE/PNG", "image/*", false), ("text/plain;charset=UTF-8", "text/plain", false),
        ("imagex/png", "image/*", false),
    ])
    func types(type: String, rule: String, satisfies: Bool) {
        #expect(Names.satisfies(type, rule: rule) == satisfies)
    }
}

@Suite struct ServerTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_795_199_805_278, "2026-11-20T18:36:45.278Z", "Fri, 20 Nov 2026 18:36:45 GMT"),
            (951_782_400_001, "2000-02-29T00:00:00.001Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z", "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-1, "1969-12-31T23:59:59.999Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
            (1_704_067_199_999, "2023-12-31T23:59:59.999Z", "Sun, 31 Dec 2023 23:59:59 GMT"),
        ] as [(Int64, String, String)])
    func isWrittenAndRead(milliseconds: Int64, iso8601: String, httpDate: String) {
        let time = ServerTime(milliseconds: milliseconds)
        #expect(time.iso8601 == iso8601)
        #expect(time.httpDate == httpDate)
        #expect(ServerTime.milliseconds(iso8601: iso8601) == milliseconds)
        let second = milliseconds >= 0 ? milliseconds / 1000 * 1000 : -1000
        #expect(ServerTime.milliseconds(httpDate: httpDate) == second)
    }

    @Test(arguments: ["", "yesterday", "Fri, 20 Nvo 2026 18:36:45 GMT", "2026-11-20"])
    func whatIsNoDateIsNone(text: String) {
        #expect(ServerTime.milliseconds(httpDate: text) == nil)
        #expect(ServerTime.milliseconds(iso8601: text) == nil)
    }
}

@Suite struct CallerTests {
    static let user = Caller(role: .user, subject: "me")

    @Test(
        arguments: [
            Fact("the service role", ["role": "service_role"], .service),
            Fact("a user", ["role": "authenticated", "sub": "me"], .user),
            Fact("anon", ["role": "anon"], .anyone),
            Fact("a role we do not know", ["role": "postgres"], .anyone),
            Fact("no role", [:], .anyone),
        ] as [Fact<JSON, Caller.Role>])
    func theRoleIsInTheToken(_ fact: Fact<JSON, Caller.Role>) {
        #expect(Caller(claims: fact.input).role == fact.output)
    }

    @Test(arguments: [
        ("me/a.jpg", true), ("me/", true), ("me", false), ("mean/a.jpg", false), ("other/me/a.jpg", false), ("", false),
    ])
    func aUserOwnsTheFirstFolderOfThatName(key: String, owns: Bool) {
        #expect(Self.user.owns(key) == owns)
        #expect(Caller(role: .service, subject: nil).owns(key))
        #expect(!Caller.anyone.owns(key))
    }

    @Test func aUserWithoutAnIDOwnsNothing() {
        for subject in [nil, ""] {
            #expect(!Caller(role: .user, subject: subject).owns("/a"))
            #expect(!Caller(role: .user, subject: subject).owns("a"))
        }
    }
}

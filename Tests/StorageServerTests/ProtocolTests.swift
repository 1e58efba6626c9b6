import Platform
import Serving
import TestSupport
import Testing

@testable import ObjectStore
@testable import StorageServer

@Suite struct TokenTests {
    static let now: Int64 = 1_000
    static let token = Token(secret: "secret")
    static let other = Token(secret: "other")

    @Test func whatWasSignedIsRead() throws {
        let claims: JSON = ["exp": 1001, "role": "anon"]
        #expect(try Self.token.claims(of: Self.token.sign(claims), now: Self.now) == claims)
    }

    /// What was read once is not checked for its signature again, but for its time.
    @Test func aTokenThatWasReadExpiresAllTheSame() throws {
        let token = Token(secret: "secret")
        let (text, next): (String, JSON) = (token.sign(["exp": 1001]), ["exp": 1002])
        for _ in 1...2 { #expect(try token.claims(of: text, now: Self.now) == ["exp": 1001]) }
        #expect(throws: Token.Failure.expired) { try token.claims(of: text, now: 1_001) }
        #expect(try token.claims(of: token.sign(next), now: 1_001) == next, "the next one is read by itself")
        #expect(throws: Token.Failure.expired) { try token.claims(of: text, now: 1_001) }
    }

    /// The token of jwt.io for this secret, which proves that the format is the common one.
    @Test func aTokenOfAnotherServerIsRead() throws {
        let text =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ."
            + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
        let claims = try Token(secret: "your-256-bit-secret").claims(of: text, now: 2_000_000_000)
        #expect(claims["name"] == "John Doe")
    }

    @Test(
        arguments: [
            Fact("no text", "", .malformed),
            Fact("two parts", "a.b", .malformed),
            Fact("four parts", token.sign([:]) + ".x", .malformed),
            Fact("a key of another kind", "sb_publishable_xxx", .malformed),
            Fact("a header that is no JSON", "YWJj.e30.YWJj", .malformed),
            Fact("another algorithm", "eyJhbGciOiJub25lIn0.e30.", .wrongAlgorithm),
            Fact("another secret", other.sign([:]), .forged),
            Fact("a changed payload", forged, .forged),
            Fact("claims that are no object", token.sign([]), .notAnObject),
            Fact("expired this second", token.sign(["exp": 1000]), .expired),
            Fact("good for one second more", token.sign(["exp": 1001]), nil),
            Fact("not yet", token.sign(["nbf": 1001]), .notYet),
            Fact("from now on", token.sign(["nbf": 1000]), nil),
            Fact("an expiry in words", token.sign(["exp": "soon"]), .wrongClaim("exp")),
        ] as [Fact<String, Token.Failure?>])
    func aTokenFails(_ fact: Fact<String, Token.Failure?>) {
        #expect(failure(of: fact.input) == fact.output)
    }

    static let forged: String = {
        let parts = token.sign(["role": "anon"]).split(separator: ".")
        return "\(parts[0]).\(Base64URL.encode(Array(#"{"role":"service_role"}"#.utf8))).\(parts[2])"
    }()

    private func failure(of text: String) -> Token.Failure? {
        do throws(Token.Failure) {
            _ = try Self.token.claims(of: text, now: Self.now)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: 0...9)
    func base64IsReversible(count: Int) {
        let bytes = (0..<count).map { UInt8(255 - $0) }
        let text = Base64URL.encode(bytes)
        #expect(Base64URL.decode(text) == bytes)
        #expect(!text.contains { "+/=".contains($0) })
    }
}

@Suite struct RobotsRuleTests {
    @Test(
        arguments: [
            ("noindex", nil), ("noindex, nofollow", nil), ("max-snippet: -1", nil), ("max-image-preview:large", nil),
            ("googlebot: noindex", nil), ("unavailable_after: Fri, 20 Nov 2026 18:36:45 GMT", nil),
            ("zzz bogus", #"Invalid X-Robots-Tag rule: "zzz bogus""#),
            ("noindex,,all", "X-Robots-Tag header contains empty rule"),
            (" ", "X-Robots-Tag header value must be a non-empty string"),
            ("max-snippet:", #"X-Robots-Tag rule "max-snippet" requires a value"#),
            ("max-snippet: -2", #"X-Robots-Tag "max-snippet" value must be a number >= -1, got: "-2""#),
            (
                "max-image-preview: huge",
                #"X-Robots-Tag "max-image-preview" value must be one of: none, standard, large, got: "huge""#
            ),
            ("googlebot:", #"X-Robots-Tag user agent "googlebot" has no rules specified"#),
            ("googlebot: bogus", #"Invalid X-Robots-Tag rule: "bogus""#),
        ] as [(String, String?)])
    func aLine(line: String, reason: String?) {
        var said: ProtocolRefusal?
        do throws(ProtocolRefusal) { try RobotsRule.check(line) } catch { said = error }
        #expect(said == reason.map { ProtocolRefusal.badRobots($0) })
    }
}

@Suite struct FieldsTests {
    static let body: JSON = [
        "text": "x", "number": 7, "half": .number(1.5), "digits": "12", "flag": true, "word": "true", "nothing": .null,
        "list": ["a", 1], "object": ["in": 1],
    ]

    typealias Reading = @Sendable (Fields) throws -> Void

    static func reading(_ sentence: String, _ words: String, _ read: @escaping Reading) -> Fact<Reading, String> {
        Fact(sentence, read, words)
    }

    @Test func valuesAreCoerced() throws {
        let fields = try Fields(Self.body)
        #expect(try fields.text("number") == "7")
        #expect(try fields.text("flag") == "true")
        #expect(try fields.text("nothing") == "")
        #expect(try fields.text("missing") == nil)
        #expect(try fields.integer("digits") == 12)
        #expect(try fields.integer("flag") == 1)
        #expect(try fields.flag("word") == true)
        #expect(try fields.flag("nothing") == false)
        #expect(try fields.texts("list") == ["a", "1"])
        #expect(try fields.fields("object")?.integer("in") == 1)
    }

    @Test(arguments: [
        reading("no body", "body must be object") { _ in _ = try Fields(nil) },
        reading("a text for a body", "body must be object") { _ in _ = try Fields("x") },
        reading("a member that is missing", "body must have required property 'a'") { _ in
            _ = try Fields([:], required: ["a", "b"])
        },
        reading("a list for a text", "body/list must be string") { _ = try $0.text("list") },
        reading("a text for a number", "body/text must be integer") { _ = try $0.integer("text") },
        reading("half a number", "body/half must be integer") { _ = try $0.integer("half") },
        reading("too small a number", "body/number must be >= 8") { _ = try $0.integer("number", atLeast: 8) },
        reading("a number for a flag", "body/number must be boolean") { _ = try $0.flag("number") },
        reading("none of the choices", "body/text must be equal to one of the allowed values") {
            _ = try $0.choice("text", of: ["y"])
        },
        reading("an object for a list", "body/object must be array") { _ = try $0.texts("object") },
        reading("too short a list", "body/list must NOT have fewer than 3 items") {
            _ = try $0.texts("list", atLeast: 3)
        },
        reading("an object further in", "body/object must have required property 'out'") {
            _ = try $0.fields("object", required: ["out"])
        },
        reading("a text for an object", "body/text must be object") { _ = try $0.fields("text") },
    ])
    func whatDoesNotFitIsRefused(_ fact: Fact<Reading, String>) throws {
        let fields = try Fields(Self.body)
        #expect(throws: ProtocolRefusal.schema(fact.output)) { try fact.input(fields) }
    }
}

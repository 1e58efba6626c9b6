import FoundationEssentials
import Providers
import Testing

@Suite struct SigningKeyTests {
    /// The expected token was made with Python's `hmac` and `base64`.
    @Test func theTokenIsTheOneThatOthersMake() {
        let token = SigningKey("ak-1:sk:2")?.token(at: Date(timeIntervalSince1970: 1_800_000_000))
        let expected =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
            + "eyJpc3MiOiJhay0xIiwiZXhwIjoxODAwMDAxODAwLCJuYmYiOjE3OTk5OTk5OTV9."
            + "ElgV9Mx1fZ-p1DLhVHLAYo2vofPQFMVVrg1FGnxX8Hk"
        #expect(token == expected)
    }

    @Test(arguments: ["", "ak", ":sk", "ak:", "a k:sk", #"a"k:sk"#])
    func aKeyOfAnotherFormIsNone(text: String) {
        #expect(SigningKey(text) == nil)
    }
}

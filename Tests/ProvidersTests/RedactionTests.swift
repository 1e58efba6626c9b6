import Providers
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("plain words?", "plain words?"),
        ("https://a.io/v.mp4", "https://a.io/v.mp4"),
        ("https://a.io/v.mp4?X-Amz-Signature=00&a=b end", "https://a.io/v.mp4?… end"),
        ("https://a.io/v#secret", "https://a.io/v?…"),
        (#"{"u":"https:\/\/a.io\/v?s=1","n":1}"#, #"{"u":"https:\/\/a.io\/v?…","n":1}"#),
        ("http://a.io/1?x <https://b.io/2?y>", "http://a.io/1?… <https://b.io/2?…>"),
        ("https://user:word@a.io/v", "https://a.io/v"),
        ("GET /v?token=abc&x=1 with Bearer abc.def", "GET /v?token=…&x=1 with Bearer …"),
        ("cut X-Amz-Credential=AKIA/2026 off", "cut X-Amz-Credential=… off"),
        ("ends with https://", "ends with https://"),
        ("", ""),
    ])
    func whatOpensDoorsIsTakenOut(text: String, shown: String) {
        #expect(Redaction.text(text) == shown)
    }

    @Test func namedSecretsGoWhereverTheyStand() {
        #expect(Redaction.text("x fal-key-1 y fal-key-1", hiding: ["fal-key-1", ""]) == "x … y …")
    }

    @Test func aLinkIsStillRecognised() {
        #expect(Redaction.link("https://a.io/v.mp4?s=1") == "https://a.io/v.mp4?…")
    }
}

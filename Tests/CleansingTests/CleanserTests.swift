import Cleansing
import Testing

@Suite struct CleanserTests {
    @Test(arguments: [
        ("plain words?", "plain words?"),
        ("https://a.io/v.mp4", "https://a.io/v.mp4"),
        ("https://a.io/v.mp4?X-Amz-Signature=00&a=b end", "https://a.io/v.mp4?… end"),
        ("https://a.io/v#secret", "https://a.io/v?…"),
        (#"{"u":"https:\/\/a.io\/v?s=1","n":1}"#, #"{"u":"https:\/\/a.io\/v?…","n":1}"#),
        ("http://a.io/1?x <https://b.io/2?y>", "http://a.io/1?… <https://b.io/2?…>"),
        ("https://user:word@a.io/v@2", "https://a.io/v@2"),
        ("GET /v?token=abc&x=1 with Bearer abc.def", "GET /v?token=…&x=1 with Bearer …"),
        ("cut X-Amz-Credential=AKIA/2026 off", "cut X-Amz-Credential=… off"),
        ("a design=wide and sig=00ff", "a design=wide and sig=…"),
        (#"{"apikey":"abc","n":1}"#, #"{"apikey":"…","n":1}"#),
        ("apikey: abcdef", "apikey: …"),
        (#"{"refreshToken":"abc","clientSecret": "def"}"#, #"{"refreshToken":"…","clientSecret": "…"}"#),
        ("with accessToken=abc&newPassword=def", "with accessToken=…&newPassword=…"),
        ("Authorization: Basic dXNlcjpwYXNz end", "Authorization: Basic … end"),
        ("> authorization: Key id:secret", "> authorization: Key …"),
        ("Authorization: Token r8x", "Authorization: Token …"),
        ("Proxy-Authorization: Basic dXNlcg==,", "Proxy-Authorization: Basic …,"),
        (#"{"Authorization":"Basic dXNlcg==","n":1}"#, #"{"Authorization":"Basic …","n":1}"#),
        ("x-goog-api-key: abc", "x-goog-api-key: …"), (#"{"x-api-key": "abc"}"#, #"{"x-api-key": "…"}"#),
        ("a basic idea, a key question, a token gesture", "a basic idea, a key question, a token gesture"),
        ("access_token=abc ACCESS_TOKEN=abc", "access_token=… ACCESS_TOKEN=…"),
        ("the mistoken=word and a BROKENTOKEN=word", "the mistoken=word and a BROKENTOKEN=word"),
        ("Bearer ab\u{1}cdef'x", "Bearer …'x"),
        ("ends with https://", "ends with https://"),
        ("", ""),
    ])
    func whatOpensDoorsIsTakenOut(text: String, shown: String) {
        #expect(Cleanser().text(text) == shown)
    }

    @Test(arguments: [
        ("a web token", "sent eyJhbGciOi.eyJzdWIiOi.abc_-1 now", "sent … now"),
        ("a token with something before it", "x_eyJhbGciOi.eyJzdWIiOi.abc", "x_…"),
        ("a key of the project", "with sb_secret_abcDEF-1", "with …"),
        ("a token behind what begins as one", "eyJ.eyJhbGciOi.eyJzdWIiOi.abc_-1", "eyJ.…"),
        ("a provider's key", "sk-proj-0123456789abcdef", "…"),
        ("a file's name that begins as a key does", "sk-holiday-in-snow-26.jpg", "sk-holiday-in-snow-26.jpg"),
        ("a short word", "key_2", "key_2"),
        ("base64 that is no token", "eyJwYXRoIjoiYS5qcGcifQ==", "eyJwYXRoIjoiYS5qcGcifQ=="),
    ])
    func whatLooksLikeAKeyGoes(row: (why: String, text: String, shown: String)) {
        #expect(Cleanser().text(row.text) == row.shown, "\(row.why)")
    }

    @Test(arguments: [
        ("an escape sequence", "a\u{1B}[31m", "a·[31m"), ("a newline", "a\r\nb\tc", "a b c"),
        ("a line separator", "a\u{2028}b", "a b"), ("a direction override", "a\u{202E}gpj.exe", "a·gpj.exe"),
        ("an Arabic letter mark", "a\u{61C}b", "a·b"), ("a Mongolian vowel separator", "a\u{180E}b", "a·b"),
        ("tags", "a\u{E0041}\u{E007F}b", "a··b"), ("C1 control", "\u{9B}2J", "·2J"),
        ("fine as it is", "写真 é 👨‍👩‍👧", "写真 é 👨‍👩‍👧"),
    ])
    func whatSteersGoes(row: (why: String, text: String, shown: String)) {
        #expect(Cleanser().text(row.text) == row.shown, "\(row.why)")
    }

    @Test func lengthIsLimited() {
        #expect(Cleanser().text("abcdef", limit: 3) == "ab…")
        #expect(Cleanser().text("abc", limit: 3) == "abc")
        #expect(Cleanser().text(String(repeating: "a", count: 1 << 20)).count == 2_000)
    }

    @Test func aWordHasNoBlanksAndNoSecrets() {
        #expect(Cleanser(hiding: ["hunter2-hunter2"]).word("Bad \u{1B}é hunter2-hunter2") == "Bad____…")
        #expect(Cleanser().word("NoSuchKey") == "NoSuchKey")
    }

    @Test func whatIsCleansedStaysAsItIs() {
        let cleanser = Cleanser(hiding: ["hunter2-hunter2"])
        let text =
            "a\u{1B}b https://u:p@h/x?token=abc hunter2-hunter2 token=abc Bearer x eyJhbGciOi.eyJzdWIiOi.abc_-1\n"
        for limit in [5, 20, 2_000] {
            let once = cleanser.text(text, limit: limit)
            #expect(cleanser.text(once, limit: limit) == once)
        }
    }
}

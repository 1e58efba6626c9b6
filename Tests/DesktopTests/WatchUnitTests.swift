import Desktop
import Testing

@Suite struct WatchUnitTests {
    @Test(arguments: [
        ("default", "gallery-sync.service"), ("nas", "gallery-sync-nas.service"),
        ("my nas-2", "gallery-sync-my\\x20nas\\x2d2.service"),
        ("größe", "gallery-sync-gr\\xc3\\xb6\\xc3\\x9fe.service"),
    ])
    func eachProfileHasAUnit(_ profile: String, _ name: String) {
        #expect(WatchUnit.name(of: profile) == name)
    }

    @Test(arguments: [
        ("/usr/bin/gallery-sync", "/usr/bin/gallery-sync"), ("/home/Ada L/x", "\"/home/Ada L/x\""), ("50%", "50%%"),
        ("$HOME", "$$HOME"), ("a\"b\\c", "\"a\\\"b\\\\c\""), ("", "\"\""),
    ])
    func aWordIsTakenLiterally(_ word: String, _ text: String) {
        #expect(WatchUnit(profile: "default", words: [word, "watch"]).text.contains("\nExecStart=\(text) watch\n"))
    }
}

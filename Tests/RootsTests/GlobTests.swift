import Testing

@testable import Roots

@Suite struct GlobTests {
    @Test(
        arguments: [
            ("thumb_*", "thumb_1.jpg"), ("thumb_*", "thumb_"), ("*.part", "film.part"), ("*.part", ".part"),
            ("*~", "~"), ("#*#", "##"), ("#*#", "#a#"), ("@eaDir", "@eaDir"), ("?", "x"), ("a?c", "abc"),
            ("*", ""), ("*", "anything"), ("a", "a"), ("Cache/**", "Cache/a/b"), ("**/x", "x"), ("**/x", "a/b/x"),
            ("a/*/c", "a/b/c"), ("/top", "top"), ("end/", "end"), ("é*", "één"),
        ])
    func matches(pattern: String, name: String) {
        #expect(Glob(pattern).matches(Array(name.utf8)))
    }

    @Test(
        arguments: [
            ("thumb_*", "thumb"), ("thumb_*", "a thumb_1"), ("*.part", "part"), ("*.part", "film.part1"), ("#*#", "#"),
            ("@eaDir", "@eadir"), ("@eaDir", "@eaDir2"), ("?", ""), ("?", "xy"), ("?", "/"), ("a", ""), ("a", "aa"),
            ("*", "a/b"), ("a/*/c", "a/b/b/c"), ("**/x", "ax"), ("", "a"),
        ])
    func doesNotMatch(pattern: String, name: String) {
        #expect(!Glob(pattern).matches(Array(name.utf8)))
    }

    @Test(arguments: [("*.tmp", false), ("Cache/**", true), ("/top", true), ("top/", false)])
    func speaksOfPaths(pattern: String, isPath: Bool) {
        #expect(Glob(pattern).isPath == isPath)
    }
}

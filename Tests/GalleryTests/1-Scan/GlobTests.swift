import Platform
import Testing

@testable import Gallery

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

@Suite struct IgnoreRulesTests {
    private let rules = IgnoreRules(patterns: ["*.bak", "Cache/**"])

    @Test(
        arguments: [
            ("a/thumb_1.jpg", "a thumbnail made by another program"), ("a/b.jpg~", "an editor's backup"),
            ("a/.hidden", "hidden"), (".Trash-1000", "a trash directory"), ("a/b.bak", "your rule “*.bak”"),
            ("Cache/x.jpg", "your rule “Cache/**”"), ("a/b.jpg", nil), ("a/Cache/x.jpg", nil),
        ])
    func leavesOut(path: String, reason: String?) {
        let path = FilePath(path)
        #expect(rules.reasonForName(at: path) == reason)
        #expect(rules.reason(forName: path.name, in: path.parent) == reason)
    }

    @Test func whatLiesInALeftOutDirectoryIsLeftOut() {
        #expect(rules.reasonForName(at: "@eaDir/a.jpg") == nil)
        #expect(rules.reason(for: "@eaDir/a.jpg") == "a NAS index directory")
    }

    @Test func hiddenFilesMayBeWanted() {
        #expect(IgnoreRules(includeHidden: true).reasonForName(at: ".photo.jpg") == nil)
        #expect(IgnoreRules(includeHidden: true).reasonForName(at: ".Trash-0") != nil)
    }
}

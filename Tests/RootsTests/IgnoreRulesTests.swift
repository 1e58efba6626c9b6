import Platform
import Roots
import Testing

@Suite struct IgnoreRulesTests {
    private let rules = IgnoreRules(patterns: ["*.bak", "Cache/**"])

    @Test(
        arguments: [
            ("a/b.jpg.part", "an unfinished download"), ("a/b.mp4.crdownload", "an unfinished download"),
            ("a/.hidden", "hidden"), ("a/b.bak", "your rule “*.bak”"), ("Cache/x.jpg", "your rule “Cache/**”"),
            ("a/thumb_wrestling.mp4", nil), ("a/b.jpg~", nil), ("a/b.tmp", nil), ("a/b.jpg", nil),
            ("a/Cache/x.jpg", nil), ("lost+found", nil),
        ])
    func leavesOutFiles(path: String, reason: String?) {
        let path = FilePath(path)
        #expect(rules.reasonForFile(at: path) == reason)
        #expect(rules.reason(forName: path.name, .file, in: path.parent) == reason)
    }

    @Test(
        arguments: [
            ("@eaDir", "a NAS index directory"), ("a/#recycle", "a NAS recycle bin"),
            (".Trash-1000", "a trash directory"), ("lost+found", "the file system's own directory"),
            ("a/.hidden", "hidden"), ("x.bak", "your rule “*.bak”"), ("thumb_drive_2019", nil), ("Summer~", nil),
            ("Season 1.part", nil), ("#1#", nil), ("a.tmp", nil),
        ])
    func leavesOutDirectories(path: String, reason: String?) {
        #expect(rules.reasonForDirectory(at: FilePath(path)) == reason)
    }

    @Test(
        arguments: [
            ("b.jpg~", "an editor's backup"), ("#b.jpg#", "an editor's autosave"), ("b.tmp", "a temporary file"),
            (".b.jpg.swp", "an editor's swap file"), ("thumb_1.jpg", nil), ("b.jpg", nil),
        ])
    func namesThatOnlyRaiseADoubt(name: String, doubt: String?) {
        #expect(rules.doubt(about: Array(name.utf8)) == doubt)
    }

    @Test func theWatchHearsOfWhatMayBeADirectoryOrAFile() {
        #expect(!rules.leavesOutAnything(at: "Season 1.part"))
        #expect(!rules.leavesOutAnything(at: "@eaDir"))
        #expect(rules.leavesOutAnything(at: ".hidden"))
    }

    @Test func withoutTheDefaultsOnlyHiddenNamesAndTheUsersOwnAreLeftOut() {
        let rules = IgnoreRules(patterns: ["*.bak"], usesDefaults: false)
        #expect(rules.reasonForFile(at: "a.jpg.part") == nil)
        #expect(rules.reasonForDirectory(at: "@eaDir") == nil)
        #expect(rules.doubt(about: Array("a.tmp".utf8)) == nil)
        #expect(rules.reasonForFile(at: ".a.jpg") == "hidden")
        #expect(rules.reasonForFile(at: "a.bak") == "your rule “*.bak”")
    }

    @Test func partsOfRescuesAreLeftOutAllTheSame() {
        let rules = IgnoreRules(usesDefaults: false, keepsParts: true)
        #expect(rules.reasonForFile(at: "a.mp4.part") == "an unfinished download")
    }

    @Test func whatLiesInALeftOutDirectoryIsLeftOut() {
        #expect(rules.reasonForFile(at: "@eaDir/a.jpg") == nil)
        #expect(rules.reason(for: "@eaDir/a.jpg") == "a NAS index directory")
    }

    @Test func hiddenFilesMayBeWanted() {
        #expect(IgnoreRules(includeHidden: true).reasonForFile(at: ".photo.jpg") == nil)
        #expect(IgnoreRules(includeHidden: true).reasonForDirectory(at: ".Trash-0") != nil)
    }
}

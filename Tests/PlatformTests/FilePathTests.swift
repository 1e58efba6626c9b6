import Platform
import Testing

@Suite struct FilePathTests {
    @Test(arguments: [
        ("/a/b.jpg", "/a", "b.jpg", ".jpg"), ("b", "", "b", ""), ("/b", "/", "b", ""), ("a/", "a", "", ""),
        ("a/.hidden", "a", ".hidden", ""), ("a.tar.gz", "", "a.tar.gz", ".gz"), ("dot.", "", "dot.", "."),
        ("", "", "", ""), ("/", "/", "", ""),
    ])
    func parts(path: FilePath, parent: FilePath, name: String, fileExtension: String) {
        #expect(path.parent == parent)
        #expect(path.name == Array(name.utf8))
        #expect(path.fileExtension == Array(fileExtension.utf8))
    }

    @Test(arguments: [
        ("", "b", "b"), ("a", "", "a"), ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"),
    ])
    func appending(left: FilePath, right: FilePath, whole: FilePath) {
        #expect(left.appending(right) == whole)
    }

    @Test(arguments: [
        ("~", "/home/ada"), ("~/", "/home/ada"), ("~/a/b", "/home/ada/a/b"), ("~ada/a", "~ada/a"), ("~~", "~~"),
        ("a/~", "a/~"), ("./~/a", "./~/a"), ("", ""), ("/~/a", "/~/a"),
    ])
    func aTildeIsTheHome(path: FilePath, expanded: FilePath) {
        #expect(path.expanded(home: "/home/ada") == expanded)
    }

    @Test(arguments: [
        ("/a/b/c", "/a/b", "c"), ("/a/b/c", "/", "a/b/c"), ("/a/bc", "/a/b", nil), ("/a/b", "/a/b", nil),
        ("/a/b/", "/a/b", nil), ("/a/b/c", "/a/b/", "c"),
    ])
    func relative(path: FilePath, ancestor: FilePath, rest: FilePath?) {
        #expect(path.relative(to: ancestor) == rest)
    }

    @Test func namesInTwoNormalFormsDiffer() {
        #expect(FilePath("é") != FilePath("e\u{301}"))
        #expect(FilePath("é").string == "é")
        #expect(FilePath(bytes: [0xe9]).string == nil)
        #expect(FilePath(bytes: [0xe9]).display == "\u{fffd}")
    }

    @Test func pathsEndAtTheFirstNUL() {
        #expect(FilePath(bytes: [97, 0, 98]) == "a")
        #expect(FilePath("a\0b") == "a")
    }

    @Test func orderIsThatOfBytes() {
        #expect(["b", "a/b", "Z", "é", "a"].map { FilePath($0) }.sorted() == ["Z", "a", "a/b", "b", "é"])
    }

    @Test func componentsLeaveEmptyNamesOut() {
        #expect(FilePath("//a///b/").components == [[97], [98]])
        #expect(FilePath("").components.isEmpty)
    }
}

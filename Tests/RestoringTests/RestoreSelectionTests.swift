import Platform
import Testing

@testable import Restoring

@Suite struct RestoreSelectionTests {
    @Test(
        arguments: [
            ("nothing named is everything", [], "Pictures/2026/a.jpg", true),
            ("a root", ["Pictures"], "Pictures/2026/a.jpg", true),
            ("another root", ["Videos"], "Pictures/2026/a.jpg", false),
            ("a root and a path", ["Pictures/2026"], "Pictures/2026/a.jpg", true),
            ("a path below any root", ["2026"], "Pictures/2026/a.jpg", true),
            ("the file itself", ["2026/a.jpg"], "Pictures/2026/a.jpg", true),
            ("the file and its root", ["Pictures/2026/a.jpg"], "Pictures/2026/a.jpg", true),
            ("a slash at the end", ["Pictures/2026/"], "Pictures/2026/a.jpg", true),
            ("here", ["./Pictures/./2026"], "Pictures/2026/a.jpg", true),
            ("the directory one stands in", ["."], "Pictures/2026/a.jpg", true),
            ("half a name is no name", ["Pictures/20"], "Pictures/2026/a.jpg", false),
            ("a name deeper down is not below the root", ["a.jpg"], "Pictures/2026/a.jpg", false),
            ("one of several", ["Videos", "2026"], "Pictures/2026/a.jpg", true),
            ("more than the file's path", ["2026/a.jpg/x"], "Pictures/2026/a.jpg", false),
            ("another normal form", ["Pictures/e\u{301}"], "Pictures/é", false),
            ("no root at all", ["a.jpg"], "a.jpg", true),
        ] as [(String, [FilePath], FilePath, Bool)])
    func places(_ row: (why: String, paths: [FilePath], place: FilePath, isAdmitted: Bool)) {
        #expect(RestoreSelection(paths: row.paths).admits(row.place) == row.isAdmitted, "\(row.why)")
    }

    @Test(
        arguments: [
            ("no date", nil, 5, true), ("the very nanosecond", 5, 5, true), ("one before it", 5, 4, false),
            ("later", 5, 6, true), ("a file without a time is not known to be old", 5, nil, true),
        ] as [(String, Int64?, Int64?, Bool)])
    func times(_ row: (why: String, since: Int64?, time: Int64?, isAdmitted: Bool)) {
        let selection = RestoreSelection(since: row.since.map { FileTime(nanoseconds: $0) })
        #expect(selection.admits(row.time.map { FileTime(nanoseconds: $0) }) == row.isAdmitted, "\(row.why)")
    }

    @Test func everyPathThatNamesAFileIsTold() {
        let selection = RestoreSelection(paths: ["Pictures", "Videos", "2026"])
        #expect(selection.matches("Pictures/2026/a.jpg") == [0, 2])
    }

    /// A path may be named twice, and in two ways; each of them is answered.
    @Test(
        arguments: [
            ("the same twice", ["a", "a"], "P/a", [0, 1]), ("with its root and without", ["P/a", "a"], "P/a", [0, 1]),
            ("each step to it", [".", "P", "P/b", "P/b/c"], "P/b/c", [0, 1, 2, 3]),
            ("a root of the folder's name", ["P", "P/P"], "P/P/x", [0, 1]),
            ("what lies beside", ["P/c", "P/bb", "P/b/d"], "P/b/c", []), ("a root alone", ["P"], "P", [0]),
            ("nothing below a root", ["."], "P", [0]), ("not UTF-8", [FilePath(bytes: [0xFF])], "P", []),
            ("not UTF-8, and there", [FilePath(bytes: [0xFF])], FilePath(bytes: [0x50, 0x2F, 0xFF]), [0]),
        ] as [(String, [FilePath], FilePath, [Int])])
    func thePathsThatNameAFile(_ row: (why: String, paths: [FilePath], place: FilePath, indices: [Int])) {
        #expect(RestoreSelection(paths: row.paths).matches(row.place) == row.indices, "\(row.why)")
    }

    /// As where a script names each file that it wants back.
    @Test func anyOfManyPathsIsFound() {
        let paths = (0..<20_000).map { FilePath("P/\($0 / 100)/\($0).jpg") }
        let selection = RestoreSelection(paths: paths)
        let places = paths + [FilePath("P/0/20000.jpg")]
        #expect(places.map { selection.matches($0) } == paths.indices.map { [$0] } + [[]])
    }
}

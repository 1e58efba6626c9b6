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
}

import TestSupport
import Testing

@testable import Platform

@Suite struct DirectoryTests {
    static let tree: FileTree = [
        "a": ["b": ["deep": "content"]],
        "out": .symlink(to: "/etc"),
        "inside": .symlink(to: "a"),
        "name": .symlink(to: "a/b/deep"),
    ]

    struct Path: CustomTestStringConvertible {
        let sentence: String
        let path: FilePath
        let code: Int32?

        init(_ sentence: String, _ path: FilePath, _ code: Int32? = nil) {
            (self.sentence, self.path, self.code) = (sentence, path, code)
        }

        var testDescription: String { sentence }
    }

    static let paths = [
        Path("a file below", "a/b/deep"),
        Path("slashes count once", "a//b/deep"),
        Path("dots are nothing", "./a/./b/deep"),
        Path("a missing file", "a/b/none", 2),
        Path("a missing directory", "x/y", 2),
        Path("a file is no directory", "a/b/deep/x", 20),
        Path("the parent is outside", "..", 18),
        Path("the parent is outside even from inside", "a/../a/b/deep", 18),
        Path("absolute is outside", "/etc/passwd", 18),
        Path("a link to outside", "out/passwd", 40),
        Path("a link to inside", "inside/b/deep", 40),
        Path("a link in place of the file", "name", 40),
    ]

    @Test(arguments: paths, [true, false])
    func nothingOutsideIsOpened(_ row: Path, byKernel: Bool) async throws {
        try await Self.tree.withDirectory { root in
            let directory = try Directory(root)
            let content = Result { () throws(SystemError) in
                let descriptor = try directory.openBeneath(row.path, flags: 0, mode: 0, byKernel: byKernel)
                return try OpenFile(descriptor: descriptor).readAll()
            }
            switch content {
            case .success(let bytes):
                #expect(row.code == nil)
                #expect(bytes == Array("content".utf8))
            case .failure(let error):
                #expect(error.code == row.code)
                #expect(error.path == root.appending(row.path))
            }
        }
    }

    @Test(arguments: [true, false])
    func theEmptyPathIsTheDirectoryItself(byKernel: Bool) async throws {
        try await Self.tree.withDirectory { root in
            let descriptor = try Directory(root).openBeneath("", flags: 0, mode: 0, byKernel: byKernel)
            #expect(try OpenFile(descriptor: descriptor).facts() == FileFacts(of: root))
        }
    }

    @Test func filesAreMadeBelowButNeverThroughALink() async throws {
        try await Self.tree.withDirectory { root in
            let directory = try Directory(root)
            try directory.create(file: "a/new").append([1])
            try directory.append(toFile: "a/new").append([2])
            #expect(try directory.open(file: "a/new").readAll() == [1, 2])
            for name in ["name", "inside/new", "out/new"] as [FilePath] {
                #expect(throws: SystemError.self) { try directory.create(file: name) }
            }
            #expect(throws: SystemError.self) { try directory.create(file: "a/new", exclusive: true) }
        }
    }

    @Test func aFileOpenedForWritingKeepsItsContent() async throws {
        try await Self.tree.withDirectory { root in
            let directory = try Directory(root)
            let file = try directory.open(writing: "a/new")
            try file.write([1, 2, 3], at: 0)
            try file.synchronizeAll()
            try directory.open(writing: "a/new").write([9], at: 1)
            #expect(try directory.open(file: "a/new").readAll() == [1, 9, 3])
            #expect(throws: SystemError.self) { try directory.open(writing: "out/new") }
        }
    }

    @Test func directoriesAreMadeOneInAnother() async throws {
        try await FileTree(["file": "x"]).withDirectory { root in
            let directory = try Directory(root)
            try directory.createDirectories("x/y/z")
            try directory.createDirectories("x/y/z")
            try directory.createDirectories("")
            #expect(try FileTree(at: root) == ["file": "x", "x": ["y": ["z": [:]]]])
            #expect(throws: SystemError.self) { try directory.createDirectories("file/below") }
            try Directory.create(at: root.appending("p/q"))
            try Directory.create(at: root.appending("p/q"))
            #expect(try FileFacts(of: root.appending("p/q")).mode == 0o700)
            #expect(throws: SystemError.self) { try Directory.create(at: root.appending("file")) }
        }
    }

    @Test func renamingReplacesUnlessToldNotTo() async throws {
        try await FileTree(["a": "1", "b": "2", "d": [:]]).withDirectory { root in
            let directory = try Directory(root)
            let error = #expect(throws: SystemError.self) { try directory.rename("a", to: "b", replacing: false) }
            #expect(error?.isPresent == true)
            try directory.rename("a", to: "b")
            try directory.rename("b", to: "d/c", replacing: false)
            try directory.synchronize()
            #expect(try FileTree(at: root) == ["d": ["c": "1"]])
        }
    }

    @Test func removalTellsWhetherThereWasAnything() async throws {
        try await FileTree(["a": "1", "d": ["x": "2"], "l": .symlink(to: "d")]).withDirectory { root in
            let directory = try Directory(root)
            #expect(try directory.remove(file: "a"))
            #expect(try !directory.remove(file: "a"))
            #expect(try directory.remove(file: "l"))
            #expect(throws: SystemError.self) { try directory.remove(directory: "d") }
            #expect(throws: SystemError.self) { try directory.remove(file: "d") }
            try directory.remove(file: "d/x")
            #expect(try directory.remove(directory: "d"))
            #expect(try FileTree(at: root) == [:])
        }
    }

    @Test func factsAreOfALinkItself() async throws {
        try await Self.tree.withDirectory { root in
            let directory = try Directory(root)
            #expect(try directory.facts(of: "out").kind == .symlink)
            #expect(try directory.facts(of: "a/b/deep").size == 7)
            #expect(try directory.existingFacts(of: "a/none") == nil)
            #expect(try directory.existingFacts(of: "none/none") == nil)
            #expect(try directory.target(ofLink: "out") == "/etc")
        }
    }

    @Test func namesAreBytesInOrder() async throws {
        let odd = FilePath(bytes: [0xff, 0xfe])
        try await FileTree(["b": "", "é": "", "e\u{301}": "", odd: "", ".hidden": "", "Z": [:]]).withDirectory { root in
            let names = try Directory(root).names()
            #expect(names == [".hidden", "Z", "b", "e\u{301}", "é", odd])
        }
    }

    /// It is asked before each file that may be gone is believed to be, and a folder may hold thousands.
    @Test func whetherADirectoryIsEmptyIsToldByAFewEntries() async throws {
        let names = (0..<200).map { String(repeating: "n", count: 250) + "\($0)" }
        try await FileTree().withDirectory { folder in
            let directory = try Directory(folder)
            #expect(try directory.entries(upTo: 1).isEmpty)
            for name in names { _ = try directory.create(file: FilePath(name)) }
            #expect(try (1...3).contains(directory.open(directory: "").entries(upTo: 1).count))
            #expect(try directory.open(directory: "").entries().count == 200)
        }
    }

    @Test(arguments: [(".hidden", false), (nil, true)] as [(FilePath?, Bool)])
    func aDirectoryIsEmptyWhereNothingLiesInIt(_ row: (name: FilePath?, isEmpty: Bool)) async throws {
        let tree = FileTree(row.name.map { [$0: .file([])] } ?? [:])
        try await tree.withDirectory { root in
            let isEmpty = try Directory(root).isEmpty()
            #expect(isEmpty == row.isEmpty)
        }
    }

    @Test func manyNamesAreListedWhole() async throws {
        let nodes = (0..<3000).map { (FilePath("\(String(repeating: "n", count: 60))\($0)"), FileTree.Node.file([])) }
        let tree = FileTree(Dictionary(uniqueKeysWithValues: nodes))
        try await tree.withDirectory { root in
            let directory = try Directory(root)
            #expect(try directory.names().count == 3000)
            #expect(try directory.names() == tree.nodes.keys.sorted())
        }
    }

    @Test func anOpenDirectoryStaysWithItsContentWhenMoved() async throws {
        try await FileTree(["a": ["x": "1"]]).withDirectory { root in
            let directory = try Directory(root.appending("a"))
            try Directory(root).rename("a", to: "b")
            #expect(try directory.open(file: "x").readAll() == Array("1".utf8))
        }
    }

    /// A full disk, or a directory under the name: nothing of the new file stays, and the old one does.
    @Test(arguments: ["write", "rename", ""])
    func aFileMadeBesideItsNameHasItOrIsGone(fault: String) async throws {
        try await FileTree(["dir": ["a.new": "old"]]).withDirectory { root in
            let directory = try Directory(root)
            let made = Result { () throws(SystemError) in
                try directory.makeFile(beside: "dir/a.new") { (file, fresh) throws(SystemError) in
                    #expect(fresh.parent == "dir" && fresh.bytes.starts(with: "dir/a.new.".utf8))
                    if fault == "write" { throw SystemError(call: "write", code: 28) }
                    try file.write(Array("new".utf8), at: 0)
                    try directory.rename(fresh, to: fault == "rename" ? "dir" : "dir/a.new")
                    return 7
                }
            }
            #expect((try? made.get()) == (fault.isEmpty ? 7 : nil))
            let left = try FileTree(at: root)
            #expect(left == ["dir": ["a.new": fault.isEmpty ? "new" : "old"]])
        }
    }

    @Test func aPathLongerThanTheKernelTakesIsFollowedByComponents() async throws {
        try await FileTree().withDirectory { root in
            let name = [UInt8](repeating: UInt8(ascii: "n"), count: 200)
            var path = FilePath(bytes: [])
            var directory = try Directory(root)
            for _ in 0..<25 {
                try directory.createDirectories(FilePath(bytes: name))
                directory = try directory.open(directory: FilePath(bytes: name))
                path = path.appending(name)
            }
            try directory.create(file: "end").append([7])
            #expect(try Directory(root).open(file: path.appending("end")).readAll() == [7])
        }
    }
}

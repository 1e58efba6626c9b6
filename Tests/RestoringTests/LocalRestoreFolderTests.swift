import Platform
import TestSupport
import Testing

@testable import Restoring

@Suite struct LocalRestoreFolderTests {
    static func with(
        _ tree: FileTree = [:], _ body: (LocalRestoreFolder, FilePath) async throws -> Void
    ) async throws {
        try await tree.withDirectory { path in try await body(LocalRestoreFolder(try Directory(path)), path) }
    }

    @Test func aPartKeepsWhatItHolds() async throws {
        try await Self.with { folder, _ throws in
            try folder.makeDirectories("a/b")
            let part = try #require(try folder.openPart("a/b/.p.part"))
            try part.write([1, 2, 3], at: 0)
            try folder.cut(part, to: 2)
            try folder.synchronize(part)
            #expect(try folder.open("a/b/.p.part").readAll() == [1, 2])
        }
    }

    @Test func aPartBelongsToOneRun() async throws {
        try await Self.with { folder, _ throws in
            var first = try folder.openPart(".p.part")
            #expect(first != nil)
            #expect(try folder.openPart(".p.part") == nil)
            first = nil
            #expect(try folder.openPart(".p.part") != nil)
        }
    }

    @Test func aPlaceThatIsTakenStaysAsItIs() async throws {
        try await Self.with(["a": "precious", ".p.part": "new"]) { folder, path throws in
            let error = #expect(throws: SystemError.self) { try folder.place(".p.part", as: "a") }
            #expect(error?.isPresent == true)
            #expect(try FileTree(at: path) == ["a": "precious", ".p.part": "new"])
            try folder.place(".p.part", as: "b")
            #expect(try FileTree(at: path) == ["a": "precious", "b": "new"])
        }
    }

    /// A directory of a file system that lacks calls, and notes the others.
    private struct Limited: NameChanging {
        let directory: Directory
        /// What renaming without replacing, and linking, end with; 0 where they work.
        let codes: (rename: Int32, link: Int32)
        let calls = Shared<[String]>([])

        private func note(_ call: String, _ code: Int32 = 0) throws(SystemError) {
            calls.change { $0.append(call) }
            if code != 0 { throw SystemError(call: call, code: code) }
        }

        func rename(_ source: FilePath, to target: FilePath, replacing: Bool) throws(SystemError) {
            try note(replacing ? "replace" : "rename", replacing ? 0 : codes.rename)
            try directory.rename(source, to: target, replacing: replacing)
        }
        func link(_ source: FilePath, to target: FilePath) throws(SystemError) {
            try note("link", codes.link)
            try directory.link(source, to: target)
        }
        func remove(file relative: FilePath) throws(SystemError) -> Bool { try directory.remove(file: relative) }
        func existingFacts(of relative: FilePath) throws(SystemError) -> FileFacts? {
            try directory.existingFacts(of: relative)
        }
    }

    private static let (notPermitted, invalid, noCall, notSupported): (Int32, Int32, Int32, Int32) = (1, 22, 38, 95)

    @Test(arguments: [
        ("any local disk", 0, 0, ["rename"]), ("NFS", invalid, 0, ["rename", "link"]),
        ("exFAT behind a program", invalid, notPermitted, ["rename", "link", "replace"]),
        ("a phone", noCall, noCall, ["rename", "link", "replace"]),
        ("a cloud's folder", notSupported, notSupported, ["rename", "link", "replace"]),
    ])
    func aFileGetsItsNameWhateverTheFileSystemLacks(
        _ row: (why: String, rename: Int32, link: Int32, calls: [String])
    ) async throws {
        try await FileTree([".p.part": "new"]).withDirectory { path in
            let limited = Limited(directory: try Directory(path), codes: (row.rename, row.link))
            try LocalRestoreFolder.place(".p.part", as: "a", by: limited)
            #expect(try FileTree(at: path) == ["a": "new"], "\(row.why)")
            #expect(limited.calls.value == row.calls, "\(row.why)")
        }
    }

    @Test(arguments: [(0, 0), (invalid, 0), (invalid, notPermitted), (noCall, noCall)] as [(Int32, Int32)])
    func noWayToNameAFileReplacesOne(_ rename: Int32, _ link: Int32) async throws {
        let tree: FileTree = ["a": "precious", ".p.part": "new"]
        try await tree.withDirectory { path in
            let limited = Limited(directory: try Directory(path), codes: (rename, link))
            let error = #expect(throws: SystemError.self) {
                try LocalRestoreFolder.place(".p.part", as: "a", by: limited)
            }
            #expect(error?.isPresent == true)
            #expect(try FileTree(at: path) == tree)
        }
    }

    /// Other trouble is no reason to try another way.
    @Test(arguments: [(5, 0), (28, 0), (invalid, 5), (invalid, 28)] as [(Int32, Int32)])
    func anErrorOfTheDiskStaysOne(_ rename: Int32, _ link: Int32) async throws {
        try await FileTree([".p.part": "new"]).withDirectory { path in
            let limited = Limited(directory: try Directory(path), codes: (rename, link))
            let error = #expect(throws: SystemError.self) {
                try LocalRestoreFolder.place(".p.part", as: "a", by: limited)
            }
            #expect(error?.code == (link == 0 ? rename : link))
            #expect(!limited.calls.value.contains("replace"))
        }
    }

    @Test(arguments: [FilePath("../x"), "/tmp/x", "link/x", "a/../../x"])
    func nothingIsReachedOutside(_ path: FilePath) async throws {
        try await FileTree(["in": ["link": .symlink(to: "../out")], "out": ["x": "precious"]]).withDirectory { root in
            let folder = LocalRestoreFolder(try Directory(root.appending("in")))
            #expect(throws: SystemError.self) { try folder.openPart(path) }
            #expect(throws: SystemError.self) { try folder.facts(of: path) }
            #expect(throws: SystemError.self) { try folder.open(path) }
            if !path.isAbsolute {
                #expect(throws: SystemError.self) { try folder.makeDirectories(path.appending("y")) }
            }
            #expect(throws: SystemError.self) { try folder.remove(path) }
            #expect(try FileTree(at: root.appending("out")) == ["x": "precious"])
        }
    }

    @Test func aPartThatIsALinkOrAPipeIsNotWrittenTo() async throws {
        try await Self.with(["there": "precious", ".p.part": .symlink(to: "there")]) { folder, path throws in
            #expect(throws: SystemError.self) { try folder.openPart(".p.part") }
            #expect(try FileTree(at: path).nodes["there"] == "precious")
        }
    }

    @Test func namesAreMadeDurable() async throws {
        try await Self.with { folder, _ throws in
            try folder.makeDirectories("a/b")
            for path in ["a/b", "a", ""] as [FilePath] { try folder.synchronize(directory: path) }
            #expect(throws: SystemError.self) { try folder.synchronize(directory: "none") }
        }
    }
}

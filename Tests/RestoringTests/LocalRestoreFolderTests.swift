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

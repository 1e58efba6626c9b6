import Platform
import TestSupport
import Testing

@testable import Roots

/// What a new root is called, and which directory a path reaches.
@Suite struct KnownRootTests {
    private static func known(_ names: String...) -> [KnownRoot] {
        names.enumerated().map { KnownRoot(id: Int64($0) + 1, name: $1, path: FilePath("/\($0)")) }
    }

    struct New: Sendable {
        let path: FilePath
        let name: String?
        let known: [KnownRoot]
    }

    @Test(arguments: [
        Fact("its directory's name", New(path: "/home/Pictures", name: nil, known: []), "Pictures"),
        Fact("a name that is wished", New(path: "/home/Pictures", name: "p", known: known("Pictures")), "p"),
        Fact("a second one", New(path: "/a/x", name: nil, known: known("x")), "x-2"),
        Fact("a third one", New(path: "/a/x", name: nil, known: known("x", "x-2")), "x-3"),
        Fact("the first number that is free", New(path: "/a/x", name: nil, known: known("x", "x-3")), "x-2"),
        Fact("one whose name ends with a number", New(path: "/a/x-2", name: nil, known: known("x", "x-2")), "x-2-2"),
        Fact("other letters are another name", New(path: "/a/X", name: nil, known: known("x")), "X"),
        Fact("the top of all has no name", New(path: "/", name: nil, known: []), "root"),
        Fact("the folder of thumbnails", New(path: "/a/.thumbnails", name: nil, known: known()), ".thumbnails-2"),
        Fact("nor has an empty wish", New(path: "/a", name: "", known: known("root")), "root-2"),
    ])
    func aNewRootHasANameOfItsOwn(_ fact: Fact<New, String>) {
        let root = KnownRoot(new: fact.input.path, name: fact.input.name, beside: fact.input.known)
        #expect(root.name == fact.output && root.path == fact.input.path && root.id == 0)
    }

    /// However many there are, no two have one name: keys begin with it.
    @Test func noTwoHaveOneName() {
        var all: [KnownRoot] = []
        for number in 0..<40 {
            all.append(KnownRoot(new: FilePath("/\(number)/\(number % 3 == 0 ? "x" : "x-2")"), beside: all))
        }
        #expect(Set(all.map(\.name)).count == 40)
    }

    /// By whatever links a directory is reached, it and those above it are the same ones.
    @Test func aDirectoryIsTheSameByEveryPath() async throws {
        let tree: FileTree = [
            "a": ["b": ["c": [:]]], "link": .symlink(to: "a/b"), "loop": .symlink(to: "loop"),
            "gone": .symlink(to: "no"),
        ]
        try await tree.withDirectory { folder throws in
            let direct = DirectoryKey.ancestors(of: folder.appending("a/b/c"))
            let linked = DirectoryKey.ancestors(of: folder.appending("link/c"))
            #expect(direct.map(\.key) == linked.map(\.key) && direct.map(\.path) == linked.map(\.path))
            #expect(direct.last?.path == "/" && Set(direct.map(\.path)).count == direct.count)
            let above = DirectoryKey.ancestors(of: folder.appending("a/b"))
            #expect(Array(direct.dropFirst().map(\.key)) == above.map(\.key))
            for name in ["loop", "gone", "none", "a/none"] as [FilePath] {
                #expect(DirectoryKey.ancestors(of: folder.appending(name)).isEmpty, "\(name)")
            }
        }
    }
}

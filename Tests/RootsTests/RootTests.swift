import Platform
import TestSupport
import Testing

@testable import Roots

/// What a root says of its files while disks and directories change below it.
@Suite struct RootTests {
    /// What lies in a root's directory before anything happens.
    private static let tree: FileTree = ["Pictures": ["a.jpg": "one", "2024": ["b.jpg": "two"], "empty": [:]]]

    private func root(at path: FilePath, isRemembered: Bool = true) throws -> Root {
        let root = Root(known: KnownRoot(id: 1, name: "Pictures", path: path))
        if isRemembered { root.sight.remember(try RootState(of: path).identity, at: "") }
        return root
    }

    /// What is known of a file afterwards.
    enum Answer: Equatable { case there, gone, away, failed(Int32) }

    private func answer(_ path: FilePath, _ root: Root) -> Answer {
        do throws(SystemError) {
            return try root.existingFacts(of: path) == nil ? .gone : .there
        } catch {
            return error.isDiskAway ? .away : .failed(error.code)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let act: @Sendable (FilePath) throws -> Void
        /// The answers about `a.jpg` and `2024/b.jpg`.
        let answers: [Answer]

        init(_ sentence: String, _ answers: [Answer], act: @escaping @Sendable (FilePath) throws -> Void) {
            (testDescription, self.answers, self.act) = (sentence, answers, act)
        }
    }

    static let rows = [
        Row("nothing happens", [.there, .there]) { _ in },
        Row("a file is removed", [.gone, .there]) { try Directory($0).remove(file: "a.jpg") },
        Row("a directory is removed with its file", [.there, .gone]) {
            try Directory.removeTree(at: $0.appending("2024"))
        },
        Row("a directory becomes a file", [.there, .gone]) {
            try Directory.removeTree(at: $0.appending("2024"))
            try OpenFile(creating: $0.appending("2024")).append([1])
        },
        Row("a directory becomes a symlink to itself", [.there, .failed(40)]) {
            try Directory.removeTree(at: $0.appending("2024"))
            try Directory($0).createLink("2024", to: "2024")
        },
        Row("the root is removed", [.away, .away]) { try Directory.removeTree(at: $0) },
        Row("the root is emptied", [.away, .away]) {
            try Directory($0).remove(file: "a.jpg")
            try Directory.removeTree(at: $0.appending("2024"))
            try Directory.removeTree(at: $0.appending("empty"))
        },
        Row("another directory takes its place", [.away, .away]) {
            try Directory($0.parent).rename(FilePath(bytes: $0.name), to: "former")
            try RootTests.tree.write(to: $0.parent)
        },
        Row("a file takes its place", [.away, .away]) {
            try Directory.removeTree(at: $0)
            try OpenFile(creating: $0).append([1])
        },
    ]

    @Test(arguments: rows)
    func whatIsSaidOfAFile(_ row: Row) async throws {
        try await Self.tree.withDirectory { folder in
            let path = folder.appending("Pictures")
            let root = try root(at: path)
            #expect(answer("a.jpg", root) == .there)
            try row.act(path)
            let answers = [answer("a.jpg", root), answer("2024/b.jpg", root)]
            #expect(answers == row.answers)
            // To open a file takes what is known of it.
            for (name, answer) in zip(["a.jpg", "2024/b.jpg"] as [FilePath], answers) {
                #expect(((try? root.open(name)) != nil) == (answer == .there), "\(name.display)")
            }
        }
    }

    /// Until a root was looked at, any directory may be it.
    @Test func aRootThatWasNeverSeenIsWhateverIsThere() async throws {
        try await Self.tree.withDirectory { folder in
            let path = folder.appending("Pictures")
            let root = try root(at: path, isRemembered: false)
            try Directory(folder).rename("Pictures", to: "former")
            try Self.tree.write(to: folder)
            #expect(answer("a.jpg", root) == .there)
        }
    }

    /// A disk that was mounted in a directory: another one there, or none, says nothing about its files.
    @Test(
        arguments: [
            Fact("the same disk", nil, [Answer.there, .there]),
            Fact("another disk", DirectoryIdentity(fileSystem: "ext4", fsid: 1, inode: 1), [.there, .away]),
            Fact("another directory of its disk", DirectoryIdentity(fileSystem: "tmpfs", inode: 1), [.there, .there]),
        ] as [Fact<DirectoryIdentity?, [Answer]>])
    func aDiskBelowTheRoot(_ fact: Fact<DirectoryIdentity?, [Answer]>) async throws {
        try await Self.tree.withDirectory { folder in
            let path = folder.appending("Pictures")
            let root = try root(at: path)
            let own = try Directory(path.appending("2024")).identity()
            guard own.fsidIsKnown || fact.input == nil else { return }
            root.sight.remember(fact.input ?? own, at: "2024")
            #expect([answer("a.jpg", root), answer("2024/b.jpg", root)] == fact.output)
        }
    }

    @Test func aDiskThatIsNotMountedSaysNothing() async throws {
        try await Self.tree.withDirectory { folder in
            let path = folder.appending("Pictures")
            let root = try root(at: path)
            root.sight.remember(try Directory(path.appending("2024")).identity(), at: "2024")
            try Directory.removeTree(at: path.appending("2024"))
            #expect(answer("2024/b.jpg", root) == .away)
            #expect(answer("a.jpg", root) == .there)
            root.sight.remember(nil, at: "2024")
            #expect(answer("2024/b.jpg", root) == .gone)
        }
    }

    /// What is not reached by names alone is not opened.
    @Test(arguments: ["link.jpg", "out/secret.jpg"] as [FilePath])
    func noLinkIsFollowed(_ path: FilePath) async throws {
        let tree: FileTree = ["Pictures": ["a.jpg": "one"], "elsewhere": ["secret.jpg": "two"]]
        try await tree.withDirectory { folder in
            let pictures = try Directory(folder.appending("Pictures"))
            try pictures.createLink("link.jpg", to: "../elsewhere/secret.jpg")
            try pictures.createLink("out", to: "../elsewhere")
            let root = try root(at: folder.appending("Pictures"))
            #expect(throws: SystemError.self) { try root.open(path) }
        }
    }

    // MARK: Names and places

    private static func known(_ id: Int64, _ name: String, _ path: FilePath) -> KnownRoot {
        KnownRoot(id: id, name: name, path: path)
    }

    @Test(
        arguments: [
            Fact("like its directory", ("/home/me/Pictures", nil, []), "Pictures"),
            Fact("as the user says", ("/home/me/Pictures", "Mine", []), "Mine"),
            Fact("a second of that name", ("/b/Pictures", nil, ["Pictures"]), "Pictures-2"),
            Fact("a third", ("/c/Pictures", nil, ["Pictures", "Pictures-2"]), "Pictures-3"),
            Fact("the first number that is free", ("/c/Pictures", nil, ["Pictures", "Pictures-3"]), "Pictures-2"),
            Fact("one whose own name has a number", ("/c/Pictures-2", nil, ["Pictures-2"]), "Pictures-2-2"),
            Fact("another case is another name", ("/c/pictures", nil, ["Pictures"]), "pictures"),
            Fact("the whole disk", ("/", nil, []), "root"),
            Fact("the whole disk again", ("/", nil, ["root"]), "root-2"),
            Fact("no UTF-8", (FilePath(bytes: [0x2F, 0x61, 0xFF]), nil, []), "a\u{FFFD}"),
        ] as [Fact<(path: FilePath, wish: String?, taken: [String]), String>])
    func aRootGetsANameOfItsOwn(_ fact: Fact<(path: FilePath, wish: String?, taken: [String]), String>) {
        let others = fact.input.taken.enumerated().map { Self.known(Int64($0), $1, FilePath("/x/\($0)")) }
        let new = KnownRoot(new: fact.input.path, name: fact.input.wish, beside: others)
        #expect(new == KnownRoot(id: 0, name: fact.output, path: fact.input.path))
    }

    @Test(
        arguments: [
            Fact("beside it", "/home/me/Videos", nil), Fact("the same", "/home/me/Pictures", nil),
            Fact("in it", "/home/me/Pictures/2024", nil), Fact("around it", "/home/me", "/home/me/Pictures"),
            Fact("around both", "/home", "/home/me/Pictures"), Fact("the whole disk", "/", "/home/me/Pictures"),
            Fact("one whose name only begins so", "/home/m", nil),
            Fact("around the other", "/media/card", "/media/card/DCIM"),
        ] as [Fact<FilePath, FilePath?>])
    func aRootMayNotHoldAnother(_ fact: Fact<FilePath, FilePath?>) {
        let known = [Self.known(1, "Pictures", "/home/me/Pictures"), Self.known(2, "DCIM", "/media/card/DCIM")]
        let overlap = OverlappingRoot(fact.input, among: known)
        #expect(overlap?.known.path == fact.output)
        if let overlap { #expect("\(overlap)".hasPrefix("\(fact.input.display) contains the known root")) }
    }

    @Test(
        arguments: [
            Fact("the root itself", "/a/Pictures", ("Pictures", "")),
            Fact("a file in it", "/a/Pictures/x.jpg", ("Pictures", "x.jpg")),
            Fact("deep below", "/a/Pictures/2024/1/x.jpg", ("Pictures", "2024/1/x.jpg")),
            Fact("what only begins so", "/a/Pictures2/x.jpg", nil), Fact("above it", "/a", nil),
            Fact("another root", "/b/x", ("Other", "x")), Fact("no root", "/c/x", nil),
        ] as [Fact<FilePath, (name: String, below: FilePath)?>])
    func theRootOfAPath(_ fact: Fact<FilePath, (name: String, below: FilePath)?>) {
        let registry = RootRegistry([
            Root(known: Self.known(2, "Other", "/b")), Root(known: Self.known(1, "Pictures", "/a/Pictures")),
        ])
        let found = registry.root(holding: fact.input)
        #expect(found?.root.name == fact.output?.name)
        #expect(found?.below == fact.output?.below)
        #expect(registry.all.map(\.name) == ["Pictures", "Other"])
    }

    /// Two cards were seen in one reader: the one that is there now counts.
    @Test(arguments: [false, true])
    func ofTwoDisksAtOnePathTheOneThatIsThereCounts(isSecond: Bool) async throws {
        try await Self.tree.withDirectory { folder in
            let path = folder.appending("Pictures")
            let roots = (1...2).map { Root(known: Self.known($0, "card-\($0)", path)) }
            let (here, away) = isSecond ? (roots[1], roots[0]) : (roots[0], roots[1])
            here.sight.remember(try RootState(of: path).identity, at: "")
            away.sight.remember(DirectoryIdentity(fileSystem: "vfat", fsid: 99, uuid: "none", inode: 1), at: "")
            #expect(RootRegistry(roots).root(holding: path.appending("a.jpg"))?.root.name == here.name)
        }
    }

    /// A watch and an order may meet a new directory at the same time: what one sees of its disk the other is to know.
    @Test func aRootThatIsAddedTwiceIsTheFirst() {
        let registry = RootRegistry()
        let first = registry.add(Root(known: Self.known(1, "Pictures", "/a")))
        let second = registry.add(Root(known: Self.known(1, "Pictures", "/a")))
        #expect(second.sight === first.sight && registry["Pictures"]?.sight === first.sight)
        let moved = registry.add(Root(known: Self.known(1, "Pictures", "/b")))
        #expect(moved.sight !== first.sight && registry["Pictures"]?.sight === moved.sight)
    }

    @Test func aRootThatJoinsTakesTheNameOfTheOneBefore() {
        let registry = RootRegistry([Root(known: Self.known(1, "Pictures", "/a"))])
        registry.add(Root(known: Self.known(3, "Pictures", "/b")))
        #expect(registry["Pictures"]?.known.id == 3)
        #expect(registry.all.count == 1)
        #expect(registry["Videos"] == nil)
        registry["Pictures"]?.sight.absence = RootAbsence("it is away")
        #expect(registry.absences == ["Pictures": RootAbsence("it is away")])
    }

    @Test func whatALibraryRemembersIsTakenOver() {
        let sight = RootIdentity()
        let (own, disk) = (DirectoryIdentity(fileSystem: "ext4", inode: 2), DirectoryIdentity(fileSystem: "vfat"))
        sight.remember(["": own, "Card": disk])
        #expect(sight.identity == own)
        #expect(sight.mounts == ["Card": disk])
        sight.remember(["Card": disk])
        #expect(sight.identity == nil)
        sight.remember(nil, at: "Card")
        #expect(sight.mounts.isEmpty)
    }
}

extension DirectoryIdentity {
    /// Whether another disk can be told from it by anything but its files.
    fileprivate var fsidIsKnown: Bool {
        likeness(to: DirectoryIdentity(fileSystem: "ext4", fsid: 1, inode: 1)) == .other
    }
}

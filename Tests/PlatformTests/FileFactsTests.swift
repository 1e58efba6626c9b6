import Platform
import TestSupport
import Testing

@Suite struct FileFactsTests {
    static let tree: FileTree = ["file": "12345", "directory": [:], "link": .symlink(to: "file")]

    @Test(arguments: [
        ("file", true, FileKind.file), ("directory", true, .directory), ("link", true, .file),
        ("link", false, .symlink),
    ])
    func kinds(name: String, followingLinks: Bool, kind: FileKind) async throws {
        try await Self.tree.withDirectory { root throws in
            #expect(try FileFacts(of: root.appending(name), followingLinks: followingLinks).kind == kind)
        }
    }

    @Test func aFileHasSizeModeOwnerAndLinks() async throws {
        try await Self.tree.withDirectory { root in
            let before = FileTime.now
            try Directory(root).link("file", to: "second")
            let facts = try FileFacts(of: root.appending("file"))
            #expect(facts.size == 5)
            #expect(facts.mode == 0o600)
            #expect(facts.links == 2)
            #expect(facts.owner == Host.userID)
            #expect(facts.inode == (try FileFacts(of: root.appending("second"))).inode)
            #expect(facts.device == (try FileFacts(of: root)).device)
            #expect(facts.modifiedAt.nanoseconds <= before.nanoseconds + 60_000_000_000)
        }
    }

    /// Not every file system keeps it.
    @Test func aRenamedFileWasMadeWhenItWasAndACopyLater() async throws {
        try await Self.tree.withDirectory { root in
            let born = FileFacts.birth(of: root.appending("file"))
            try Directory(root).rename("file", to: "renamed")
            #expect(FileFacts.birth(of: root.appending("renamed")) == born)
            try OpenFile(creating: root.appending("file")).append(Array("12345".utf8))
            if let born { #expect(try #require(FileFacts.birth(of: root.appending("file"))) >= born) }
            #expect(FileFacts.birth(of: root.appending("missing")) == nil)
        }
    }

    @Test(arguments: ["missing", "file/below", "missing/below"])
    func whatIsMissingHasNoFacts(name: String) async throws {
        try await Self.tree.withDirectory { root throws in
            #expect(try FileFacts.existing(root.appending(name)) == nil)
            #expect(throws: SystemError.self) { try FileFacts(of: root.appending(name)) }
        }
    }

    @Test func otherFailuresAreNotTakenForMissing() throws {
        let long = FilePath(String(repeating: "x", count: 300))
        #expect(throws: SystemError.self) { try FileFacts.existing(long) }
    }

    @Test func devicesAreOther() throws {
        #expect(try FileFacts(of: "/dev/null").kind == .other)
    }
}

import Glibc
import Platform
import TestSupport
import Testing

@Suite struct TreeWalkTests {
    /// All listings of a walk, by path.
    static func listings(_ root: FilePath, enter: (FilePath) -> Bool = { _ in true }) throws -> [DirectoryListing] {
        var listings: [DirectoryListing] = []
        TreeWalk.walk(try Directory(root), enter: enter) { listings.append($0) }
        return listings
    }

    static let tree: FileTree = [
        "b.jpg": "12345", "a": ["x": "1", "deep": ["y": "22"]], "out": .symlink(to: "/etc"), "empty": [:],
        "loop": .symlink(to: "."),
    ]

    @Test func everyDirectoryIsListedOnceAndNoLinkIsFollowed() async throws {
        try await Self.tree.withDirectory { root in
            let listings = try Self.listings(root)
            #expect(listings.first?.path == "")
            #expect(listings.map(\.path).sorted() == ["", "a", "a/deep", "empty"])
            let names = Dictionary(uniqueKeysWithValues: listings.map { ($0.path, $0.entries.map(\.name)) })
            #expect(names[""] == ["a", "b.jpg", "empty", "loop", "out"].map { Array($0.utf8) })
            #expect(names["empty"] == [])
            #expect(listings.allSatisfy { $0.failure == nil })
        }
    }

    @Test func filesHaveTheirFactsAndOthersOnlyTheirKind() async throws {
        try await Self.tree.withDirectory { root in
            let entries = try #require(try Self.listings(root).first?.entries)
            let facts = try FileFacts(of: root.appending("b.jpg"))
            #expect(entries.map(\.kind) == [.directory, .file, .directory, .symlink, .symlink])
            #expect(entries.map(\.facts) == [nil, facts, nil, nil, nil])
        }
    }

    @Test func whatIsNotEnteredIsNotRead() async throws {
        try await Self.tree.withDirectory { root in
            var asked: [FilePath] = []
            let listings = try Self.listings(root) { path in
                asked.append(path)
                return path != "a"
            }
            #expect(listings.map(\.path).sorted() == ["", "empty"])
            #expect(asked.sorted() == ["a", "empty"])
        }
    }

    @Test func aDirectoryComesBeforeThoseInIt() async throws {
        var tree = FileTree()
        for first in 0..<10 {
            let inner = FileTree(Dictionary(uniqueKeysWithValues: (0..<10).map { (FilePath("\($0)"), ["f": "x"]) }))
            tree.nodes[FilePath("\(first)")] = .directory(inner)
        }
        try await tree.withDirectory { root in
            var seen: Set<FilePath> = []
            for listing in try Self.listings(root) {
                #expect(listing.path.isEmpty || seen.contains(listing.path.parent))
                #expect(seen.insert(listing.path).inserted)
            }
            #expect(seen.count == 111)
        }
    }

    @Test(
        arguments: [0, 1, 2047, 2049, 5000].map { count in (0..<count).map { "IMG_2026-01-01_\($0 % 7)_\($0)" } } + [
            ["n", "n1", "n12345678", "n123456789", "n1234567812345678", "n12345678123456789", "né", "n\u{7f}"]
        ])
    func aDirectoryIsListedWholeAndInTheOrderOfBytes(names: [String]) async throws {
        let names = names.map { FilePath($0) }
        try await FileTree(Dictionary(uniqueKeysWithValues: names.map { ($0, "x") })).withDirectory { root in
            let entries = try #require(try Self.listings(root).first?.entries)
            #expect(entries.map { FilePath(bytes: $0.name) } == names.sorted())
            #expect(entries.allSatisfy { $0.facts?.size == 1 })
        }
    }

    @Test func aDirectoryThatCannotBeReadIsVisitedWithItsFailure() async throws {
        try await FileTree(["gone": ["x": "1"], "stays": ["y": "2"]]).withDirectory { root in
            // Removed between being listed and being read.
            let listings = try Self.listings(root) { path in
                if path == "gone" { TemporaryDirectory.remove(root.appending(path)) }
                return true
            }
            let gone = try #require(listings.first { $0.path == "gone" })
            #expect(gone.failure?.isMissing == true)
            #expect(gone.entries.isEmpty)
            #expect(listings.contains { $0.path == "stays" && $0.failure == nil })
        }
    }

    @Test func aDirectoryReplacedByALinkIsNotFollowed() async throws {
        try await FileTree(["swapped": ["x": "1"]]).withDirectory { root in
            let listings = try Self.listings(root) { path in
                TemporaryDirectory.remove(root.appending(path))
                try? Directory(root).createLink(path, to: "/etc")
                return true
            }
            #expect(listings.last?.failure?.code == ELOOP)
        }
    }

    @Test func whatTheVisitorThrowsEndsTheWalk() async throws {
        try await Self.tree.withDirectory { root in
            var visits = 0
            let directory = try Directory(root)
            #expect(throws: SystemError.self) {
                try TreeWalk.walk(directory) { _ throws(SystemError) in
                    visits += 1
                    if visits == 2 { throw SystemError(call: "visit", code: 5) }
                }
            }
            #expect(visits == 2)
        }
    }

    @Test func namesThatAreNotTextAreWalked() async throws {
        let odd = FilePath(bytes: [0xff, 0x20, 0xc3])
        try await FileTree([odd: .directory([odd: "x"])]).withDirectory { root throws in
            #expect(try Self.listings(root).map(\.path) == ["", odd])
            #expect(try Self.listings(root).last?.entries.map(\.name) == [odd.bytes])
        }
    }
}

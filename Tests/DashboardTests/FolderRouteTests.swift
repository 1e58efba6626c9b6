import Fixtures
import Foundation
import Platform
import Serving
import TestSupport
import Testing

@testable import Dashboard

/// Folders of any names and files that are the same, as the page asks for them.
@Suite struct FolderRouteTests {
    private struct Folders: Decodable {
        struct Folder: Decodable {
            let root: String
            let path: String
            let name: String
            let count: Int
            let hasFolders: Bool
        }
        let folders: [Folder]
    }

    static let paths: [FilePath] = [
        "2024/05/a.jpg", "2024/06/b.jpg", "2024/06/sub/deep/c.jpg", "2024/d.jpg", "~/e.jpg", "<b>/f.jpg",
        FilePath(bytes: [0xFF] + Array("/g.jpg".utf8)), "a b&c=d/h.jpg",
    ]

    @Test(arguments: [
        Fact("the roots", "", ["Pictures  12 +"]),
        Fact("a path without a root is none", "?path=2024", ["Pictures  12 +"]),
        Fact(
            "those of a root", "?root=Pictures",
            ["2024 2024 4 +", "<b> <b> 1", "a b&c=d a b&c=d 1", "~ ~fg 1", "\u{FFFD} ~_w 1"]),
        Fact(
            "the same", "?root=Pictures&path=",
            ["2024 2024 4 +", "<b> <b> 1", "a b&c=d a b&c=d 1", "~ ~fg 1", "\u{FFFD} ~_w 1"]),
        Fact("below one", "?root=Pictures&path=2024", ["05 2024/05 1", "06 2024/06 2 +"]),
        Fact("deeper", "?root=Pictures&path=2024/06", ["sub 2024/06/sub 1 +"]),
        Fact("through one without files", "?root=Pictures&path=2024/06/sub", ["deep 2024/06/sub/deep 1"]),
        Fact("below one that has none", "?root=Pictures&path=2024/05", []),
        Fact("one that is not there", "?root=Pictures&path=none", []),
        Fact("half a name is none", "?root=Pictures&path=202", []),
        Fact("a slash too many is another folder", "?root=Pictures&path=2024/", []),
        Fact("a way up is none", "?root=Pictures&path=..", []),
        Fact("bytes that are no text", "?root=Pictures&path=~_w", []),
        Fact("what stands for no bytes", "?root=Pictures&path=~%21", ["404"]),
        Fact("another root", "?root=Other", ["404"]), Fact("its name in other letters", "?root=pictures", ["404"]),
        Fact("a root without a name", "?root=", ["404"]), Fact("its path is no name", "?root=/Pictures", ["404"]),
    ])
    func foldersAreThoseDirectlyBelow(_ row: Fact<String, [String]>) async throws {
        try await PageFixture.with { fixture async throws in
            try await fixture.add(Self.paths.map { MadeAsset($0, takenAt: 1_700_000_000) })
            let answer = await fixture.ask("/api/1/folders\(row.input)")
            guard answer.status == 200 else { return #expect(["\(answer.status)"] == row.output) }
            let folders = try JSONDecoder().decode(Folders.self, from: Data(answer.text.utf8)).folders
            let lines = folders.map { "\($0.name) \($0.path) \($0.count)" + ($0.hasFolders ? " +" : "") }
            #expect(lines.sorted() == row.output.sorted())
            #expect(folders.allSatisfy { $0.root == "Pictures" })
            // The page asks for what it was told: each path leads to its folder.
            for folder in folders { #expect(FilePath(inPage: folder.path)?.inPage == folder.path) }
        }
    }

    private struct Duplicates: Decodable {
        struct Copies: Decodable {
            struct Copy: Decodable {
                let name: String
                let path: String
            }
            let size: Int64
            let count: Int
            let files: [Copy]
        }
        let count: Int
        let bytes: Int64
        let sets: [Copies]
    }

    @Test(arguments: [
        Fact("all of them", "", [3, 2]), Fact("from the first", "?from=0", [3, 2]), Fact("one", "?count=1", [3]),
        Fact("the second", "?from=1&count=1", [2]), Fact("behind the last", "?from=2", []),
        Fact("far behind it", "?from=9223372036854775807", []), Fact("none", "?count=0", [400]),
        Fact("fewer than none", "?from=-1", [400]), Fact("no number", "?from=x", [400]),
        Fact("more than one answer has", "?count=101", [400]),
        Fact("more than a number is", "?from=9223372036854775808", [400]),
    ])
    func whatIsTheSameStandsTogether(_ row: Fact<String, [Int]>) async throws {
        try await PageFixture.with { fixture async throws in
            let copies: [(FilePath, FilePath)] = [
                ("x/1.jpg", "x"), ("x/2\u{1B}.jpg", "x"), ("3.jpg", "x"), ("y/1.jpg", "y"), ("y/2.jpg", "y"),
                ("z.jpg", "z"),
            ]
            try await fixture.add(
                copies.map { path, content in
                    var asset = MadeAsset(path, takenAt: 1_700_000_000)
                    asset.content = content
                    return asset
                })
            let answer = await fixture.ask("/api/1/duplicates\(row.input)")
            guard answer.status == 200 else { return #expect([answer.status] == row.output) }
            let told = try JSONDecoder().decode(Duplicates.self, from: Data(answer.text.utf8))
            #expect(told.count == 2 && told.bytes == 21)
            #expect(told.sets.map(\.count) == row.output && told.sets.map(\.files.count) == row.output)
            #expect(told.sets.allSatisfy { $0.size == 7 })
            let shown = told.sets.flatMap(\.files).map(\.path)
            #expect(!shown.joined().unicodeScalars.contains { $0.value < 0x20 })
        }
    }
}

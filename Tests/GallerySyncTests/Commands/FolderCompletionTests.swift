import Platform
import SetUp
import TestSupport
import Testing

@Suite struct FolderCompletionTests {
    private static let home: FileTree = [
        "Pictures": ["2026": [:], "a.jpg": "x"], "Pipes": [:], "Videos": [:], ".hidden": [:], "notes.txt": "x",
        FilePath(bytes: [0x50, 0xFF]): [:],
    ]

    @Test(arguments: [
        ("", ["~/Pictures", "~/Pipes", "~/Videos"]), ("~", ["~/Pictures", "~/Pipes", "~/Videos"]),
        ("~/Pi", ["~/Pictures", "~/Pipes"]), ("~/Pictures/", ["~/Pictures/2026"]), ("~/.h", ["~/.hidden"]),
        ("~/nowhere/", []), ("Pictures", []), ("~/notes.txt/", []),
    ])
    func directoriesThatBeginSo(typed: String, found: [String]) async throws {
        try await Self.home.withDirectory { home in
            #expect(FolderCompletion.folders(typed, home: home) == found)
        }
    }

    @Test func anAbsolutePathStaysOne() async throws {
        try await Self.home.withDirectory { home in
            #expect(FolderCompletion.folders("\(home)/V", home: "/nowhere") == ["\(home)/Videos"])
        }
    }
}

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

    /// While it is typed, other programs make folders and delete them.
    @Test func aFolderThatComesAndGoesEndsNothing() async throws {
        try await Self.home.withDirectory { home in
            let isDone = Shared(false)
            async let changes: Void = {
                while !isDone.value {
                    try Directory(home).rename("Pipes", to: ".pipes")
                    try Directory(home).rename(".pipes", to: "Pipes")
                }
            }()
            for _ in 0..<2_000 {
                let found = FolderCompletion.folders("~/", home: home)
                #expect(found.filter { $0 != "~/Pipes" } == ["~/Pictures", "~/Videos"])
            }
            isDone.change { $0 = true }
            try await changes
        }
    }
}

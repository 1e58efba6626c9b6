import Fixtures
import Platform
import Records
import Roots
import Tables
import TestSupport
import Testing

@testable import Catalog
@testable import Queue

/// Which names are read to find what belongs to a file; each file of a directory is asked about.
@Suite struct CompanionNameTests {
    /// A directory of numbered pictures, whose names all begin alike, and of pictures with companions.
    private static let names: [FilePath] =
        (0..<50).map { FilePath("2024.05.12 at \($0).png") } + [
            "IMG_1.CR2", "IMG_1.CR2.xmp", "IMG_1.xmp", "IMG_1.HEIC", "IMG_1.MOV", "IMG_1.old.CR2", "IMG_2.CR2",
        ]

    private static func with(_ body: (Library, KnownRoot) async throws -> Void) async throws {
        try await FileTree().withDirectory { folder in
            let library = try Library(path: folder.appending("library.sqlite"))
            let root = try await library.root(at: "/home/Pictures").root
            try await library.make(names.map { MadeAsset($0, state: .seen) }, below: root)
            try await body(library, root)
        }
    }

    @Test func aPictureIsNotComparedWithAllThatBeginAlike() async throws {
        try await Self.with { library, root in
            let asset = try #require(try await library.asset(root: root.name, path: "2024.05.12 at 7.png"))
            let names = try await library.companionNames(of: asset.place)
            #expect(names.map { FilePath(bytes: $0) } == ["2024.05.12 at 7.png"])
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let file: FilePath
        let companions: [FilePath]
        var testDescription: String { "\(file)" }
    }

    @Test(arguments: [
        Row(file: "IMG_1.CR2", companions: ["IMG_1.CR2.xmp", "IMG_1.MOV", "IMG_1.xmp"]),
        Row(file: "IMG_1.HEIC", companions: ["IMG_1.MOV", "IMG_1.xmp"]),
        Row(file: "IMG_1.MOV", companions: ["IMG_1.CR2", "IMG_1.HEIC", "IMG_1.xmp"]),
        Row(file: "IMG_1.xmp", companions: ["IMG_1.CR2", "IMG_1.HEIC", "IMG_1.MOV"]),
        Row(file: "IMG_1.CR2.xmp", companions: ["IMG_1.CR2"]),
        Row(file: "IMG_1.old.CR2", companions: []), Row(file: "IMG_2.CR2", companions: []),
    ])
    func whatBelongsToAFileIsFound(_ row: Row) async throws {
        try await Self.with { library, root in
            let record = try #require(try await library.fileRecord(root: root.name, path: row.file))
            #expect(record.companions.map { FilePath(bytes: $0.name) } == row.companions)
        }
    }
}

extension Library {
    fileprivate func companionNames(of place: Asset.Place) throws -> [[UInt8]] {
        try database.companionNames(of: place)
    }
}

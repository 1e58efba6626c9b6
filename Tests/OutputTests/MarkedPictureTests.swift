import MediaModel
import Platform
import TestSupport
import Testing

@testable import Output

/// Pictures that are recognised as ours when they are written again, and are pictures all the same.
@Suite struct MarkedPictureTests {
    private static let text = Array("gallery-sync".utf8)
    private static let jfif: [UInt8] = [0xFF, 0xE0, 0, 7, 0x4A, 0x46, 0x49, 0x46, 0]

    private static func webp(_ rest: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [UInt8(rest.count + 4), 0, 0, 0] + Array("WEBP".utf8) + rest
    }

    /// A whole picture of each format, as short as can be.
    private static let pictures: [(ThumbnailFormat, [UInt8])] = [
        (.jpeg, [0xFF, 0xD8] + jfif + [0xFF, 0xDA, 1, 2, 0xFF, 0xD9]), (.webp, webp([1, 2, 3, 4])),
        (.avif, [0, 0, 0, 8] + Array("ftyp".utf8)),
    ]

    /// What one run has written the next one replaces, and a picture of the same format from elsewhere stays.
    @Test(arguments: pictures)
    func oursIsReplacedAndAnothersStays(format: ThumbnailFormat, picture: [UInt8]) async throws {
        try await FileTree(["other": .file(picture)]).withDirectory { folder throws in
            let file = MarkedPicture.file(folder.appending("ours"), format, kind: "picture")
            for _ in 0..<2 { try file.write(MarkedPicture.bytes(of: picture, format)) }
            let other = MarkedPicture.file(folder.appending("other"), format, kind: "picture")
            #expect(throws: OutputTaken.self) { try other.write(MarkedPicture.bytes(of: picture, format)) }
            #expect(try OpenFile(reading: other.path).readAll() == picture)
        }
    }

    /// A picture of one format is none of ours in another, though it has our name in it.
    @Test func theMarkOfOneFormatIsNotThatOfAnother() async throws {
        for (format, picture) in Self.pictures {
            let bytes = MarkedPicture.bytes(of: picture, format)
            for (other, _) in Self.pictures where other != format {
                try await FileTree(["x": .file(bytes)]).withDirectory { folder throws in
                    let file = MarkedPicture.file(folder.appending("x"), other, kind: "picture")
                    #expect(throws: OutputTaken.self, "\(format) as \(other)") { try file.check() }
                }
            }
        }
    }

    /// The comment follows what has to come first, and nothing of the picture is lost.
    @Test(
        arguments: [
            Fact("after JFIF's segment", [0xFF, 0xD8] + jfif + [0xFF, 0xDA], 11),
            Fact("without one", [0xFF, 0xD8, 0xFF, 0xDB], 2),
            Fact("another segment first", [0xFF, 0xD8, 0xFF, 0xE1, 0, 3, 9, 0xFF, 0xDA], 2),
            Fact("nothing but a beginning", [0xFF, 0xD8], 2),
            Fact("a segment beyond the end", [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 1], 7),
            Fact("a segment that is cut before its length", [0xFF, 0xD8, 0xFF, 0xE0, 0, 2], 2),
            Fact("no JPEG", [0x89, 0x50], nil), Fact("nothing", [], nil), Fact("half a beginning", [0xFF], nil),
        ] as [Fact<[UInt8], Int?>])
    func whereTheCommentOfAJPEGStands(_ fact: Fact<[UInt8], Int?>) {
        let comment = [0xFF, 0xFE, 0, 14] + Self.text
        let expected =
            fact.output.map { fact.input.prefix($0) + comment + fact.input.dropFirst($0) } ?? fact.input[...]
        #expect(MarkedPicture.bytes(of: fact.input, .jpeg) == Array(expected))
    }

    /// The length that the first chunk states is that of the file without its own eight bytes.
    @Test(
        arguments: [
            Fact("a whole file", webp([1, 2, 3, 4]), true), Fact("an empty one", webp([]), true),
            Fact("an odd one, which no file is", webp([1]), false), Fact("cut", Array(webp([]).prefix(10)), false),
            Fact("another kind", Array("RIFX".utf8) + [UInt8](repeating: 0, count: 8), false),
            Fact("nothing", [], false),
        ] as [Fact<[UInt8], Bool>])
    func aWebPStatesItsLength(_ fact: Fact<[UInt8], Bool>) {
        let bytes = MarkedPicture.bytes(of: fact.input, .webp)
        guard fact.output else {
            #expect(bytes == fact.input)
            return
        }
        let stated = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(stated == bytes.count - 8 && bytes.count % 2 == 0)
        #expect(bytes[8..<fact.input.count] == fact.input[8...], "its chunks are as they were")
        #expect(Array(bytes.suffix(20)) == Array("gsyn".utf8) + [12, 0, 0, 0] + Self.text)
    }
}

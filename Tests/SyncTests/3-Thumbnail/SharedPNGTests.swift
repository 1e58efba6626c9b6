import TestSupport
import Testing

@testable import Sync

/// What a worker calls a PNG, cut, damaged and made up.
@Suite struct SharedPNGTests {
    private static func chunk(_ type: String, _ data: [UInt8], length: UInt32? = nil) -> [UInt8] {
        let count = length ?? UInt32(data.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(type.utf8) + data + [0, 0, 0, 0]
    }

    private static func header(_ width: UInt32, _ height: UInt32, _ rest: [UInt8] = [8, 2, 0, 0, 0]) -> [UInt8] {
        chunk(
            "IHDR",
            [width, height].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } } + rest)
    }

    private static let end = chunk("IEND", [])
    private static func file(_ chunks: [UInt8]...) -> [UInt8] { SharedPNG.signature + chunks.flatMap(\.self) }

    private static let whole = file(
        header(4, 3), chunk("tEXt", Array("Thumb::URI\0file:///a".utf8)), chunk("IDAT", [1, 2]), chunk("IDAT", [3]), end
    )

    @Test func aFileThatIsCutAnywhereIsNone() throws {
        let chunks = try #require(SharedPNG(Self.whole))
        #expect(
            chunks.chunks.map { String(decoding: $0.type, as: UTF8.self) } == ["IHDR", "tEXt", "IDAT", "IDAT", "IEND"])
        for count in 0..<Self.whole.count { #expect(SharedPNG(Array(Self.whole.prefix(count))) == nil, "\(count)") }
        for count in 1...11 { #expect(SharedPNG(Self.whole + [UInt8](repeating: 0, count: count)) == nil, "\(count)") }
    }

    @Test(
        arguments: [
            Fact("nothing", [], false), Fact("a signature alone", SharedPNG.signature, false),
            Fact("an end alone", file(end), false), Fact("a header alone", file(header(1, 1)), false),
            Fact("no pixels at all", file(header(1, 1), end), true),
            Fact("a header that comes second", file(chunk("tEXt", []), header(1, 1), end), false),
            Fact("something after the end", file(header(1, 1), end, chunk("tEXt", [])), false),
            Fact("a length beyond the file", file(header(1, 1), chunk("IDAT", [], length: 1), end), false),
            Fact("a length of all there is", file(header(1, 1), chunk("IDAT", [], length: 12)), false),
            Fact("the greatest length", file(header(1, 1), chunk("IDAT", [], length: .max), end), false),
        ] as [Fact<[UInt8], Bool>])
    func whatIsAPNG(_ fact: Fact<[UInt8], Bool>) { #expect((SharedPNG(fact.input) != nil) == fact.output) }

    @Test(
        arguments: [
            Fact("a keyword and a text", "a\0b", ["a": "b"]), Fact("an empty text", "a\0", ["a": ""]),
            Fact("no text", "a", [:]), Fact("a text with a zero in it", "a\0b\0c", ["a": "b\0c"]),
            Fact("no keyword", "\0b", ["": "b"]), Fact("nothing", "", [:]),
        ] as [Fact<String, [String: String]>])
    func texts(_ fact: Fact<String, [String: String]>) throws {
        let file = Self.file(Self.header(1, 1), Self.chunk("tEXt", Array(fact.input.utf8)), Self.end)
        #expect(try #require(SharedPNG(file)).texts == fact.output)
    }

    @Test(
        arguments: [
            Fact("as large as it may be", header(256, 256), true), Fact("one pixel", header(1, 1), true),
            Fact("one too wide", header(257, 1), false), Fact("one too high", header(1, 257), false),
            Fact("no width", header(0, 1), false), Fact("no height", header(1, 0), false),
            Fact("the greatest width", header(.max, 1), false),
            Fact("with alpha", header(1, 1, [8, 6, 0, 0, 0]), false),
            Fact("sixteen bits", header(1, 1, [16, 2, 0, 0, 0]), false),
            Fact("interlaced", header(1, 1, [8, 2, 0, 0, 1]), false),
            Fact("another compression", header(1, 1, [8, 2, 1, 0, 0]), false),
            Fact("a header that is too short", header(1, 1, [8, 2, 0, 0]), false),
            Fact("one that is too long", header(1, 1, [8, 2, 0, 0, 0, 0]), false),
        ] as [Fact<[UInt8], Bool>])
    func whatIsPlain(_ fact: Fact<[UInt8], Bool>) throws {
        #expect(try #require(SharedPNG(Self.file(fact.input, Self.end))).isPlain(side: 256) == fact.output)
    }

    /// Only what shows the picture stays, with our texts, and the sums are right: `IEND` has a well-known one.
    @Test func aFileHasOurTextsAndNothingElse() throws {
        let made = Self.file(
            Self.header(4, 3), Self.chunk("tEXt", Array("Comment\0of the worker".utf8)), Self.chunk("eXIf", [9]),
            Self.chunk("IDAT", [1, 2]), Self.chunk("zzzz", [9]), Self.chunk("IDAT", [3]), Self.end)
        let file = try #require(SharedPNG(made)).file(with: [("A", "ä"), ("B", "")])
        let again = try #require(SharedPNG(file))
        #expect(again.texts == ["A": "ä", "B": ""])
        #expect(
            again.chunks.map { String(decoding: $0.type, as: UTF8.self) }
                == ["IHDR", "tEXt", "tEXt", "IDAT", "IDAT", "IEND"])
        #expect(again.chunks.filter { $0.type == Array("IDAT".utf8) }.map(\.data) == [[1, 2], [3]])
        #expect(file.suffix(4) == [0xAE, 0x42, 0x60, 0x82])
        #expect(again.file(with: [("A", "ä"), ("B", "")]) == file, "made once more it is the same")
    }
}

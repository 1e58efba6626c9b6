import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Pictures whose colours have names.
@Suite(.serialized) struct XPMTests {
    /// The names of X11 with a percentage, beside others and words like them.
    @Test func anXPMMayNameGreysByTheirPercentage() throws {
        let names = ["gray80", "Grey20", "white", "gray100"]
        let colours = zip("ABCD", names).map { "\"\($0) m black c \($1)\"," }
        let row = "\"\("ABCD".map { String(repeating: $0, count: 16) }.joined())\""
        let rows = [String](repeating: row, count: 8).joined(separator: ",\n")
        let lines = ["/* XPM */", "static char *x[] = {", "\"64 8 4 1\","] + colours + [rows, "};"]
        let media = try Examined.media(Array(lines.joined(separator: "\n").utf8), as: .xpm, sizes: [64])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        for (index, grey) in [204, 51, 255, 255].enumerated() {
            let found = shown.pixel(8 + 16 * index, 4).map(Int.init)
            #expect(found.allSatisfy { abs($0 - grey) <= 4 }, "\(names[index]): \(found)")
        }
    }

    /// FFmpeg takes a colour whose name it does not know for black.
    @Test(arguments: [("SteelBlue1", true), ("#FFFFFF", false)])
    func aPictureOfUnknownColoursIsNoted(white: String, isNoted: Bool) throws {
        let rows = (0..<8).map { "\"" + String(repeating: $0 < 4 ? " " : ".", count: 8) + "\"" }
        let head = ["\"8 8 2 1\"", "\"  c \(white)\"", "\". c #000000\""]
        let text = "/* XPM */\nstatic char *p[] = {\n" + (head + rows).joined(separator: ",\n") + "};\n"
        let facts = try Examined.media(Array(text.utf8), sizes: [8]).facts
        #expect(facts.notes.contains { $0.contains("of one colour") } == isNoted)
    }
}

import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// A picture with a second one for HDR screens keeps its own, and says so.
@Suite(.serialized) struct GainMapTests {
    private static func plain() throws -> [UInt8] {
        try PictureWriter.encode(Scene(seed: 5, width: 96, height: 64).bitmap(), as: .jpeg)
    }

    /// A segment that begins after the start of the JPEG.
    private static func segment(_ marker: UInt8, _ content: String) -> [UInt8] {
        let bytes = Array(content.utf8)
        let length = bytes.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + bytes
    }

    @Test(arguments: [
        ("Android", segment(0xE1, "http://ns.adobe.com/xap/1.0/\0<rdf hdrgm:Version=\"1.0\"/>"), ""),
        ("ISO 21496-1", segment(0xE2, "urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"), ""),
        ("Apple", [], "urn:com:apple:photo:2020:aux:hdrgainmap"),
    ])
    func itIsNoted(name: String, start: [UInt8], end: String) throws {
        let plain = try Self.plain()
        let media = try Examined.media(plain[..<2] + start + plain[2...] + Array(end.utf8))
        #expect(media.thumbnails.count == 1)
        #expect(media.facts.hdr == nil)
        #expect(media.facts.notes.contains { $0.hasPrefix("The picture has a gain map") }, "\(name)")
    }

    @Test func othersHaveNoNote() throws {
        #expect(try Examined.media(try Self.plain()).facts.notes == [])
    }
}

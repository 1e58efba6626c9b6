import CDeflate
import MediaModel
import Testing

@testable import Frames
@testable import Media

/// Drawings that gzip has packed.
@Suite(.serialized) struct PackedDrawingTests {
    private static let drawing = Array(
        "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'><rect width='60' height='40' fill='#00F'/></svg>"
            .utf8)

    private static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        let compressor = try #require(libdeflate_alloc_compressor(1))
        defer { libdeflate_free_compressor(compressor) }
        var room = [UInt8](repeating: 0, count: libdeflate_gzip_compress_bound(compressor, bytes.count))
        let count = libdeflate_gzip_compress(compressor, bytes, bytes.count, &room, room.count)
        return Array(room.prefix(count))
    }

    /// Also with bytes behind it, as some servers leave them there.
    @Test(arguments: [[], [0, 1, 2]] as [[UInt8]]) func aPackedDrawingIsShown(rest: [UInt8]) throws {
        let media = try Examined.media(try Self.packed(Self.drawing) + rest, as: .svgz, sizes: [60])
        #expect(media.facts.type == .svgz && media.facts.width == 60 && media.facts.height == 40)
        let blue = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(30, 20)
        #expect(blue[0] < 8 && blue[2] > 240)
    }

    /// The drawing is whole; comments and white space follow it up to the limit, and a byte more.
    @Test(arguments: [(16 << 20, true), (16 << 20 + 1, false)])
    func aPackedDrawingEndsWithinALimit(count: Int, isShown: Bool) throws {
        // A parser of XML has limits of its own for one comment.
        let comment = Array("<!--".utf8) + [UInt8](repeating: 32, count: 1 << 16) + Array("-->".utf8)
        var bytes = Self.drawing
        while bytes.count + comment.count <= count { bytes += comment }
        let file = try Self.packed(bytes + [UInt8](repeating: 32, count: count - bytes.count))
        #expect(file.count < 100_000)
        if isShown {
            #expect(try Examined.media(file, as: .svgz, sizes: [60]).facts.width == 60)
        } else {
            #expect(try Examined.failure(file, as: .svgz).contains("more than 16 MB"))
        }
    }

    @Test(arguments: [10, 30, 60]) func aCutOneIsRefused(count: Int) throws {
        #expect(try !Examined.failure(Array(try Self.packed(Self.drawing).prefix(count)), as: .svgz).isEmpty)
    }
}

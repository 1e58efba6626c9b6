import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Netpbm's pictures with transparency.
@Suite(.serialized) struct PAMTests {
    /// Netpbm's programs write the values of few bits as they are: white or blue, half of it, black, nothing.
    @Test(arguments: [1, 4, 15, 200, 255, 1023]) func aTransparentPAMOfFewBitsIsShown(largest: Int) throws {
        let half = largest / 2
        for (tuple, colour) in [("GRAYSCALE_ALPHA", [largest]), ("RGB_ALPHA", [0, 0, largest])] {
            let none = colour.map { _ in 0 }
            let pixels = [colour + [largest], none + [half], none + [largest], none + [0]]
            let row = pixels.flatMap { [[Int]](repeating: $0, count: 16) }.joined()
            let samples = (0..<8).flatMap { _ in
                row.flatMap { largest > 255 ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0)] }
            }
            let depth = "DEPTH \(colour.count + 1)\nMAXVAL \(largest)"
            let head = "P7\nWIDTH 64\nHEIGHT 8\n\(depth)\nTUPLTYPE \(tuple)\nENDHDR\n"
            let media = try Examined.media(Array(head.utf8) + samples, as: .pnm, sizes: [64])
            let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
            let grey = 255 - 255 * half / largest
            let expected = [colour.map { $0 * 255 / largest }, [grey], [0], [255]]
            for (index, pixel) in expected.enumerated() {
                let found = shown.pixel(8 + 16 * index, 4).map(Int.init)
                let whole = pixel.count == 3 ? pixel : [Int](repeating: pixel[0], count: 3)
                #expect(zip(found, whole).allSatisfy { abs($0 - $1) <= 6 }, "\(tuple), \(index): \(found)")
            }
        }
    }
}

import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// AVIF whose colours are coded as brightness, green and orange (ITU-T H.273, matrix 8), as encoders of screens choose.
struct GreenAndOrangeTests {
    /// One colour: red 200, green 100 and blue 40 of 255.
    private static func file(_ format: AVPixelFormat, depth: Int) throws -> [UInt8] {
        let frame = try Frame.blank(width: 64, height: 48, format: format)
        let (data, lines) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        for (plane, line, value) in [(data.0, lines.0, 110), (data.1, lines.1, 118), (data.2, lines.2, 208)] {
            let bytes = try #require(plane)
            for at in 0..<48 * Int(line) {
                let sample = value << (depth - 8)
                bytes[at] = UInt8(depth == 8 || at % 2 == 0 ? sample & 255 : sample >> 8)
            }
        }
        var settings = Encoder.Settings(width: 64, height: 48, format: format)
        (settings.matrix, settings.primaries) = (AVCOL_SPC_YCGCO, AVCOL_PRI_BT709)
        (settings.transfer, settings.hasGlobalHeader) = (AVCOL_TRC_IEC61966_2_1, true)
        settings.options = [("cpu-used", "8"), ("crf", "10"), ("color_range", "pc")]
        let encoder = try Encoder.opened("libaom-av1", settings)
        let muxer = try Muxer.opened("avif", metadata: [])
        let stream = try muxer.add(encoder)
        try muxer.start()
        try encoder.send(frame)
        encoder.finish()
        try muxer.drain(encoder, into: stream)
        return try muxer.finished()
    }

    @Test(arguments: [(AV_PIX_FMT_YUV444P, 8), (AV_PIX_FMT_YUV444P10LE, 10), (AV_PIX_FMT_YUV444P12LE, 12)])
    func itsColoursAreShownWhateverItsDepth(format: AVPixelFormat, depth: Int) throws {
        let media = try Examined.media(try Self.file(format, depth: depth), as: .avif, sizes: [64])
        let colour = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(30, 20).map(Int.init)
        #expect(zip(colour, [200, 100, 40]).allSatisfy { abs($0 - $1) <= 4 }, "\(colour)")
    }
}

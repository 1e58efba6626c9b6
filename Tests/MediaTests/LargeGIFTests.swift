import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// GIFs that are made smaller row by row, since composing them takes four bytes a pixel.
@Suite(.serialized) struct LargeGIFTests {
    private static let scene = Scene(seed: 31, width: 320, height: 240).bitmap()

    /// A picture by FFmpeg's encoder, on a canvas of its own size unless another is given.
    private static func file(_ bitmap: Bitmap = scene, canvas: (width: Int, height: Int)? = nil) throws -> [UInt8] {
        let target = Scaler.Target(width: bitmap.width, height: bitmap.height, format: AV_PIX_FMT_RGB8)
        let frame = try Scaler.convert(try Frame.copy(of: bitmap), to: target, flags: Scaler.exact)
        var file = try Encoder.file(of: frame, by: "gif")
        if let canvas { file.replaceSubrange(6..<10, with: number(canvas.width) + number(canvas.height)) }
        return file
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    /// The picture of 320 pixels by us, however small its canvas is; red, green, blue and alpha.
    private static func pixels(_ file: [UInt8]) throws -> (width: Int, rgba: [UInt8])? {
        try Examined.alone {
            try file.withUnsafeBufferPointer { bytes in
                guard let picture = LargeGIF(bytes, above: 0), let frame = try picture.frame(longSide: 320) else {
                    return nil
                }
                let data = try #require(frame.pointer.pointee.data.0)
                let row = Int(frame.pointer.pointee.linesize.0)
                let rgba = (0..<frame.height).flatMap { y in (0..<frame.width * 4).map { data[y * row + $0] } }
                return (frame.width, rgba)
            }
        }
    }

    /// The same by FFmpeg.
    private static func theirs(_ file: [UInt8]) throws -> [UInt8] {
        try Examined.alone {
            let frame = try PhotoReader.decoded(
                try Packet.copy(of: file), by: "gif", options: Decoder.Options(maxPixels: 1 << 24))
            let target = Scaler.Target(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGBA)
            let plain = try Scaler.convert(frame, to: target, flags: Scaler.exact)
            let data = try #require(plain.pointer.pointee.data.0)
            let row = Int(plain.pointer.pointee.linesize.0)
            return (0..<plain.height).flatMap { y in (0..<plain.width * 4).map { data[y * row + $0] } }
        }
    }

    /// Where the picture begins, behind what comes before it.
    private static func picture(in file: [UInt8]) throws -> Int {
        // The first block is an extension or the picture; FFmpeg writes colours for all.
        var at = 13 + (file[10] & 0x80 == 0 ? 0 : 3 << (Int(file[10] & 7) + 1))
        while file[at] == 0x21 {
            at += 2
            while file[at] > 0 { at += 1 + Int(file[at]) }
            at += 1
        }
        try #require(file[at] == 0x2C)
        return at
    }

    @Test func eachPixelIsAsFFmpegDecodesIt() throws {
        let file = try Self.file()
        let (ours, theirs) = (try #require(try Self.pixels(file)), try Self.theirs(file))
        #expect(ours.width == 320 && ours.rgba == theirs)
    }

    /// Rows in the order of their four rounds, under the mark for it.
    @Test func anInterlacedPictureHasItsRowsInOrder() throws {
        let rounds = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: 240, by: $0.1)) }
        let mixed = rounds.flatMap { Self.scene.rgb[$0 * 960..<($0 + 1) * 960] }
        var file = try Self.file(Bitmap(width: 320, height: 240, rgb: mixed))
        file[try Self.picture(in: file) + 9] |= 0x40
        let (ours, theirs) = (try #require(try Self.pixels(file)), try Self.theirs(file))
        #expect(ours.rgba == theirs)
    }

    /// A picture that does not fill its canvas, and a colour that stands for nothing.
    @Test func whatIsNotPaintedIsTransparent() throws {
        let half = Bitmap(width: 64, height: 32, rgb: (0..<64 * 32 * 3).map { $0 / 3 % 64 < 32 ? 255 : 0 })
        var file = try Self.file(half, canvas: (320, 240))
        let at = try Self.picture(in: file)
        file.replaceSubrange(at + 1..<at + 5, with: Self.number(100) + Self.number(50))
        // White has the highest number of FFmpeg's 256 colours.
        file.insert(contentsOf: [0x21, 0xF9, 4, 1, 0, 0, 255, 0], at: at)
        let ours = try #require(try Self.pixels(file))
        func alpha(_ x: Int, _ y: Int) -> UInt8 { ours.rgba[(y * 320 + x) * 4 + 3] }
        #expect(alpha(110, 60) == 0 && alpha(150, 60) == 255, "white, black")
        #expect(alpha(90, 60) == 0 && alpha(170, 60) == 0 && alpha(150, 40) == 0 && alpha(150, 90) == 0, "beside it")
    }

    /// What is lacking is grey; without any row there is no picture.
    @Test(arguments: [3, 2, 1])
    func aCutPictureIsShownInPart(thirds: Int) throws {
        let file = try Self.file()
        let start = try Self.picture(in: file)
        let cut = Array(file.prefix(start + 11 + (file.count - start) * (thirds - 1) / 3))
        guard thirds > 1 else {
            #expect(try Self.pixels(cut) == nil)
            return
        }
        let ours = try #require(try Self.pixels(cut))
        let theirs = try Self.theirs(file)
        #expect(ours.rgba.prefix(960 * 4) == theirs.prefix(960 * 4))
        #expect(ours.rgba.suffix(4) == [128, 128, 128, 255])
    }

    /// 33.5 million pixels are composed, a row more is not.
    @Test(arguments: [(512, false), (513, true)])
    func aLargeCanvasIsNotComposed(height: Int, isOurs: Bool) throws {
        let file = try Self.file(canvas: (65535, height))
        #expect(file.withUnsafeBufferPointer { LargeGIF($0)?.height == height } == isOurs)
    }
}

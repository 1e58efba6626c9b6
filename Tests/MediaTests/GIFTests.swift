import CFFmpeg
import MediaModel
import Platform
import Testing

@testable import Frames
@testable import GIF
@testable import Media
@testable import MediaMaking

/// GIFs that FFmpeg refuses, or whose canvas would take four bytes a pixel: their first picture by us.
@Suite(.serialized) struct GIFTests {
    private static let scene = Scene(seed: 31, width: 320, height: 240).bitmap()

    /// A picture by FFmpeg's encoder, on a canvas of its own size unless another is given.
    private static func file(_ bitmap: Bitmap = scene, canvas: (width: Int, height: Int)? = nil) throws -> [UInt8] {
        let target = Scaler.Target(width: bitmap.width, height: bitmap.height, format: AV_PIX_FMT_RGB8)
        let frame = try Scaler.convert(try Frame.copy(of: bitmap), to: target, flags: Scaler.exact)
        var file = try Encoder.file(of: frame, by: "gif")
        if let canvas {
            file.replaceSubrange(6..<10, with: GIFFile.number(canvas.width) + GIFFile.number(canvas.height))
        }
        return file
    }

    /// A colour that no picture here has.
    private static let background = RGBColour(red: 1, green: 254, blue: 77)

    /// The first picture of 320 pixels by us over `background`; red, green and blue.
    private static func pixels(_ file: [UInt8]) throws -> (rgb: [UInt8], isSeen: Bool, isWhole: Bool)? {
        try file.withUnsafeBufferPointer { bytes in
            guard let painted = try GIFPicture(bytes)?.painted(longSide: 320, over: background) else { return nil }
            let (isSeen, isWhole) = (painted.showsBackground, painted.isWhole)
            let frame = painted.taken()
            #expect(frame.width == 320 && frame.height == 240)
            return (try samples(frame, 3), isSeen, isWhole)
        }
    }

    private static func samples(_ frame: borrowing Frame, _ channels: Int) throws -> [UInt8] {
        let data = try #require(frame.pointer.pointee.data.0)
        let row = Int(frame.pointer.pointee.linesize.0)
        return (0..<frame.height).flatMap { y in (0..<frame.width * channels).map { data[y * row + $0] } }
    }

    /// The same by FFmpeg.
    private static func theirs(_ file: [UInt8]) throws -> [UInt8] {
        let frame = try PhotoReader.decoded(
            try Packet.copy(of: file), by: "gif", options: Decoder.Options(maxPixels: 1 << 24))
        let target = Scaler.Target(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGB24)
        return try samples(try Scaler.convert(frame, to: target, flags: Scaler.exact), 3)
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
        #expect(ours.rgb == theirs && !ours.isSeen && ours.isWhole)
    }

    /// Rows in the order of their four rounds, under the mark for it.
    @Test func anInterlacedPictureHasItsRowsInOrder() throws {
        let rounds = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: 240, by: $0.1)) }
        let mixed = rounds.flatMap { Self.scene.rgb[$0 * 960..<($0 + 1) * 960] }
        var file = try Self.file(Bitmap(width: 320, height: 240, rgb: mixed))
        file[try Self.picture(in: file) + 9] |= 0x40
        let (ours, theirs) = (try #require(try Self.pixels(file)), try Self.theirs(file))
        #expect(ours.rgb == theirs && ours.isWhole)
    }

    /// A picture that does not fill its canvas, and a colour that stands for nothing.
    @Test func whatIsNotPaintedShowsTheBackground() throws {
        let half = Bitmap(width: 64, height: 32, rgb: (0..<64 * 32 * 3).map { $0 / 3 % 64 < 32 ? 255 : 0 })
        var file = try Self.file(half, canvas: (320, 240))
        let at = try Self.picture(in: file)
        file.replaceSubrange(at + 1..<at + 5, with: GIFFile.number(100) + GIFFile.number(50))
        // White has the highest number of FFmpeg's 256 colours.
        file.insert(contentsOf: [0x21, 0xF9, 4, 1, 0, 0, 255, 0], at: at)
        let ours = try #require(try Self.pixels(file))
        func isSeen(_ x: Int, _ y: Int) -> Bool { ours.rgb[(y * 320 + x) * 3..<(y * 320 + x + 1) * 3] == [1, 254, 77] }
        #expect(ours.isSeen && isSeen(110, 60) && !isSeen(150, 60), "white, black")
        #expect(isSeen(99, 60) && isSeen(164, 60) && isSeen(150, 49) && isSeen(150, 82), "beside it")
        #expect(isSeen(100, 50) && !isSeen(163, 50) && !isSeen(163, 81), "its corners")
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
        #expect(ours.rgb.prefix(960 * 3) == theirs.prefix(960 * 3) && !ours.isWhole)
        #expect(ours.rgb.suffix(3) == [128, 128, 128])
    }

    /// The first pictures are black: a better one is shown, and the first where the canvas is too large to be composed.
    @Test(arguments: [(320 * 240, false), (320 * 240 - 1, true)])
    func aLargeCanvasIsNotComposed(composed: Int, isOurs: Bool) throws {
        let film = MovieWriter.Film(width: 320, height: 240, frames: 6, keyInterval: 5)
        let black = Bitmap(width: 320, height: 240, rgb: [UInt8](repeating: 0, count: 320 * 240 * 3))
        let file = try MovieWriter.encode(film, as: .gif) { $0 < 3 ? black : Self.scene }
        let (facts, thumbnails) = try Self.examined(file, composed: composed)
        #expect(facts.width == 320 && facts.height == 240 && facts.codec == "gif" && facts.kind == .photo)
        #expect(facts.notes == [])
        #expect((facts.posterFrames == 1) == isOurs)
        let shown = try Bitmap(jpeg: try #require(thumbnails.first).bytes)
        #expect(FrameScore(shown).isMeaningful == !isOurs)
    }

    /// A file by the reader, which composes canvases of `composed` pixels.
    private static func examined(_ bytes: [UInt8], composed: Int) throws -> (MediaFacts, [Thumbnail]) {
        let file = try Examined.file(bytes)
        let spec = ThumbnailSpec(longSide: 160, maxBytes: 200_000, format: .jpeg)
        let job = MediaJob(id: 1, type: .gif, specs: [spec], limits: MediaLimits(posterSeconds: 60))
        return try DecoderLog.ofOneFile {
            try GIFReader.examine(file.descriptor, job, demuxers: ["gif"], composed: composed)
        }
    }

    /// Black on the left and white on the right, as section 18 advises for a file without colours.
    @Test(arguments: [(false, true), (true, false), (true, true)])
    func whatFFmpegRefusesIsShown(hasSize: Bool, hasColours: Bool) throws {
        let halves = Bitmap(width: 160, height: 120, rgb: (0..<160 * 120 * 3).map { $0 / 3 % 160 < 80 ? 0 : 255 })
        var file = try Self.file(halves)
        if !hasSize { file.replaceSubrange(6..<10, with: [0, 0, 0, 0]) }
        if !hasColours { try Self.removeColours(from: &file) }
        let (facts, thumbnails) = try Examined.media(file, as: .gif, sizes: [160])
        #expect(facts.width == 160 && facts.height == 120 && facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(thumbnails.first).bytes)
        #expect(shown.pixel(20, 60).allSatisfy { $0 < 10 } && shown.pixel(140, 60).allSatisfy { $0 > 245 })
    }

    /// The lower right quarter of its picture lies beside the canvas; browsers enlarge that.
    @Test func aPictureBesideItsCanvasIsShownWhole() throws {
        var file = try Self.file()
        let at = try Self.picture(in: file)
        file.replaceSubrange(at + 1..<at + 5, with: GIFFile.number(160) + GIFFile.number(120))
        let (facts, thumbnails) = try Examined.media(file, as: .gif, sizes: [240])
        #expect(facts.width == 480 && facts.height == 360 && facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(thumbnails.first).bytes)
        #expect(shown.pixel(40, 30).allSatisfy { $0 > 250 }, "beside it")
        let corner = Bitmap(
            width: 160, height: 120, rgb: (60..<180).flatMap { y in (80..<240).flatMap { shown.pixel($0, y) } })
        #expect(corner.likeness(to: Self.scene.averaged(width: 160, height: 120)) > 0.9)
    }

    /// The scene in four quarters, each a block of its own, behind `front`.
    private static func quarters(front: [UInt8] = [], before: [UInt8] = []) throws -> [UInt8] {
        var file: [UInt8] = []
        for (left, top) in [(0, 0), (160, 0), (0, 120), (160, 120)] {
            let rows: [UInt8] = (top..<top + 120).flatMap { (y: Int) -> ArraySlice<UInt8> in
                let start = (y * 320 + left) * 3
                return scene.rgb[start..<start + 480]
            }
            let part = try Self.file(Bitmap(width: 160, height: 120, rgb: rows), canvas: (320, 240))
            let at = try picture(in: part)
            if file.isEmpty { file = part[..<(part[10] & 0x80 == 0 ? 13 : 13 + 768)] + front }
            // FFmpeg's encoder leaves the end of the file to its muxer.
            var block = Array(part[at...])
            block.replaceSubrange(1..<5, with: GIFFile.number(left) + GIFFile.number(top))
            file += before + block
        }
        return file + [0x3B]
    }

    /// No time passes between its blocks, so that all are seen.
    @Test(arguments: [("short", 0), ("longer than its start, which is read first", 150)])
    func aPictureOfSeveralBlocksIsShownWhole(file: String, words: Int) throws {
        let comment = [0x21, 0xFE] + [UInt8](repeating: 255, count: words * 256) + [0]
        let (facts, thumbnails) = try Examined.media(try Self.quarters(before: comment), as: .gif, sizes: [160])
        #expect(facts.width == 320 && facts.height == 240 && facts.kind == .photo && facts.codec == "gif")
        let shown = try Bitmap(jpeg: try #require(thumbnails.first).bytes)
        #expect(shown.likeness(to: Self.scene.averaged(width: 160, height: 120)) > 0.9)
    }

    @Test func blocksThatFollowEachOtherInTimeAreSeveralPictures() throws {
        func blocks(_ file: [UInt8]) -> GIFBlocks { file.withUnsafeBufferPointer { GIFBlocks($0) } }
        let delay: [UInt8] = [0x21, 0xF9, 4, 0, 0, 1, 0, 0], still: [UInt8] = [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
        let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        let profile: [UInt8] = [0x21, 0xFF, 11] + Array("ICCRGBG1012".utf8) + [3, 1, 0, 0, 0]
        #expect(blocks(try Self.quarters(front: profile, before: still)).areOnePicture)
        #expect(!blocks(try Self.quarters(before: delay)).areOnePicture)
        #expect(!blocks(try Self.quarters(front: loop)).areOnePicture)
        #expect(!blocks(try Self.file()).areOnePicture)
        let whole = try Self.quarters(before: still)
        #expect(blocks(whole).pictures == 4 && blocks(whole).isWhole)
        #expect(!blocks(whole.dropLast()).isWhole)
        for count in 0..<900 { #expect(!blocks(Array(whole.prefix(count))).isWhole) }
    }

    private static func removeColours(from file: inout [UInt8]) throws {
        let at = try picture(in: file)
        for (flags, start) in [(at + 9, at + 10), (10, 13)] where file[flags] & 0x80 != 0 {
            file.removeSubrange(start..<start + (3 << (Int(file[flags] & 7) + 1)))
            file[flags] &= 0x7F
        }
    }
}

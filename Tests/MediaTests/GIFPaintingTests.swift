import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import GIF
@testable import Media
@testable import MediaMaking

/// GIFs whose pictures make up one, and the codes of one picture.
@Suite(.serialized) struct GIFPaintingTests {
    private static let red = [UInt8](repeating: 1, count: 16), green = [UInt8](repeating: 2, count: 4)
    private static let blue: [UInt8] = [3]

    /// The canvas as it is at the end: for each pixel the number of its colour in `GIFFile.colours`, `nil` if transparent.
    private static func painted(
        _ bytes: [UInt8], until deadline: ContinuousClock.Instant = .now + .seconds(60)
    ) throws -> [Int?]? {
        try bytes.withUnsafeBufferPointer { bytes in
            let canvas = try #require(GIFCanvas(Array(bytes.prefix(10))))
            guard let frame = try GIFPainting.frame(of: bytes, canvas, until: deadline) else { return nil }
            let (data, row) = (try #require(frame.pointer.pointee.data.0), Int(frame.pointer.pointee.linesize.0))
            return (0..<frame.width * frame.height).map { pixel in
                let at = pixel / frame.width * row + pixel % frame.width * 4
                let colour = (0..<3).map { data[at + $0] }
                return data[at + 3] == 0 ? nil : GIFFile.colours.firstIndex(of: colour) ?? -1
            }
        }
    }

    /// A red canvas, a green square in it, and a blue pixel in the corner.
    @Test(arguments: [(0, 2), (1, 2), (2, nil), (3, 1), (4, 2)] as [(UInt8, Int?)])
    func whatBecomesOfAPictureIsAsItSays(disposal: UInt8, expected: Int?) throws {
        var square = GIFFile.Part(x: 1, y: 1, width: 2, height: 2, numbers: Self.green)
        square.disposal = disposal
        let corner = GIFFile.Part(x: 0, y: 0, width: 1, height: 1, numbers: Self.blue)
        let all = try #require(try Self.painted(GIFFile(parts: [.init(numbers: Self.red), square, corner]).bytes))
        #expect([all[5], all[6], all[9], all[10]] == [expected, expected, expected, expected])
        #expect(all[0] == 3 && all[1] == 1 && all[15] == 1)
        let last = try #require(try Self.painted(GIFFile(parts: [.init(numbers: Self.red), square]).bytes))
        #expect(last[5] == 2 && last[10] == 2, "nothing comes after it")
    }

    @Test func whatIsTransparentShowsWhatIsBelow() throws {
        var upper = GIFFile.Part(numbers: (0..<16).map { $0 % 3 == 0 ? 2 : 9 })
        upper.transparent = 9
        let all = try Self.painted(GIFFile(parts: [.init(numbers: Self.red), upper]).bytes)
        #expect(all == (0..<16).map { $0 % 3 == 0 ? 2 : 1 })
        #expect(try Self.painted(GIFFile(parts: [upper]).bytes) == (0..<16).map { $0 % 3 == 0 ? 2 : nil })
    }

    /// Rows longer than what is looked at in one step, of which single pixels are seen.
    @Test(arguments: [0, 7, 8, 15, 20])
    func singlePixelsOfALongRowAreSeen(pixel: Int) throws {
        var upper = GIFFile.Part(width: 21, height: 1, numbers: (0..<21).map { $0 == pixel ? 2 : 9 })
        upper.transparent = 9
        let all = try Self.painted(GIFFile(width: 21, height: 1, parts: [upper]).bytes)
        #expect(all == (0..<21).map { $0 == pixel ? 2 : nil })
    }

    @Test func anInterlacedPictureAndOneOfItsOwnColoursAreInPlace() throws {
        // Its rows come as 0, 2, 1, 3.
        var upper = GIFFile.Part(numbers: [1, 3, 2, 1].flatMap { [UInt8](repeating: $0, count: 4) })
        upper.isInterlaced = true
        let rows = try Self.painted(GIFFile(parts: [upper]).bytes)
        #expect(rows == [1, 2, 3, 1].flatMap { [Int](repeating: $0, count: 4) })
        let own = GIFFile.Part(
            x: 3, y: 3, width: 1, height: 1, numbers: [1], colours: GIFFile.colours[1] + GIFFile.colours[3])
        let all = try Self.painted(GIFFile(parts: [.init(numbers: Self.red), own]).bytes)
        #expect(all == [Int](repeating: 1, count: 15) + [3])
    }

    @Test(arguments: [0, 2, 3] as [UInt8])
    func whatLiesBesideTheCanvasIsCutOff(disposal: UInt8) throws {
        var beside = GIFFile.Part(x: 3, y: 3, width: 2, height: 2, numbers: Self.green)
        beside.disposal = disposal
        var outside = beside
        (outside.x, outside.y) = (4, 9)
        let corner = GIFFile.Part(x: 0, y: 0, width: 1, height: 1, numbers: Self.blue)
        let file = GIFFile(parts: [.init(numbers: Self.red), beside, outside, corner])
        let all = try #require(try Self.painted(file.bytes))
        #expect(all.first == 3 && all.dropFirst().dropLast().allSatisfy { $0 == 1 })
        #expect(all.last == [0: 2, 2: nil, 3: 1][disposal])
    }

    @Test func afterTheDeadlineNoPictureIsBegun() throws {
        let file = GIFFile(parts: [.init(numbers: Self.red), .init(numbers: [UInt8](repeating: 2, count: 16))])
        let all = try Self.painted(file.bytes, until: .now)
        #expect(all == [Int](repeating: 1, count: 16))
    }

    /// The second picture ends after each of its bytes in turn; what is there is shown, and the rest is as it was.
    @Test func aFileThatEndsWithinAPictureShowsWhatIsThere() throws {
        let file = GIFFile(parts: [.init(numbers: Self.red), .init(numbers: [UInt8](repeating: 2, count: 16))]).bytes
        let first = GIFFile(parts: [.init(numbers: Self.red)]).bytes.count - 1
        var shown: Set<Int> = []
        for count in first..<file.count {
            try DecoderLog.ofOneFile {
                let all = try #require(try Self.painted(Array(file.prefix(count))))
                let rows = all.prefix { $0 == 2 }.count
                #expect(rows % 4 == 0 && all.dropFirst(rows).allSatisfy { $0 == 1 })
                shown.insert(rows / 4)
                #expect((DecoderLog.lastError == nil) == (rows == 16 || count < first + 19), "\(count - first)")
            }
        }
        #expect(shown == [0, 1, 2, 3, 4])
        #expect(try Self.painted(GIFFile(parts: [.init(numbers: [])]).bytes) == nil)
    }

    /// The pictures before it have no codes that there could be.
    @Test(arguments: [0, 1, 2]) func theFirstReadablePictureIsShown(damaged: Int) throws {
        let parts = [GIFFile.Part](repeating: .init(numbers: Self.red), count: damaged)
        var bytes = GIFFile(parts: parts + [.init(numbers: [UInt8](repeating: 2, count: 16))]).bytes
        var place = bytes.withUnsafeBufferPointer { GIFPart.start(in: $0) }
        for _ in 0..<damaged {
            let part = try #require(bytes.withUnsafeBufferPointer { GIFPart($0, from: place) })
            bytes[part.start] = 0
            place = bytes.withUnsafeBufferPointer { part.end(in: $0) }
        }
        let media = try Examined.media(bytes, as: .gif, sizes: [4])
        #expect(try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(2, 2)[1] > 240)
        #expect(media.facts.notes == (damaged == 0 ? [] : ["Damaged: one of its pictures has no valid codes"]))
    }

    /// Runs that fill many rows, stripes whose code is defined while it is used, and noise.
    @Test(arguments: [(1 << 20, 1), (5000, 1), (1, 2), (97, 3), (97, 200), (1, 255)])
    func eachCodeStandsForItsPixels(run: Int, colours: Int) throws {
        let levels = (0..<131 * 97).map { UInt8(truncatingIfNeeded: $0 / run % (colours + 1) * $0 / run * 37) }
        let bitmap = Bitmap(width: 131, height: 97, rgb: levels.flatMap { [$0, $0, 255] })
        let target = Scaler.Target(width: 131, height: 97, format: AV_PIX_FMT_RGB8)
        let frame = try Scaler.convert(try Frame.copy(of: bitmap), to: target, flags: Scaler.exact)
        let file = try Encoder.file(of: frame, by: "gif")
        let numbers = try #require(frame.pointer.pointee.data.0)
        let rows = Int(frame.pointer.pointee.linesize.0)
        try file.withUnsafeBufferPointer { bytes in
            let part = try #require(GIFPart(bytes, from: GIFPart.start(in: bytes)))
            try #require(part.width == 131 && part.height == 97)
            guard var codes = GIFCodes(bytes, start: part.start) else {
                Issue.record("no codes")
                return
            }
            var line = [UInt8](repeating: 0, count: 131)
            for y in 0..<97 {
                let isFilled = line.withUnsafeMutableBufferPointer { codes.fill($0) }
                #expect(isFilled)
                // By colours, because the encoder may number them anew.
                let expected = (0..<131).map { part.colours[Int(numbers[y * rows + $0])] }
                #expect(line.map { part.colours[Int($0)] } == expected, "row \(y)")
            }
        }
    }

    /// Each byte of a picture's codes damaged in turn: it has fewer rows or other pixels.
    @Test func damagedCodesAreNoMoreThanPixelsOrTheEnd() throws {
        let scene = Scene(seed: 31, width: 24, height: 18).bitmap()
        let target = Scaler.Target(width: 24, height: 18, format: AV_PIX_FMT_RGB8)
        let file = try Encoder.file(of: try Scaler.convert(try Frame.copy(of: scene), to: target, flags: 0), by: "gif")
        let canvas = GIFCanvas(width: 24, height: 18)
        var (ended, whole) = (0, 0)
        for at in file.count / 2..<file.count {
            for mask: UInt8 in [1, 128, 255] {
                var damaged = file
                damaged[at] ^= mask
                try damaged.withUnsafeBufferPointer { bytes in
                    let background = RGBColour(red: 1, green: 2, blue: 3)
                    if let painted = try GIFPicture(bytes)?.painted(longSide: 24, over: background), painted.isWhole {
                        whole += 1
                    } else {
                        ended += 1
                    }
                    _ = try GIFPainting.frame(of: bytes, canvas, until: .now + .seconds(60))
                }
            }
        }
        #expect(ended > 0 && whole > 0)
    }
}

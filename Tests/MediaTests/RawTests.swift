import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Camera originals: the preview where there is one, else the sensor.
@Suite(.serialized) struct RawTests {
    private static let scene = Scene(seed: 6, width: 64, height: 48, hasGrain: false).bitmap()

    @Test(arguments: [1, 3, 6, 8])
    func thePreviewIsShownUpright(orientation: Int) throws {
        let turn = try #require(Orientation(exif: orientation))
        let stored = turn.swapsSides ? Self.square.turned(turn.inverse) : Self.scene.turned(turn.inverse)
        var file = DNGFile(orientation: orientation)
        file.preview = try PictureWriter.encode(stored, as: .jpeg)
        let media = try Examined.media(file.bytes, sizes: [64])
        #expect(media.facts.type == .dng)
        #expect(media.facts.camera == "Gallery Raw 1")
        #expect(media.facts.rotation == turn.rotation)
        #expect(media.facts.width == (turn.swapsSides ? 48 : 64))
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(picture.likeness(to: turn.swapsSides ? Self.square : Self.scene) > 0.85)
    }

    /// As wide as the preview is high.
    private static let square = Scene(seed: 6, width: 48, height: 64, hasGrain: false).bitmap()

    @Test func withoutPreviewTheSensorIsDeveloped() throws {
        let media = try Examined.media(DNGFile().bytes, sizes: [32])
        #expect(media.facts.width == 64)
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let (left, right) = (picture.pixel(3, 12), picture.pixel(28, 12))
        #expect(right[0] > left[0])
        #expect(right[0] > right[1] && right[0] > right[2])
    }

    /// LibRaw fills its first block with what its memory held before, where the file ends within it.
    @Test func aPanasonicWithoutItsSensorsDataIsDamaged() throws {
        let cut = try Examined.failure(Self.panasonic(sensor: 1000))
        #expect(cut.hasSuffix("The file is damaged or cut short"))
        let media = try Examined.media(Self.panasonic(sensor: 640 * 480 * 2), sizes: [32])
        #expect(media.facts.camera == "Panasonic DMC-LX3")
        #expect(media.thumbnails.count == 1)
    }

    /// The smallest RW2 of 640 by 480 pixels: tag 1 is its version, 2 and 3 are the sensor's sides, 280 says where its
    /// data begin.
    private static func panasonic(sensor count: Int) -> [UInt8] {
        func number(_ value: Int, _ width: Int) -> [UInt8] { MarkedPicture.littleEndian(value, width) }
        let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (1, 7, 4, 0x3031_3330), (2, 3, 1, 640), (3, 3, 1, 480), (4, 3, 1, 0), (5, 3, 1, 0), (6, 3, 1, 480),
            (7, 3, 1, 640), (9, 3, 1, 2), (10, 3, 1, 12), (11, 3, 1, 34_316), (271, 2, 10, 256), (272, 2, 8, 266),
            (280, 4, 1, 512),
        ]
        let directory = entries.flatMap {
            number($0.tag, 2) + number($0.type, 2) + number($0.count, 4) + number($0.value, 4)
        }
        var file = Array("IIU\0".utf8) + number(24, 4) + [UInt8](repeating: 0, count: 16) + number(entries.count, 2)
        file += directory + number(0, 4)
        file += [UInt8](repeating: 0, count: 256 - file.count) + Array("Panasonic\0DMC-LX3\0".utf8)
        return file + [UInt8](repeating: 0, count: 512 - file.count + count)
    }

    /// The sensor's picture is reddish, the preview's is not.
    @Test(arguments: [(64, true), (24, false)])
    func aPreviewThatIsTooSmallLeavesTheSensor(wanted: Int, isDeveloped: Bool) throws {
        var file = DNGFile()
        let small = Scene(seed: 6, width: 32, height: 24, hasGrain: false).bitmap()
        file.preview = try PictureWriter.encode(small, as: .jpeg)
        let picture = try Bitmap(
            jpeg: try #require(try Examined.media(file.bytes, sizes: [wanted]).thumbnails.first).bytes)
        #expect(picture.width == wanted)
        #expect(
            (picture.likeness(to: small.averaged(width: picture.width, height: picture.height)) > 0.85) != isDeveloped)
    }

    /// As DNGs that an editor wrote have it: beyond what libexif reads.
    @Test(arguments: [64, 512])
    func theDateBehindTheSensorsPictureIsRead(width: Int) throws {
        let facts = try Examined.media(DNGFile(width: width, height: 192, taken: "2026:06:20 10:00:00").bytes).facts
        #expect(facts.takenAtSource == .exifLocal && facts.isExposureDate == true)
        #expect(facts.camera == "Gallery Raw 1")
    }

    @Test func aDamagedPreviewLeavesTheSensor() throws {
        let file = DNGFile(preview: [UInt8](repeating: 0x55, count: 500))
        #expect(try Examined.media(file.bytes, sizes: [32]).thumbnails.count == 1)
    }

    /// Editors leave the camera's name and the offsets of its directories in what they export.
    @Test(arguments: [false, true]) func aTIFFThatLooksLikeAnOriginalIsShown(isReduced: Bool) throws {
        let fields: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (254, 4, 1, isReduced ? 1 : 0), (256, 3, 1, 32), (257, 3, 1, 32), (258, 3, 1, 8), (259, 3, 1, 1),
            (262, 3, 1, 1), (271, 2, 6, 158), (273, 4, 1, 164), (277, 3, 1, 1), (278, 3, 1, 32), (279, 4, 1, 1024),
            (330, 4, 1, 8),
        ]
        let number = MarkedPicture.littleEndian
        let directory = fields.flatMap {
            number($0.tag, 2) + number($0.type, 2) + number($0.count, 4) + number($0.value, 4)
        }
        let start: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0] + number(fields.count, 2)
        let pixels = (0..<1024).map { $0 % 32 < 16 ? 40 : 200 as UInt8 }
        let bytes = start + directory + number(0, 4) + Array("NIKON\0".utf8) + pixels
        guard !isReduced else {
            #expect(try Examined.failure(bytes) != "")
            return
        }
        let media = try Examined.media(bytes, sizes: [32])
        #expect(media.facts.type == .tiff && media.facts.width == 32 && media.facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(abs(Int(shown.pixel(4, 16)[0]) - 40) < 5 && abs(Int(shown.pixel(28, 16)[0]) - 200) < 5)
    }

    /// What Nikon Scan wrote in eight bits is finished; taken for light, all of it was white.
    @Test func aFilmScansSamplesAreShownAsTheyAre() throws {
        let number = MarkedPicture.littleEndian
        func directory(isReduced: Bool, _ side: Int, at pixels: Int, _ others: [[Int]] = []) -> [UInt8] {
            let fields =
                [
                    [254, 4, 1, isReduced ? 1 : 0], [256, 3, 1, side], [257, 3, 1, side], [258, 3, 3, 400],
                    [259, 3, 1, 1], [262, 3, 1, 2], [273, 4, 1, pixels], [277, 3, 1, 3], [278, 3, 1, side],
                    [279, 4, 1, side * side * 3],
                ] + others
            let sorted = fields.sorted { $0[0] < $1[0] }
            return number(fields.count, 2)
                + sorted.flatMap { number($0[0], 2) + number($0[1], 2) + number($0[2], 4) + number($0[3], 4) }
                + number(0, 4)
        }
        var bytes: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
        bytes += directory(
            isReduced: true, 32, at: 500, [[271, 2, 6, 410], [272, 2, 9, 420], [305, 2, 15, 430], [330, 4, 1, 200]])
        bytes +=
            [UInt8](repeating: 0, count: 200 - bytes.count) + directory(isReduced: false, 64, at: 500 + 32 * 32 * 3)
        for (at, text) in [
            (400, "\u{8}\0\u{8}\0\u{8}\0"), (410, "Nikon\0"), (420, "LS-40 ED\0"), (430, "Nikon Scan 4.0\0"),
        ] {
            bytes += [UInt8](repeating: 0, count: at - bytes.count) + Array(text.utf8)
        }
        bytes += [UInt8](repeating: 0, count: 500 - bytes.count)
        for side in [32, 64] {
            for index in 0..<side * side { bytes += index % side < side / 2 ? [90, 40, 20] : [20, 60, 120] }
        }
        let media = try Examined.media(bytes, as: .nef, sizes: [64])
        #expect(media.facts.width == 64 && media.facts.camera == "Nikon LS-40 ED")
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        for (x, wanted) in [(10, [90, 40, 20]), (54, [20, 60, 120])] {
            let pixel = shown.pixel(x, 24)
            #expect(zip(pixel, wanted).allSatisfy { abs(Int($0) - $1) <= 6 }, "\(pixel)")
        }
    }

    @Test func aCutFileIsHarmless() throws {
        let whole = DNGFile(preview: try PictureWriter.encode(Self.scene, as: .jpeg)).bytes
        for share in 1..<10 { _ = try Examined.answer(Array(whole.prefix(whole.count * share / 10)), as: .dng) }
    }
}

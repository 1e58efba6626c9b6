import CFFmpeg
import CJXL
import Glibc
import MediaModel
import Testing

@testable import Frames
@testable import JXL
@testable import Media
@testable import MediaMaking

/// JPEG XL, by libjxl.
@Suite(.serialized) struct JXLTests {
    static let scene = Scene(seed: 17, width: 640, height: 480, hasGrain: false).bitmap()
    private static let sceneInSmall = scene.resampled(width: 160, height: 120)
    private static let small = Scene(seed: 5, width: 96, height: 64, hasGrain: false).bitmap()

    static func shown(_ bytes: [UInt8], longSide: Int) throws -> (facts: MediaFacts, bitmap: Bitmap) {
        let media = try Examined.media(bytes, as: .jxl, sizes: [longSide])
        return (media.facts, try Bitmap(jpeg: try #require(media.thumbnails.first).bytes))
    }

    /// The frames of a codestream without their filters; `nil` where they are left as they are.
    private static func plain(_ codestream: [UInt8]) throws -> (frames: [UInt8], start: Int)? {
        try codestream.withUnsafeBufferPointer { bytes in
            let decoder = try JXLDecoder.opened(bytes)
            let frames = decoder.frames
            guard
                let plain = JXLFrameHeader(frames, of: JXLFrameHeader.Picture(decoder.info))?.withoutFilters(frames)
            else { return nil }
            return (plain, bytes.count - frames.count)
        }
    }

    /// What a picture may have: each changes the header's length, or what follows it.
    struct Filtered: CustomTestStringConvertible {
        let testDescription: String
        var options: [(JxlEncoderFrameSettingId, Int64)] = []
        var distance: Float
        var hasAlpha = false
        var keepsProfile = false

        init(
            _ words: String, epf: Int64 = -1, gaborish: Int64 = -1, _ options: [(JxlEncoderFrameSettingId, Int64)] = [],
            distance: Float = 1, hasAlpha: Bool = false, keepsProfile: Bool = false
        ) {
            self.distance = distance
            testDescription = words
            self.options =
                [(JXL_ENC_FRAME_SETTING_EPF, epf), (JXL_ENC_FRAME_SETTING_GABORISH, gaborish)] + options
            (self.hasAlpha, self.keepsProfile) = (hasAlpha, keepsProfile)
        }

        func encoded() throws -> [UInt8] {
            var file = JXLFile(
                picture: JXLTests.scene, distance: distance, keepsProfile: keepsProfile, options: options)
            if hasAlpha { file.alpha = [UInt8](repeating: 255, count: 640 * 480) }
            return try file.encoded()
        }
    }

    @Test(arguments: [
        Filtered("one step, Gaborish", epf: 1, gaborish: 1), Filtered("one step", epf: 1, gaborish: 0),
        Filtered("two steps, Gaborish: the default", epf: 2, gaborish: 1), Filtered("three steps", epf: 3, gaborish: 0),
        Filtered("Gaborish", epf: 0, gaborish: 1),
        Filtered("from the middle", epf: 1, gaborish: 1, [(JXL_ENC_FRAME_SETTING_GROUP_ORDER, 1)]),
        Filtered("one step from the middle", epf: 1, gaborish: 0, [(JXL_ENC_FRAME_SETTING_GROUP_ORDER, 1)]),
        Filtered("Gaborish from the middle", epf: 0, gaborish: 1, [(JXL_ENC_FRAME_SETTING_GROUP_ORDER, 1)]),
        Filtered("default from the middle", epf: 2, gaborish: 1, [(JXL_ENC_FRAME_SETTING_GROUP_ORDER, 1)]),
        Filtered("a header of one bit", epf: 2, gaborish: 1, distance: 3),
        Filtered("in passes", epf: 1, gaborish: 1, [(JXL_ENC_FRAME_SETTING_PROGRESSIVE_AC, 1)]),
        Filtered("with noise", epf: 1, gaborish: 1, [(JXL_ENC_FRAME_SETTING_NOISE, 1)]),
        Filtered("with alpha", epf: 1, gaborish: 1, hasAlpha: true),
        Filtered("in its own colours", epf: 1, gaborish: 1, keepsProfile: true),
    ])
    func aFrameWithoutItsFiltersIsTheSamePictureInSmall(_ filtered: Filtered) throws {
        let bytes = try filtered.encoded()
        let plain = try #require(try Self.plain(bytes))
        let codestream = bytes.prefix(plain.start) + plain.frames
        // None are left, and what follows the header is the same.
        #expect(try Self.plain(Array(codestream)) == nil)
        #expect(codestream.suffix(bytes.count / 2) == bytes.suffix(bytes.count / 2))
        let before = try Self.shown(bytes, longSide: 250).bitmap
        let after = try Self.shown(Array(codestream), longSide: 250).bitmap
        #expect(before.likeness(to: after) > 0.98)
        // Small enough that a picture is decoded without filters.
        #expect(try Self.shown(bytes, longSide: 160).bitmap.likeness(to: Self.sceneInSmall) > 0.94)
    }

    @Test(arguments: [
        ("lossless", JXLFile(picture: small, isLossless: true)),
        (
            "none",
            JXLFile(
                picture: small,
                options: [(JXL_ENC_FRAME_SETTING_EPF, 0), (JXL_ENC_FRAME_SETTING_GABORISH, 0)])
        ),
        ("animated", JXLFile(picture: small, frames: 2)),
    ])
    func whatHasNoFiltersIsLeftAsItIs(name: String, file: JXLFile) throws {
        #expect(try Self.plain(try file.encoded()) == nil, "\(name)")
    }

    @Test func aHeaderThatIsCutShortIsNone() throws {
        let bytes = try JXLFile(picture: Self.small).encoded()
        let start = try #require(try Self.plain(bytes)).start
        let picture = try bytes.withUnsafeBufferPointer { JXLFrameHeader.Picture(try JXLDecoder.opened($0).info) }
        for count in 0..<4 {
            let header = Array(bytes[start..<start + count])
            #expect(header.withUnsafeBufferPointer { JXLFrameHeader($0, of: picture) } == nil)
        }
    }

    @Test(arguments: 1...8)
    func itIsTurnedAsItsCodestreamSays(orientation: Int) throws {
        let turned = try #require(Orientation(exif: orientation))
        let file = JXLFile(picture: Self.small, isLossless: true, orientation: orientation)
        let (facts, bitmap) = try Self.shown(try file.encoded(), longSide: 96)
        #expect(bitmap.likeness(to: Self.small.turned(turned)) > 0.97)
        #expect(facts.width == (turned.swapsSides ? 64 : 96) && facts.height == (turned.swapsSides ? 96 : 64))
    }

    @Test func theBackgroundIsSeenThroughTransparentParts() throws {
        // Grey 80, its left half covers a half.
        var (rgb, alpha) = ([UInt8](), [UInt8]())
        for pixel in 0..<64 * 64 {
            let isLeft = pixel % 64 < 32
            alpha.append(isLeft ? 128 : 255)
            rgb += [UInt8](repeating: 80, count: 3)
        }
        let file = JXLFile(
            picture: Bitmap(width: 64, height: 64, rgb: rgb), alpha: alpha, isLossless: true)
        let (facts, bitmap) = try Self.shown(try file.encoded(), longSide: 64)
        #expect(facts.background == RGBColour(red: 255, green: 255, blue: 255))
        #expect(bitmap.pixel(10, 30).allSatisfy { abs(Int($0) - 167) <= 2 }, "\(bitmap.pixel(10, 30))")
        #expect(bitmap.pixel(50, 30).allSatisfy { abs(Int($0) - 80) <= 2 }, "\(bitmap.pixel(50, 30))")
    }

    @Test func alphaThatCoversAllIsNoTransparency() throws {
        let file = JXLFile(picture: Self.small, alpha: [UInt8](repeating: 255, count: 96 * 64), isLossless: true)
        #expect(try Self.shown(try file.encoded(), longSide: 64).facts.background == nil)
    }

    @Test(arguments: [(JXL_TRANSFER_FUNCTION_PQ, HDRTransfer.pq), (JXL_TRANSFER_FUNCTION_HLG, .hlg)])
    func brightnessOfHDRIsMapped(transfer: JxlTransferFunction, expected: HDRTransfer) throws {
        // 203 cd/m², the white of paper, of which half of the light and less stays as it is.
        let code: UInt8 = expected == .pq ? 110 : 128
        let grey = Bitmap(width: 64, height: 64, rgb: [UInt8](repeating: code, count: 64 * 64 * 3))
        let file = JXLFile(
            picture: grey, isLossless: true, transfer: transfer, primaries: JXL_PRIMARIES_2100)
        let (facts, bitmap) = try Self.shown(try file.encoded(), longSide: 64)
        #expect(facts.hdr == expected)
        let value = Float(code) / 255
        let light = (expected == .pq ? ToneMap.pq(value) : ToneMap.hlg(value)) / 203
        #expect(light < 0.5)
        let coded = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        #expect(abs(Float(bitmap.pixel(32, 32)[1]) - coded * 255) <= 3, "\(bitmap.pixel(32, 32)), \(coded * 255)")
    }

    /// Light that is not coded is asked for as sRGB, since bytes of it have no dark tones.
    @Test func linearLightHasItsDarkTones() throws {
        let greys = (0..<64 * 64).flatMap { [UInt8](repeating: UInt8($0 % 64 / 8), count: 3) }
        let file = JXLFile(
            picture: Bitmap(width: 64, height: 64, rgb: greys), transfer: JXL_TRANSFER_FUNCTION_LINEAR)
        let (_, bitmap) = try Self.shown(try file.encoded(), longSide: 64)
        for column in 1..<8 {
            let light = Float(column) / 255
            let coded = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            let seen = Float(bitmap.pixel(column * 8 + 4, 32)[1])
            #expect(abs(seen - coded * 255) <= 4, "\(column): \(seen), \(coded * 255)")
        }
    }

    @Test func wideColoursAreConverted() throws {
        let green = Bitmap(width: 64, height: 64, rgb: (0..<64 * 64).flatMap { _ in [60, 200, 60] as [UInt8] })
        let file = JXLFile(picture: green, isLossless: true, primaries: JXL_PRIMARIES_P3)
        let pixel = try Self.shown(try file.encoded(), longSide: 64).bitmap.pixel(32, 32)
        #expect(pixel[0] < 30 && pixel[1] > 200 && pixel[2] < 60, "\(pixel)")
    }

    /// Four inks by a profile without tables: they are as on coated paper, and paper is where nothing covers.
    @Test(arguments: [(64, nil), (16, nil), (64, 128), (16, 40)] as [(Int, UInt8?)])
    func inksBecomeLight(longSide: Int, alpha: UInt8?) throws {
        let colours = (0..<64 * 64).flatMap { $0 % 64 < 32 ? [200, 60, 60] : [255, 255, 255] as [UInt8] }
        let black = (0..<64 * 64).map { $0 % 64 < 32 ? 255 : 90 as UInt8 }
        let cover = alpha.map { [UInt8](repeating: $0, count: 64 * 64) }
        let file = JXLFile(
            picture: Bitmap(width: 64, height: 64, rgb: colours), alpha: cover, black: black, isLossless: true)
        let (facts, bitmap) = try Self.shown(try file.encoded(isContained: true), longSide: longSide)
        #expect(facts.width == 64 && facts.notes == [] && (facts.background == nil) == (alpha == nil))
        let share = Double(alpha ?? 255) / 255
        for (column, inks, left) in [(longSide / 4, [200, 60, 60], 255), (longSide * 3 / 4, [255, 255, 255], 90)] {
            let under = 255 * (1 - share)
            let expected = PrintedColour.of((inks + [left]).map { 1 - (Double($0) * share + under) / 255 })
            let pixel = bitmap.pixel(column, longSide / 2)
            #expect(zip(pixel, expected).allSatisfy { abs(Double($0) - $1) <= 5 }, "\(pixel), \(expected)")
        }
    }

    @Test func theFirstFrameIsShown() throws {
        let (_, bitmap) = try Self.shown(try JXLFile(picture: Self.small, frames: 3).encoded(), longSide: 96)
        #expect(bitmap.likeness(to: Self.small) > 0.9)
    }

    @Test func sixteenBitsWithAlphaStateTheirLevelFirst() throws {
        let file = JXLFile(
            picture: Self.small, alpha: [UInt8](repeating: 255, count: 96 * 64), isLossless: true, depth: 16)
        let bytes = try file.encoded(isContained: true)
        #expect(String(decoding: bytes, as: UTF8.self).contains("jxll"))
        #expect(try Self.shown(bytes, longSide: 96).bitmap.likeness(to: Self.small) > 0.97)
    }

    private static func box(_ name: String, _ content: [UInt8], isLong: Bool = false) -> [UInt8] {
        let length = UInt64(content.count + (isLong ? 16 : 8))
        func number(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
        }
        return number(isLong ? 1 : length, 4) + Array(name.utf8) + (isLong ? number(length, 8) : []) + content
    }

    private static let signature = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

    @Test(arguments: ["one box", "a long box", "three parts", "a box without end"])
    func thePixelsAreInBoxes(kind: String) throws {
        let whole = try JXLFile(picture: Self.small).encoded()
        let boxes =
            switch kind {
            case "one box": Self.box("jxlc", whole) + Self.box("Exif", [0, 0, 0, 0])
            case "a long box": Self.box("jxlc", whole, isLong: true)
            case "three parts":
                Self.box("jxlp", [0, 0, 0, 0] + whole[..<100]) + Self.box("free", [1, 2])
                    + Self.box("jxlp", [0, 0, 0, 1] + whole[100..<101])
                    + Self.box("jxlp", [0x80, 0, 0, 2] + whole[101...])
            default: [0, 0, 0, 0] + Array("jxlc".utf8) + whole
            }
        let file = Self.signature + boxes
        file.withUnsafeBufferPointer { JXLCodestream($0).withBytes { #expect(Array($0) == whole) } }
        // For libjxl, too.
        #expect(try Self.shown(file, longSide: 96).bitmap.likeness(to: Self.small) > 0.9)
    }

    @Test(arguments: [
        [0, 0, 0], [0, 0, 0, 9, 0x6A, 0x78, 0x6C, 0x63], [0, 0, 0, 1, 0x6A, 0x78, 0x6C, 0x63, 255, 255, 255, 255],
        [0, 0, 0, 1, 0x6A, 0x78, 0x6C, 0x70] + [UInt8](repeating: 255, count: 8),
        [0, 0, 0, 7, 0x6A, 0x78, 0x6C, 0x70, 0],
        [0, 0, 0, 8, 0x6A, 0x78, 0x6C, 0x70],
    ])
    func boxesThatLieAreHarmless(bytes: [UInt8]) throws {
        let file = Self.signature + bytes
        file.withUnsafeBufferPointer { JXLCodestream($0).withBytes { #expect($0.count <= file.count) } }
        #expect(try !Examined.failure(file, as: .jxl).isEmpty)
    }

    @Test(arguments: [0.3, 0.9, 0.999])
    func aFileThatIsCutShortIsToldOf(share: Double) throws {
        let whole = try JXLFile(picture: Self.scene).encoded()
        let reason = try Examined.failure(Array(whole.prefix(Int(Double(whole.count) * share))), as: .jxl)
        #expect(reason == "The file is damaged or cut short")
    }

    @Test func aPictureOfTooManyPixelsIsRefusedBeforeItIsDecoded() throws {
        let bytes = try JXLFile(picture: Self.small).encoded()
        let white = RGBColour(red: 255, green: 255, blue: 255)
        func width(_ maxPixels: Int) throws -> Int {
            try bytes.withUnsafeBufferPointer {
                try JXLPicture.decoded($0, longSide: 64, maxPixels: maxPixels, background: white).width
            }
        }
        #expect(try width(96 * 64) == 96)
        #expect(throws: FFmpegError.tooLarge(96, 64, limit: 96 * 64 - 1, "JxlDecoderGetBasicInfo")) {
            _ = try width(96 * 64 - 1)
        }
    }
}

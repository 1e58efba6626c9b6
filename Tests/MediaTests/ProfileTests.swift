import CFFmpeg
import MediaModel
import Platform
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Colours of other spaces become those of sRGB.
@Suite struct ProfileTests {
    private static let patch: [UInt8] = [200, 60, 40]

    private static func transformed(_ space: ColourSpace, _ colour: [UInt8]) throws -> [Int] {
        guard let transform = ColourTransform(space) else { throw Examined.Unreadable(reason: "no transform") }
        let isIdentity = transform.isIdentity
        #expect(!isIdentity)
        let frame = try Frame.copy(of: Bitmap(width: 1, height: 1, rgb: colour))
        transform.apply(to: frame)
        return frame.rgbBitmap.rgb.map(Int.init)
    }

    /// Known values: P3's (200, 60, 40) is beyond a plain sRGB red of the same numbers.
    @Test(arguments: [ColourSpace.displayP3, .bt2020, .adobeRGB])
    func aWideRedIsRedderThanItsNumbers(space: ColourSpace) throws {
        let result = try Self.transformed(space, Self.patch)
        #expect(result[0] > 200)
        #expect(result[1] <= 60)
    }

    @Test(arguments: [ColourSpace.displayP3, .bt2020])
    func greyStaysGrey(space: ColourSpace) throws {
        for level in [UInt8(0), 128, 255] {
            let result = try Self.transformed(space, [level, level, level])
            #expect(result.allSatisfy { abs($0 - Int(level)) <= 2 }, "\(result)")
        }
    }

    /// More profiles than are kept, and each again while it is kept and after.
    @Test func everyPictureHasTheColoursOfItsOwnProfile() throws {
        let frame = try Frame.blank(width: 1, height: 1, format: AV_PIX_FMT_RGB24)
        func level(gamma: Double) -> Int {
            ProfileFile.grey(gamma: gamma).withUnsafeBufferPointer { profile in
                guard let transform = ColourTransform(profile: profile, isGrey: true),
                    let pixel = frame.pointer.pointee.data.0
                else { return -1 }
                pixel.update(repeating: 100, count: 3)
                transform.apply(to: frame)
                return Int(pixel[0])
            }
        }
        let gammas = [1.0, 1.4, 1.8, 2.2, 2.6, 3.0]
        let levels = gammas.map { level(gamma: $0) }
        #expect(levels == levels.sorted(by: >) && Set(levels).count == gammas.count, "\(levels)")
        let again = gammas.reversed().flatMap { [level(gamma: $0), level(gamma: $0)] }
        #expect(again == levels.reversed().flatMap { [$0, $0] })
    }

    @Test func noiseIsNoProfile() {
        let noise = [UInt8](repeating: 7, count: 400)
        let isProfile = noise.withUnsafeBufferPointer { bytes in
            guard case .some = ColourTransform(profile: bytes) else { return false }
            return true
        }
        #expect(!isProfile)
    }
}

@Suite struct BackgroundTests {
    @Test(arguments: [
        ("#ffffff", RGBColour.white), ("#0a0B0c", RGBColour(red: 10, green: 11, blue: 12)), ("#fff", nil),
        ("ffffff", nil), ("#gggggg", nil), ("#+12345", nil), ("", nil),
    ])
    func aColourIsWrittenInSixDigits(text: String, colour: RGBColour?) {
        #expect(RGBColour(hexadecimal: text) == colour)
    }

    private static let background = RGBColour(red: 20, green: 40, blue: 60)

    /// A grey PNG with this opacity everywhere, over the background.
    private func media(alpha: UInt8) throws -> (facts: MediaFacts, thumbnails: [Thumbnail]) {
        let bitmap = Bitmap(width: 64, height: 48, rgb: [UInt8](repeating: 200, count: 64 * 48 * 3))
        let png = try PictureWriter.transparentPNG(bitmap, alpha: [UInt8](repeating: alpha, count: 64 * 48))
        let file = try Examined.file(png)
        let job = MediaJob(type: .png, specs: [ThumbnailSpec(longSide: 32)], background: Self.background)
        guard case .examined(let facts, let thumbnails) = Examiner.examine(file.descriptor, job).result else {
            throw Examined.Unreadable(reason: "failed")
        }
        return (facts, thumbnails)
    }

    @Test(arguments: [(0, background), (254, background), (255, nil)] as [(UInt8, RGBColour?)])
    func theFactsTellOfABackgroundThatShows(alpha: UInt8, shown: RGBColour?) throws {
        #expect(try media(alpha: alpha).facts.background == shown)
    }

    private static let grey = RGBColour(red: 64, green: 64, blue: 64)
    private static let dark = RGBColour(red: 10, green: 10, blue: 10)

    /// The left half is painted, on nothing, as a PNG and as a drawing.
    @Test(
        arguments: [
            ("#ffffff", .white, grey), ("#000000", .white, .white), ("#fefefe", .white, grey),
            ("#0a0a0a", dark, .white),
            ("none", .white, .white),
        ] as [(String, RGBColour, RGBColour)])
    func aDrawingIsNotShownBeforeItsOwnColour(paint: String, behind: RGBColour, shown: RGBColour) throws {
        let colour = RGBColour(hexadecimal: paint)
        let bitmap = Bitmap(width: 64, height: 48, rgb: [UInt8](repeating: colour?.red ?? 0, count: 64 * 48 * 3))
        let alpha = (0..<64 * 48).map { UInt8($0 % 64 < 32 && colour != nil ? 255 : 0) }
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='48'><rect width='32' height='48'"
            + " fill='\(paint)'/></svg>"
        let files = [MediaType.png: try PictureWriter.transparentPNG(bitmap, alpha: alpha), .svg: Array(drawing.utf8)]
        for (type, bytes) in files {
            let job = MediaJob(type: type, specs: [ThumbnailSpec(longSide: 32)], background: behind)
            let file = try Examined.file(bytes)
            guard case .examined(let facts, let thumbnails) = Examiner.examine(file.descriptor, job).result else {
                throw Examined.Unreadable(reason: "failed")
            }
            let picture = try Bitmap(jpeg: try #require(thumbnails.first).bytes)
            let contrast = abs(Int(picture.pixel(4, 12)[0]) - Int(picture.pixel(28, 12)[0]))
            #expect(facts.background == shown && facts.notes == [], "\(type)")
            #expect((contrast > 150) == (colour != nil), "\(type): \(contrast)")
        }
    }

    @Test func theBackgroundShowsThrough() throws {
        let thumbnails = try media(alpha: 0).thumbnails
        let pixel = try Bitmap(jpeg: try #require(thumbnails.first).bytes).pixel(16, 12).map(Int.init)
        #expect(zip(pixel, [20, 40, 60]).allSatisfy { abs($0 - $1) <= 4 }, "\(pixel)")
    }
}

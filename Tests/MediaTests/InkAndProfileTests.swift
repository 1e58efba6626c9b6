import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Pictures whose values are not sRGB: CMYK, and colours of a profile.
@Suite(.serialized) struct InkAndProfileTests {
    private static func colour(of bytes: [UInt8], as type: MediaType? = nil) throws -> [Int] {
        let media = try Examined.media(bytes, as: type, sizes: [32])
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        return picture.pixel(picture.width / 2, picture.height / 2).map(Int.init)
    }

    /// As coated paper shows them: Adobe stores inks inverted, and others do as Adobe.
    @Test(
        arguments: [
            ("paper", [255, 255, 255, 255], [255, 255, 255]), ("black", [255, 255, 255, 0], [41, 35, 43]),
            ("cyan", [0, 255, 255, 255], [0, 156, 228]), ("red", [255, 0, 0, 255], [232, 31, 42]),
            ("half black", [255, 255, 255, 128], [148, 145, 149]),
        ] as [(String, [UInt8], [Int])])
    func inksBecomeLight(name: String, inks: [UInt8], expected: [Int]) throws {
        for isMarked in [true, false] {
            let found = try Self.colour(of: InkJPEG(samples: inks, transform: 0, isMarked: isMarked).bytes)
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 6 }, "\(name) is \(found), \(isMarked)")
        }
    }

    /// YCCK: three inks by JFIF's matrix, and black as stored by Adobe.
    @Test(
        arguments: [
            ("paper", [0, 128, 128, 255], [255, 255, 255]), ("brown", [128, 128, 128, 255], [134, 116, 113]),
            ("red", [179, 171, 1, 255], [232, 31, 42]), ("dark red", [179, 171, 1, 128], [138, 29, 41]),
        ] as [(String, [UInt8], [Int])])
    func brightnessAndColourOfInksBecomeLight(name: String, inks: [UInt8], expected: [Int]) throws {
        let found = try Self.colour(of: InkJPEG(samples: inks, transform: 2).bytes)
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 8 }, "\(name) is \(found)")
    }

    /// Display P3's (200, 120, 80), worked out by hand: linear by 2.2, to XYZ, to sRGB.
    private static let numbers: [UInt8] = [200, 120, 80]

    /// The same numbers read as sRGB would stay (200, 120, 80).
    private static let expected = ProfileFile.standard(of: numbers)

    private static let patch = Bitmap(
        width: 64, height: 48, rgb: (0..<64 * 48).flatMap { _ in numbers })

    /// Whichever decoder suits the size: at 32 pixels, one of 64 is decoded whole, one of 400 to an eighth.
    @Test(arguments: [64, 100, 400]) func aProfileInAJPEGCounts(width: Int) throws {
        let patch = Bitmap(width: width, height: 48, rgb: (0..<width * 48).flatMap { _ in Self.numbers })
        let plain = try PictureWriter.encode(patch, as: .jpeg)
        let found = try Self.colour(of: ProfileFile.inserted(into: plain))
        #expect(zip(found, Self.expected).allSatisfy { abs($0 - $1) <= 4 }, "\(found), not \(Self.expected)")
        #expect(zip(found, Self.numbers).contains { abs($0 - Int($1)) > 6 }, "nothing was converted")
    }

    @Test(arguments: [HEIFWriter.Coding.hevc, .av1])
    func aProfileInACollectionCounts(coding: HEIFWriter.Coding) throws {
        var writer = HEIFWriter(coding)
        writer.profile = ProfileFile.displayP3
        let found = try Self.colour(of: try writer.encode(Self.patch))
        #expect(zip(found, Self.expected).allSatisfy { abs($0 - $1) <= 6 }, "\(found), not \(Self.expected)")
    }

    @Test(arguments: [("noise", [UInt8](repeating: 7, count: 400)), ("without light", ProfileFile.dark)])
    func aDamagedProfileLeavesTheNumbers(name: String, profile: [UInt8]) throws {
        let plain = try PictureWriter.encode(Self.patch, as: .jpeg)
        let found = try Self.colour(of: ProfileFile.inserted(profile, into: plain))
        #expect(zip(found, Self.numbers).allSatisfy { abs($0 - Int($1)) <= 4 }, "\(name): \(found)")
    }
}

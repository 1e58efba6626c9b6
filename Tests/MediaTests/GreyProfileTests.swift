import CFFmpeg
import Foundation
import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Grey pictures whose profile is of grey: the numbers of a print or of light are not those of a screen.
@Suite(.serialized) struct GreyProfileTests {
    /// The sRGB byte of the light that `value` stands for.
    private static func standard(_ value: UInt8, gamma: Double) -> Int {
        let light = pow(Double(value) / 255, gamma)
        return Int(((light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255).rounded())
    }

    private static func level(of bytes: [UInt8]) throws -> Int {
        let media = try Examined.media(bytes, sizes: [32])
        #expect(media.facts.notes.allSatisfy { $0.hasPrefix("The picture is of one colour") })
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let pixel = picture.pixel(picture.width / 2, picture.height / 2).map(Int.init)
        #expect((pixel.max() ?? 0) - (pixel.min() ?? 0) <= 2, "not grey: \(pixel)")
        return pixel[1]
    }

    private static func png(_ value: UInt8) throws -> [UInt8] {
        let flat = Bitmap(width: 64, height: 64, rgb: [UInt8](repeating: value, count: 64 * 64 * 3))
        let target = Scaler.Target(width: 64, height: 64, format: AV_PIX_FMT_GRAY8)
        return try Encoder.file(
            of: try Scaler.convert(try Frame.copy(of: flat), to: target, flags: Scaler.exact), by: "png")
    }

    /// Light as it is, Mac's old grey, and one that makes dark what a screen shows as middle grey.
    @Test(arguments: [1, 1.8, 2.6], [UInt8(30), 100, 200])
    func theCurveOfGreyCounts(gamma: Double, value: UInt8) throws {
        let profile = ProfileFile.grey(gamma: gamma)
        let expected = Self.standard(value, gamma: gamma)
        // Of the JPEGs, the larger one is made smaller while it is decoded.
        let files = [
            MarkedPicture.png(try Self.png(value), profile: profile),
            ProfileFile.inserted(profile, into: InkJPEG(samples: [value], transform: 0, isMarked: false).bytes),
            ProfileFile.inserted(
                profile, into: InkJPEG(samples: [value], transform: 0, blocks: 31, isMarked: false).bytes),
        ]
        for (index, file) in files.enumerated() {
            let found = try Self.level(of: file)
            #expect(abs(found - expected) <= 3, "file \(index): \(found), not \(expected)")
        }
    }

    /// A profile of colours has a curve for grey, too.
    @Test func aProfileOfColoursCountsForGrey() throws {
        let plain = InkJPEG(samples: [30], transform: 0, isMarked: false).bytes
        let file = ProfileFile.inserted(ProfileFile.displayP3, into: plain)
        #expect(abs(try Self.level(of: file) - Self.standard(30, gamma: 2.2)) <= 3)
    }

    @Test func whiteAndBlackStayWhatTheyAre() throws {
        for (value, expected) in [(UInt8(0), 0), (255, 255)] {
            let file = MarkedPicture.png(try Self.png(value), profile: ProfileFile.grey(gamma: 2.6))
            #expect(abs(try Self.level(of: file) - expected) <= 1)
        }
    }

    /// Of a picture in colours, a profile of grey says nothing.
    @Test func aProfileOfGreyLeavesColoursAlone() throws {
        let colour: [UInt8] = [200, 100, 50]
        let patch = Bitmap(width: 64, height: 48, rgb: (0..<64 * 48).flatMap { _ in colour })
        let plain = try PictureWriter.encode(patch, as: .jpeg)
        let media = try Examined.media(ProfileFile.inserted(ProfileFile.grey(gamma: 1), into: plain), sizes: [32])
        let found = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(16, 12)
        #expect(zip(found, colour).allSatisfy { abs(Int($0) - Int($1)) <= 4 }, "\(found)")
    }
}

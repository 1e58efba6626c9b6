import FoundationEssentials
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// Metadata that a library does not read is no damage to the picture.
@Suite(.serialized) struct HarmlessMetadataTests {
    private static let scene = Scene(seed: 41, width: 96, height: 64, hasGrain: false).bitmap()

    /// Programs write the mark of a JPEG's segment before the header of TIFF, which RFC 9649 knows nothing of.
    @Test(arguments: [Array("Exif\0\0".utf8), []])
    func exifInAWebPMayHaveAMark(mark: [UInt8]) throws {
        let plain = try PictureWriter.encode(Self.scene, as: .webp)
        let bytes = MarkedPicture.webp(plain, exif: mark + ExifSegment(orientation: 6).tiff, width: 96, height: 64)
        let facts = try Examined.media(bytes).facts
        #expect(facts.notes == [])
        #expect(facts.width == 64 && facts.height == 96 && facts.camera == "Gallery Camera 1")
    }

    /// Noise, nothing, and a directory that leads nowhere.
    @Test(arguments: [Array("noise".utf8), [], Array("MM\0*\0\0\u{7F}\u{7F}".utf8), Array("II*\0".utf8)])
    func exifThatIsNoneIsNoDamage(block: [UInt8]) throws {
        let plain = try PictureWriter.encode(Self.scene, as: .jpeg)
        let content = Array("Exif\0\0".utf8) + block
        let jpeg = plain[..<2] + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + plain[2...]
        let webp = MarkedPicture.webp(
            try PictureWriter.encode(Self.scene, as: .webp), exif: block, width: 96, height: 64)
        for bytes in [Array(jpeg), webp] {
            let media = try Examined.media(bytes)
            #expect(media.facts.notes == [] && media.thumbnails.count == 1)
        }
    }

    /// Pages after the first that cannot be read do not damage the first one.
    @Test func aBrokenChainOfPagesIsNoDamage() throws {
        var tiff = MarkedPicture.tiff(try PictureWriter.encode(Self.scene, as: .tiff), orientation: 1)
        tiff.replaceSubrange(tiff.count - 4..<tiff.count, with: [0xFF, 0xFF, 0, 0])
        let media = try Examined.media(tiff)
        #expect(media.facts.notes == [] && media.facts.width == 96)
    }

    /// Decoders pass over bytes between two segments, and so does what looks for the orientation.
    @Test(arguments: [[0], [0xFF, 0], [7, 0xFF, 0xFF], [UInt8](repeating: 9, count: 3000)] as [[UInt8]])
    func bytesBetweenSegmentsArePassedOver(between: [UInt8]) throws {
        let jpeg = ExifSegment(orientation: 6).inserted(into: try PictureWriter.encode(Self.scene, as: .jpeg))
        for place in [2, 4 + Int(jpeg[4]) << 8 + Int(jpeg[5])] {
            let media = try Examined.media(Array(jpeg[..<place] + between + jpeg[place...]), as: .jpeg)
            #expect(media.facts.rotation == 90 && media.facts.camera == "Gallery Camera 1", "\(place)")
            #expect(media.thumbnails.count == 1)
        }
    }

    /// Damage to the picture is told of all the same.
    @Test func damageBesideSuchMetadataIsNoted() throws {
        let plain = try PictureWriter.encode(Self.scene, as: .jpeg)
        let jpeg = Array(plain[..<2] + [0xFF, 0xE1, 0, 10] + Array("Exif\0\0xx".utf8) + plain[2...])
        let facts = try Examined.media(Array(jpeg.prefix(jpeg.count * 2 / 3))).facts
        #expect(facts.notes.contains { $0.hasPrefix("Damaged") })
    }

    private static let date = "<x exif:DateTimeOriginal='2026-06-20T10:00:00+09:00'/>"

    /// A PNG's text, packed or not, in any of its three kinds (PNG 3rd edition, 11.3.3).
    @Test(
        arguments: [
            ("iTXt", [0, 0, 0, 0, 0], false), ("iTXt", [0, 1, 0, 0, 0], true), ("zTXt", [0, 0], true),
            ("tEXt", [0], false),
        ] as [(String, [UInt8], Bool)])
    func xmpInAPNGIsRead(kind: String, head: [UInt8], isPacked: Bool) throws {
        let text = isPacked ? MarkedPicture.zlib(Array(Self.date.utf8)) : Array(Self.date.utf8)
        let content = Array("XML:com.adobe.xmp".utf8) + head + text
        let plain = try PictureWriter.encode(Self.scene, as: .png)
        for place in [33, plain.count - 12] {
            let facts = try Examined.media(MarkedPicture.inserting(kind, content, into: plain, at: place)).facts
            #expect(facts.takenAtSource == .xmp && facts.takenAt?.timeIntervalSince1970 == 1_781_917_200, "\(place)")
        }
    }

    /// The reference of Android's cameras writes text as bytes of no type.
    @Test func textWithoutATypeIsRead() throws {
        var tiff = ExifSegment(maker: "Maker", model: "Model 3").tiff
        for tag: [UInt8] in [[0x01, 0x0F], [0x01, 0x10], [0x90, 0x03], [0x90, 0x11]] {
            let place = try #require(tiff.indices.first { tiff[$0...].starts(with: tag + [0, 2]) })
            tiff[place + 3] = 7
        }
        let exif = ExifFacts(tiff)
        #expect(exif.maker == "Maker" && exif.model == "Model 3" && exif.taken?.offset == 9 * 3600)
    }
}

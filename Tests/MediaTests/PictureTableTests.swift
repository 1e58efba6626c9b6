import Foundation
import MediaModel
import Platform
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Format × orientation × facts, each thumbnail against a reference of full quality.
///
/// The reference is the same picture decoded at full size by the codec alone and resampled by Lanczos in double
/// precision: it shares neither the halving decoders nor the filter nor the encoder with what it judges.
/// The floor is 0.97: the thumbnail's own JPEG and its filter of another shape cost up to 0.03 in a drawing of sharp
/// edges as this scene, while a turn, a mirror or a wrong plane leaves less than 0.75.
@Suite(.serialized) struct PictureTableTests {
    private static let floor = 0.97
    private static let scene = Scene(seed: 11, width: 480, height: 360, hasGrain: false).bitmap()
    private static let longSide = 120
    private static let exif = ExifSegment(
        maker: "Gallery", model: "Camera 1", takenAt: "2026:06:20 10:00:00", offset: "+09:00")

    /// Formats that carry an orientation; the others are upright.
    private static let turnable: Set<PictureWriter.Format> = [.jpeg, .png, .webp, .tiff, .heic, .avif]

    struct Row: CustomTestStringConvertible, Sendable {
        let format: PictureWriter.Format
        let orientation: Int

        var testDescription: String { "\(format.rawValue), orientation \(orientation)" }
    }

    static let rows = PictureWriter.Format.allCases.flatMap { format in
        (turnable.contains(format) ? 1...8 : 1...1).map { Row(format: format, orientation: $0) }
    }

    /// The scene after each format, decoded at full size.
    private static let references: [PictureWriter.Format: Bitmap] = {
        let pairs = PictureWriter.Format.allCases.compactMap { format in
            (try? reference(format)).map { (format, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    private static func reference(_ format: PictureWriter.Format) throws -> Bitmap {
        let file = try Examined.file(try PictureWriter.encode(scene, as: format))
        let packet = try Packet.contents(of: file.descriptor, limit: 1 << 30)
        let whole: Bitmap
        if case .picture(let decoder, _) = DecoderRoute(MediaType(format)) {
            let frame = try PhotoReader.decoded(
                packet, by: decoder, options: Decoder.Options(maxPixels: 1 << 30))
            whole = try Scaler.bitmap(from: frame, width: frame.width, height: frame.height)
        } else {
            let frame = try HEIFPicture.opened(packet.buffer).frame(for: 10_000, maxPixels: 1 << 30)
            whole = try Scaler.bitmap(from: frame, width: frame.width, height: frame.height)
        }
        return whole.resampled(width: longSide, height: longSide * 3 / 4)
    }

    /// The scene stored rotated, with the orientation that shows it upright.
    private static func file(_ row: Row) throws -> [UInt8] {
        let orientation = try #require(Orientation(exif: row.orientation))
        let stored = scene.turned(orientation.inverse)
        var exif = exif
        exif.orientation = row.orientation
        switch row.format {
        case .heic, .avif:
            var writer = HEIFWriter(row.format == .heic ? .hevc : .av1)
            writer.orientation = row.orientation
            writer.exif = exif.tiff
            return try writer.encode(stored)
        default: break
        }
        let plain = try PictureWriter.encode(stored, as: row.format)
        return switch row.format {
        case .jpeg: exif.inserted(into: plain)
        case .png: MarkedPicture.png(plain, exif: exif.tiff)
        case .webp: MarkedPicture.webp(plain, exif: exif.tiff, width: stored.width, height: stored.height)
        case .tiff: MarkedPicture.tiff(plain, orientation: row.orientation)
        default: plain
        }
    }

    @Test(arguments: rows)
    func thePictureIsUprightAndItsFactsAreRight(_ row: Row) throws {
        let media = try Examined.media(
            try Self.file(row), as: MediaType(row.format), sizes: [Self.longSide])
        let facts = media.facts
        #expect(facts.kind == .photo)
        #expect(facts.type == MediaType(row.format))
        #expect(facts.width == 480 && facts.height == 360)
        #expect(facts.notes == [])
        if [.jpeg, .png, .webp, .heic, .avif].contains(row.format) {
            #expect(facts.takenAt == (try Date("2026-06-20T01:00:00Z", strategy: .iso8601)))
            #expect(facts.takenAtSource == .exif)
            #expect(facts.camera == "Gallery Camera 1")
        }
        let thumbnail = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(thumbnail.width == 120 && thumbnail.height == 90)
        let likeness = thumbnail.likeness(to: try #require(Self.references[row.format]))
        #expect(likeness >= Self.floor, "\(likeness)")
    }

    /// The floor separates right from wrong: wrong results are far below it.
    @Test(arguments: 2...8)
    func aWrongTurnIsFarBelowTheFloor(number: Int) throws {
        let reference = try #require(Self.references[.png])
        let turned = reference.turned(try #require(Orientation(exif: number)))
        #expect(turned.averaged(width: 120, height: 90).likeness(to: reference) < 0.75)
    }
}

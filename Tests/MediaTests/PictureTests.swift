import Foundation
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// One file of each format, compared with the scene it was made from.
@Suite(.serialized) struct PictureTests {
    private static let scene = Scene(seed: 11, width: 320, height: 240, hasGrain: false).bitmap()

    /// A thumbnail of 128 pixels passes two lossy codecs and a resampling filter unlike the reference's; 0.93 is
    /// below what all formats reach, and far above a wrong turn, field, or plane (under 0.5).
    @Test(arguments: PictureWriter.Format.allCases)
    func aPictureOfEachFormatHasItsThumbnail(format: PictureWriter.Format) throws {
        let media = try Examined.media(
            try PictureWriter.encode(Self.scene, as: format), as: MediaType(format), sizes: [128])
        #expect(media.facts.kind == .photo)
        #expect(media.facts.type == MediaType(format))
        #expect(media.facts.width == 320)
        #expect(media.facts.height == 240)
        #expect(media.facts.rotation == 0)
        #expect(media.facts.notes == [])
        let thumbnail = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(thumbnail.likeness(to: Self.scene.averaged(width: 128, height: 96)) > 0.93)
        #expect(thumbnail.distance(to: Self.scene.averaged(width: 128, height: 96)) < 6)
    }

    @Test(arguments: 1...8)
    func aJPEGIsUprightWhateverItsOrientation(number: Int) throws {
        let orientation = try #require(Orientation(exif: number))
        let stored = Self.scene.turned(orientation.inverse)
        let jpeg = ExifSegment(orientation: number).inserted(into: try PictureWriter.encode(stored, as: .jpeg))
        let media = try Examined.media(jpeg)
        #expect(media.facts.width == 320)
        #expect(media.facts.height == 240)
        #expect(media.facts.rotation == orientation.rotation)
        #expect(media.facts.isMirrored == orientation.isMirrored)
        let thumbnail = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(thumbnail.likeness(to: Self.scene.averaged(width: 128, height: 96)) > 0.93)
    }

    @Test func oneDecodeMakesEverySize() throws {
        let jpeg = try PictureWriter.encode(Self.scene, as: .jpeg)
        let thumbnails = try Examined.media(jpeg, sizes: [64, 1000, 200]).thumbnails
        #expect(thumbnails.map(\.spec.longSide) == [64, 1000, 200])
        #expect(thumbnails.map(\.width) == [64, 320, 200])
        #expect(thumbnails.map(\.height) == [48, 240, 150])
        for thumbnail in thumbnails {
            let picture = try Bitmap(jpeg: thumbnail.bytes)
            #expect(picture.width == thumbnail.width && picture.height == thumbnail.height)
            let reference = Self.scene.averaged(width: picture.width, height: picture.height)
            #expect(picture.likeness(to: reference) > 0.9)
        }
    }

    @Test func withoutSizesThereAreFactsAlone() throws {
        let media = try Examined.media(try PictureWriter.encode(Self.scene, as: .jpeg), sizes: [])
        #expect(media.thumbnails.isEmpty)
        #expect(media.facts.width == 320)
    }

    /// Each halving while decoding must leave enough detail.
    @Test(arguments: [(1440, 100), (1440, 200), (1440, 400), (1440, 700)])
    func aHalvedJPEGLooksLikeAWholeOne(side: Int, longSide: Int) throws {
        let scene = Scene(seed: 5, width: side, height: side / 2, hasGrain: false).bitmap()
        let media = try Examined.media(try PictureWriter.encode(scene, as: .jpeg), sizes: [longSide])
        let thumbnail = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(media.facts.width == side)
        #expect(thumbnail.likeness(to: scene.averaged(width: longSide, height: longSide / 2)) > 0.95)
    }

    @Test func aThumbnailHoldsNothingButThePicture() throws {
        let jpeg = ExifSegment().inserted(into: try PictureWriter.encode(Self.scene, as: .jpeg))
        let thumbnail = try #require(try Examined.media(jpeg).thumbnails.first)
        // JFIF header, tables, frame, scan: no EXIF (E1), no profile (E2), no comment (FE).
        #expect(Set(Self.markers(of: thumbnail.bytes)).isSubset(of: [0xD8, 0xE0, 0xDB, 0xC0, 0xC4, 0xDA]))
        #expect(Self.markers(of: jpeg).contains(0xE1))
    }

    private static func markers(of jpeg: [UInt8]) -> [UInt8] {
        var markers: [UInt8] = [jpeg[1]]
        var offset = 2
        while offset + 3 < jpeg.count, jpeg[offset] == 0xFF {
            markers.append(jpeg[offset + 1])
            if jpeg[offset + 1] == 0xDA { break }
            offset += 2 + Int(jpeg[offset + 2]) << 8 + Int(jpeg[offset + 3])
        }
        return markers
    }

    @Test(arguments: [200_000, 8_000, 4_000, 1_500, 700])
    func aThumbnailKeepsToItsBudget(maxBytes: Int) throws {
        let jpeg = try PictureWriter.encode(Self.scene, as: .jpeg)
        let thumbnail = try #require(try Examined.media(jpeg, sizes: [256], maxBytes: maxBytes).thumbnails.first)
        #expect(thumbnail.bytes.count <= maxBytes)
        let picture = try Bitmap(jpeg: thumbnail.bytes)
        #expect(picture.width == thumbnail.width)
        // It uses its budget: half of it is left only when even the finest picture needs less.
        #expect(thumbnail.bytes.count > maxBytes / 3 || maxBytes == 200_000)
    }

    @Test func anImpossibleBudgetEndsAtATinyPicture() throws {
        let jpeg = try PictureWriter.encode(Self.scene, as: .jpeg)
        let thumbnail = try #require(try Examined.media(jpeg, sizes: [256], maxBytes: 1).thumbnails.first)
        #expect(thumbnail.width <= 16)
    }

    @Test func exifTellsCameraAndMoment() throws {
        let exif = ExifSegment(maker: "Canon", model: "Canon EOS R5", takenAt: "2026:06:20 10:00:00", offset: "+09:00")
        let facts = try Examined.media(exif.inserted(into: try PictureWriter.encode(Self.scene, as: .jpeg))).facts
        #expect(facts.camera == "Canon EOS R5")
        #expect(facts.takenAt == (try Date("2026-06-20T01:00:00Z", strategy: .iso8601)))
        #expect(facts.takenAtSource == .exif)
    }

    @Test func exifWithoutAnOffsetIsLocalTime() throws {
        let exif = ExifSegment(takenAt: "2026:01:20 10:00:00", offset: "")
        let facts = try Examined.media(exif.inserted(into: try PictureWriter.encode(Self.scene, as: .jpeg))).facts
        let parts = Calendar.current.dateComponents([.year, .month, .day, .hour], from: try #require(facts.takenAt))
        #expect([parts.year, parts.month, parts.day, parts.hour] == [2026, 1, 20, 10])
        #expect(facts.takenAtSource == .exifLocal)
    }

    @Test(
        arguments: [
            ("Apple", "iPhone 15", "Apple iPhone 15"), ("NIKON CORPORATION", "NIKON Z 6", "NIKON Z 6"),
            ("Canon", nil, "Canon"), (nil, "X100", "X100"), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func aMakerIsSaidOnce(maker: String?, model: String?, camera: String?) {
        #expect(MediaFacts.camera(maker: maker, model: model) == camera)
    }
}

extension MediaType {
    init(_ format: PictureWriter.Format) {
        switch format {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webp: self = .webp
        case .bmp: self = .bmp
        case .tiff: self = .tiff
        case .jxl: self = .jxl
        case .heic: self = .heic
        case .avif: self = .avif
        }
    }
}

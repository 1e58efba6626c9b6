import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// HEIC and AVIF, against the scene they were made from.
///
/// Two lossy codecs and two filters lie between: 0.93 as for the other formats.
@Suite(.serialized) struct CollectionTests {
    private static let scene = Scene(seed: 12, width: 320, height: 240, hasGrain: false).bitmap()

    private static func expectScene(
        _ media: (facts: MediaFacts, thumbnails: [Thumbnail]), likeness: Double = 0.93
    ) throws {
        #expect(media.facts.width == 320)
        #expect(media.facts.height == 240)
        let thumbnail = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(thumbnail.likeness(to: scene.averaged(width: 128, height: 96)) > likeness)
    }

    /// The file's own rotation applies, and EXIF's is not applied in addition.
    @Test(arguments: 1...8)
    func aCollectionIsUprightByItsOwnTurn(number: Int) throws {
        let orientation = try #require(Orientation(exif: number))
        var writer = HEIFWriter(.hevc)
        writer.orientation = number
        writer.exif = ExifSegment(orientation: number).tiff
        try Self.expectScene(try Examined.media(try writer.encode(Self.scene.turned(orientation.inverse))))
    }

    @Test func itsFactsAreThoseOfItsExif() throws {
        var writer = HEIFWriter(.hevc)
        writer.exif = ExifSegment().tiff
        let facts = try Examined.media(try writer.encode(Self.scene)).facts
        #expect(facts.type == .heic)
        #expect(facts.codec == "hevc")
        #expect(facts.camera == "Gallery Camera 1")
        #expect(facts.takenAtSource == .exif)
        #expect(facts.isMotionPhoto == nil)
        #expect(facts.thumbHash?.isEmpty == false)
    }

    /// A track beside a still picture whose pixels are damaged.
    @Test func aTrackInThePlaceOfItsPictureLeavesItsFacts() throws {
        let exif = ExifSegment().tiff
        var writer = HEIFWriter(.hevc)
        writer.exif = exif
        var still = try writer.encode(Self.scene)
        let pixels = try #require(Self.place(of: Array("mdat".utf8), in: still)) + 4
        let stated = try #require(Self.place(of: exif, in: still))
        let kept = stated - 10..<stated + exif.count
        for place in pixels..<still.count where !kept.contains(place) { still[place] = 0 }
        #expect(try !Examined.failure(still).isEmpty, "without a track")
        let film = MovieWriter.Film(width: 320, height: 240, frames: 10, keyInterval: 5)
        let media = try Examined.media(
            try Self.adding(try MovieWriter.encode(film, as: .mp4) { _ in Self.scene }, to: still))
        try Self.expectScene(media)
        #expect(media.facts.type == .heic && media.facts.codec == "h264")
        #expect(media.facts.camera == "Gallery Camera 1")
        #expect(media.facts.takenAtSource == .exif && media.facts.isExposureDate == true)
    }

    private static func place(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: mark) }
    }

    /// A collection followed by a movie's boxes, whose tables of places are moved along (ISO/IEC 14496-12, 8.7.5).
    private static func adding(_ movie: [UInt8], to still: [UInt8]) throws -> [UInt8] {
        func number(_ at: Int) -> Int { movie[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        let start = number(0)
        var moved = movie
        for table in movie.indices where movie[table...].starts(with: "stco".utf8) {
            for at in stride(from: table + 12, to: table + 12 + 4 * number(table + 8), by: 4) {
                let place = number(at) + still.count - start
                moved.replaceSubrange(at..<at + 4, with: (0..<4).map { UInt8(place >> (24 - 8 * $0) & 255) })
            }
        }
        return still + moved.dropFirst(start)
    }

    /// libheif makes the embedded thumbnail without a filter, so its edges are rough: 0.85.
    @Test func aThumbnailInsideIsUsedWhereItSuffices() throws {
        var writer = HEIFWriter(.hevc)
        writer.thumbnail = 160
        try Self.expectScene(try Examined.media(try writer.encode(Self.scene), sizes: [128]), likeness: 0.85)
        let media = try Examined.media(try writer.encode(Self.scene), sizes: [200])
        #expect(media.thumbnails.first?.width == 200)
    }

    @Test func withoutABoxTheStreamSaysWhichColoursItHas() throws {
        var bytes = try PictureWriter.encode(Self.scene, as: .avif)
        let box = try #require(bytes.indices.first { bytes[$0...].starts(with: "colr".utf8) })
        bytes.replaceSubrange(box..<box + 4, with: "free".utf8)
        try Self.expectScene(try Examined.media(bytes))
    }

    /// As photos of iOS 18 have it: what belongs to a picture belongs to another one, too, which a gain map makes of it.
    @Test(arguments: [HEIFWriter.Coding.hevc, .av1])
    func whatBelongsToSeveralItemsIsFound(coding: HEIFWriter.Coding) throws {
        var writer = HEIFWriter(coding)
        writer.exif = ExifSegment().tiff
        writer.thumbnail = 64
        var bytes = try writer.encode(Self.scene)
        func place(_ name: String) throws -> Int { try #require(Self.place(of: Array(name.utf8), in: bytes)) }
        func add(_ count: Int, at place: Int) {
            let sum = Int(bytes[place]) << 8 + Int(bytes[place + 1]) + count
            (bytes[place], bytes[place + 1]) = (UInt8(sum >> 8), UInt8(sum & 255))
        }
        for name in ["cdsc", "thmb"] {
            // Each has one target, the picture; an item that is not there comes before it.
            let start = try place(name)
            #expect(bytes[start + 6..<start + 10] == [0, 1, 0, 1])
            bytes.replaceSubrange(start + 7..<start + 8, with: [2, 0, 9])
            for box in [name, "iref", "meta"] { add(2, at: try place(box) - 2) }
        }
        // The pixels lie four bytes further on. The start of an item is behind its number, in version 1 also how to count.
        let items = try place("iloc")
        let more = 2 * Int(bytes[items + 4])
        #expect(more <= 2 && bytes[items + 8..<items + 10] == [0x44, 0x40])
        for item in 0..<Int(bytes[items + 11]) {
            let start = items + 12 + item * (18 + more)
            if more == 0 || bytes[start + 3] == 0 { add(4, at: start + 6 + more) }
        }
        let media = try Examined.media(bytes)
        #expect(media.facts.takenAtSource == .exif)
        try Self.expectScene(media)
    }

    @Test(arguments: [PictureWriter.Format.heic, .avif])
    func aCollectionThatIsCutShortHasAReason(format: PictureWriter.Format) throws {
        let whole = try PictureWriter.encode(Self.scene, as: format)
        for share in [0.3, 0.7] {
            let cut = Array(whole.prefix(Int(Double(whole.count) * share)))
            #expect(try !Examined.failure(cut, as: MediaType(format)).isEmpty)
        }
    }

    @Test func aPictureWithAVideoBehindItIsAMotionPhoto() throws {
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta GCamera:MotionPhoto=\"1\"/>".utf8)
        let jpeg = try PictureWriter.encode(Self.scene, as: .jpeg)
        let segment = [0xFF, 0xE1, 0, UInt8(xmp.count + 2)] + xmp
        let movie = Array("\0\0\0\u{18}ftypmp42".utf8)
        let media = try Examined.media(Array(jpeg[..<2]) + segment + jpeg[2...] + movie)
        #expect(media.facts.kind == .photo)
        #expect(media.facts.isMotionPhoto == true)
    }

    /// Samsung's directory of what follows the picture: a movie is 0x0A30, a depth map 0x0AB0, say.
    @Test(
        arguments: [
            ([0x0A30], true), ([0x0AB0, 0x0A30], true), ([0x0AB0], nil), ([], nil),
        ] as [([Int], Bool?)])
    func samsungsTrailerTellsOfTheMovie(kinds: [Int], isMotionPhoto: Bool?) throws {
        let entries = kinds.flatMap { [0, 0, UInt8($0 & 0xFF), UInt8($0 >> 8), 0, 0, 0, 0, 0, 0, 0, 0] as [UInt8] }
        let directory = Array("SEFH".utf8) + [106, 0, 0, 0, UInt8(kinds.count), 0, 0, 0] + entries
        let trailer = directory + [UInt8(directory.count), 0, 0, 0] + Array("SEFT".utf8)
        let media = try Examined.media(try PictureWriter.encode(Self.scene, as: .jpeg) + trailer)
        #expect(media.facts.isMotionPhoto == isMotionPhoto)
    }
}

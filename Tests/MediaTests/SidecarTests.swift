import Foundation
import MediaModel
import Testing

@testable import Media

/// What a sidecar states of the file that it belongs to.
@Suite(.serialized) struct SidecarTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let notes: String
        /// Seconds since 1970; `nil` where it has no date of a photo.
        let taken: Double?
    }

    @Test(arguments: [
        Row(
            testDescription: "an attribute", notes: "exif:DateTimeOriginal='2026-06-20T10:00:00+09:00'",
            taken: 1_781_917_200),
        Row(
            testDescription: "the form of EXIF, as darktable writes it",
            notes: "exif:DateTimeOriginal='2026:06:20 10:00:00.000+09:00'", taken: 1_781_917_200),
        Row(
            testDescription: "a day that a person chose", notes: "photoshop:DateCreated='2026-06-20T01:00:00Z'",
            taken: 1_781_917_200),
        Row(
            testDescription: "only when the notes were made", notes: "xmp:CreateDate='2026-06-20T01:00:00Z'",
            taken: nil),
        Row(testDescription: "no date", notes: "xmp:Rating='3'", taken: nil),
        Row(testDescription: "no date that exists", notes: "exif:DateTimeOriginal='2026-13-20T10:00:00Z'", taken: nil),
    ])
    func theDateIsRead(_ row: Row) throws {
        let text = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF><rdf:Description \(row.notes)/></rdf:RDF></x:xmpmeta>"
        let media = try Examined.media(Array(text.utf8), as: .xmp)
        #expect(media.facts.kind == .sidecar && media.facts.takenAt?.timeIntervalSince1970 == row.taken)
        #expect(media.facts.takenAtSource == row.taken.map { _ in .xmp } && media.thumbnails.isEmpty)
    }

    /// By the byte order mark, whichever comes first of two bytes (XMP part 1, 7.1).
    @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
    func theTextMayBeInUTF16(mark: [UInt8]) throws {
        let text = "<?xml version='1.0'?><rdf:RDF><a exif:DateTimeOriginal='1880-06-20T10:00:00+09:00'/></rdf:RDF>"
        let units = text.utf16.flatMap { unit in
            let bytes = [UInt8(unit & 255), UInt8(unit >> 8)]
            return mark[0] == 0xFF ? bytes : bytes.reversed()
        }
        let identity = try #require(MediaIdentity(header: mark + units, fileExtension: Array("xmp".utf8)))
        #expect(identity.isCertain && identity.note == nil)
        let facts = try Examined.media(mark + units, as: identity.type).facts
        #expect(facts.takenAt == (try Date("1880-06-20T01:00:00Z", strategy: .iso8601)))
    }

    @Test(arguments: [0, 100, 1 << 21])
    func anySizeIsReadInPart(count: Int) throws {
        let text = "<x:xmpmeta>" + String(repeating: "<a/>", count: count / 4)
        #expect(try Examined.media(Array(text.utf8), as: .xmp).facts.takenAt == nil)
    }
}

import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// Facts about what belongs to a file: a motion photo's clip, a Live Photo's other half, cover and chapters.
@Suite(.serialized) struct CompanionFactTests {
    private static let scene = Scene(seed: 83, width: 96, height: 64, hasGrain: false).bitmap()

    private static func movie(_ format: MovieWriter.Format, frames: Int = 4, cover: [UInt8]? = nil) throws -> [UInt8] {
        var film = MovieWriter.Film(width: 96, height: 64, frames: frames)
        film.cover = cover
        return try MovieWriter.encode(film, as: format) { _ in scene }
    }

    private static func motionPhoto(before clip: [UInt8], as format: PictureWriter.Format = .jpeg) throws -> [UInt8] {
        let picture = try PictureWriter.encode(scene, as: format)
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta GCamera:MicroVideo=\"1\"/>".utf8)
        return Array(picture[..<2]) + [0xFF, 0xE1, 0, UInt8(xmp.count + 2)] + xmp + picture[2...] + clip
    }

    /// Whatever other programs appended, the clip is a whole movie and nothing else.
    @Test(arguments: [0, 300]) func aClipIsFoundByItsBoxes(appended: Int) throws {
        let clip = try Self.movie(.mp4)
        let file = try Self.motionPhoto(before: clip)
        let media = try Examined.media(file + [UInt8](repeating: 0x53, count: appended))
        #expect(media.facts.isMotionPhoto == true)
        #expect(media.facts.clip == EmbeddedClip(offset: file.count - clip.count, length: clip.count))
    }

    @Test func aClipThatIsCutShortIsNone() throws {
        let clip = try Self.movie(.mp4)
        let media = try Examined.media(try Self.motionPhoto(before: Array(clip.dropLast(clip.count / 2))))
        #expect(media.facts.isMotionPhoto == true)
        #expect(media.facts.clip == nil)
    }

    @Test func aPhotoThatSaysNothingOfAClipIsNotSearched() throws {
        let media = try Examined.media(try PictureWriter.encode(Self.scene, as: .jpeg) + (try Self.movie(.mp4)))
        #expect(media.facts.clip == nil)
        #expect(media.facts.isMotionPhoto == nil)
    }

    private static let identifier = "0C53A32D-54A5-4A0E-9E1B-0D6A4B7D3E11"

    /// Apple's maker note with an entry before the identifier's.
    private static let appleNote: [UInt8] = {
        let head = Array("Apple iOS\0\0\u{1}MM".utf8)
        let entries: [UInt8] =
            [0, 2] + [0, 1, 0, 9, 0, 0, 0, 1, 0, 0, 0, 14] + [0, 0x11, 0, 2, 0, 0, 0, 37, 0, 0, 0, 44]
        return head + entries + [0, 0, 0, 0] + Array(identifier.utf8) + [0]
    }()

    @Test func thePhotoOfALivePhotoTellsItsIdentifier() throws {
        var segment = ExifSegment()
        segment.makerNote = Self.appleNote
        let jpeg = try PictureWriter.encode(Self.scene, as: .jpeg)
        #expect(try Examined.media(segment.inserted(into: jpeg)).facts.contentIdentifier == Self.identifier)
    }

    @Test func aDamagedMakerNoteTellsNothing() {
        for count in 0..<Self.appleNote.count - 1 {
            let cut = Array(Self.appleNote.prefix(count))
            #expect(cut.withUnsafeBufferPointer { AppleNote.contentIdentifier(in: $0) } == nil)
        }
    }

    @Test func theMovieOfALivePhotoTellsItsIdentifier() throws {
        let movie = MarkedMovie.quickTime(
            try Self.movie(.mp4), key: "com.apple.quicktime.content.identifier", Self.identifier)
        #expect(try Examined.media(movie).facts.contentIdentifier == Self.identifier)
    }

    @Test(arguments: [4, 0]) func chaptersAndCoverAreFacts(frames: Int) throws {
        let cover = try PictureWriter.encode(Self.scene, as: .jpeg)
        let bytes = MarkedMovie.chapters(
            try Self.movie(.mp4, frames: frames, cover: cover), [(0, "Arrival"), (0.5, "Beach")])
        let facts = try Examined.media(bytes).facts
        #expect(facts.chapters == [Chapter(start: 0, title: "Arrival"), Chapter(start: 0.5, title: "Beach")])
        #expect(facts.hasCover == true)
    }

    @Test func aMovieWithoutThemSaysSo() throws {
        let facts = try Examined.media(try Self.movie(.mp4)).facts
        #expect(facts.chapters == nil)
        #expect(facts.hasCover == false)
    }
}

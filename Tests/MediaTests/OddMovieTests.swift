import CFFmpeg
import MediaModel
import Testing

@testable import Facts
@testable import Frames
@testable import Media
@testable import MediaMaking

/// Unusual videos: without a length, without pictures, with a cover, in HDR.
@Suite(.serialized) struct OddMovieTests {
    private static let scene = Scene(seed: 71, width: 160, height: 96, hasGrain: false)
    private static let picture = scene.bitmap()
    private static let cover = Scene(seed: 72, width: 96, height: 96, hasGrain: false).bitmap()

    private static func film(
        frames: Int = 10, _ change: (inout MovieWriter.Film) throws -> Void = { _ in }
    ) rethrows -> MovieWriter.Film {
        var film = MovieWriter.Film(width: 160, height: 96, frames: frames, keyInterval: 5)
        try change(&film)
        return film
    }

    private static func encoded(
        _ format: MovieWriter.Format, frames: Int = 10, _ change: (inout MovieWriter.Film) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        let film = try film(frames: frames, change)
        let shown = film.transfer.map(picture.coded) ?? picture
        return try MovieWriter.encode(film, as: format) { _ in shown }
    }

    private static func likeness(
        _ media: (facts: MediaFacts, thumbnails: [Thumbnail]), to picture: Bitmap
    ) throws -> Double {
        let thumbnail = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        return thumbnail.likeness(to: picture.averaged(width: thumbnail.width, height: thumbnail.height))
    }

    /// A tape is its frames, one behind the other, and each states when it was recorded.
    @Test func aTapeIsShownWithItsDate() throws {
        let picture = Scene(seed: 73, width: 720, height: 576, hasGrain: false).bitmap()
        let target = Scaler.Target(width: 720, height: 576, format: AV_PIX_FMT_YUV420P)
        var frame = try Encoder.file(
            of: try Scaler.convert(try Frame.copy(of: picture), to: target, flags: Scaler.exact), by: "dvvideo")
        // As a Canon wrote it: behind the packs for source and control in the last block of VAUX.
        frame.replaceSubrange(458..<468, with: [0x62, 0xFF, 0xD6, 0xE2, 0x10, 0x63, 0xFF, 0xA8, 0xB6, 0xE1])
        let media = try Examined.media((0..<5).flatMap { _ in frame }, as: .dv)
        #expect(media.facts.type == .dv && media.facts.kind == .video)
        #expect(media.facts.framesPerSecond == 25)
        let time = try #require(CivilTime(exif: "2010:02:16 21:36:28"))
        #expect(media.facts.takenAt == CaptureDate(time, source: .container)?.date)
        #expect(media.facts.takenAtSource == .container && media.facts.isExposureDate == true)
        #expect(media.facts.notes == [])
        #expect(try Self.likeness(media, to: picture) > 0.9)
    }

    @Test(arguments: ["rv10", "rv20"]) func realMediaIsShown(encoder name: String) throws {
        let muxer = try Muxer.opened("rm", metadata: [])
        let encoder = try Encoder.opened(name, Encoder.Settings(width: 160, height: 96, format: AV_PIX_FMT_YUV420P))
        let stream = try muxer.add(encoder)
        try muxer.start(options: [])
        let target = Scaler.Target(width: 160, height: 96, format: AV_PIX_FMT_YUV420P)
        for number in 0..<5 {
            let frame = try Scaler.convert(try Frame.copy(of: Self.picture), to: target, flags: Scaler.exact)
            frame.pointer.pointee.pts = Int64(number)
            try encoder.send(frame)
            try muxer.drain(encoder, into: stream)
        }
        encoder.finish()
        try muxer.drain(encoder, into: stream)
        let media = try Examined.media(try muxer.finished(), as: .realMedia)
        #expect(media.facts.type == .realMedia && media.facts.kind == .video)
        #expect(media.facts.codec == name)
        #expect(try Self.likeness(media, to: Self.picture) > 0.8)
    }

    /// An animation whose frames cannot be read has a still picture all the same.
    @Test func aPNGThatOnlySaysToBeAnimatedShowsItsPicture() throws {
        let still = try PictureWriter.encode(Self.picture, as: .png)
        let media = try Examined.media(MarkedPicture.inserting("acTL", [0, 0, 0, 2, 0, 0, 0, 0], into: still))
        #expect(media.facts.notes == [])
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    /// Short animations end before a search among their frames does.
    @Test(arguments: [1, 2, 3]) func aShortAnimatedPNGHasAPoster(frames: Int) throws {
        let media = try Examined.media(try Self.encoded(.apng, frames: frames))
        #expect(media.facts.notes == [])
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    /// ISO/IEC 23008-12, 7: a track of pictures without a primary image.
    @Test(arguments: ["avis", "hevc", "msf1"]) func aSequenceOfPicturesShowsOne(brand: String) throws {
        var bytes = try Self.encoded(.mp4)
        bytes.replaceSubrange(8..<12, with: Array(brand.utf8))
        let media = try Examined.media(bytes)
        #expect(media.facts.kind == .photo)
        #expect(media.facts.notes == [])
        #expect(media.facts.takenAtSource == .container)
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    /// As any other picture that states none.
    @Test(arguments: [MovieWriter.Format.gif, .apng, .animatedWebP])
    func anAnimationHasTheDateOfItsFile(format: MovieWriter.Format) throws {
        let facts = try Examined.media(try Self.encoded(format)).facts
        #expect(facts.takenAtSource == .file && facts.isExposureDate == false)
    }

    @Test(arguments: [MovieWriter.Format.mkv, .webm])
    func aVideoWithoutLengthHasAPoster(format: MovieWriter.Format) throws {
        let media = try Examined.media(try Self.encoded(format) { $0.isLive = true }, sizes: [80])
        #expect(media.facts.duration == nil)
        #expect(media.facts.thumbHash?.isEmpty == false)
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    /// As the pieces of a broadcast: a seek finds no way back to its only key frame.
    @Test(arguments: [1, 2, 3, 24]) func aPieceOfAStreamHasAPoster(frames: Int) throws {
        let media = try Examined.media(try Self.encoded(.ts, frames: frames) { $0.keyInterval = 100 }, sizes: [80])
        #expect(media.facts.notes == [])
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    /// Each container, where a search finds nothing but the first picture.
    @Test(arguments: [MovieWriter.Format.mp4, .mov, .webm, .mkv, .avi, .ts], [3, 30])
    func oneKeyFrameIsEnough(format: MovieWriter.Format, frames: Int) throws {
        let media = try Examined.media(try Self.encoded(format, frames: frames) { $0.keyInterval = 100 }, sizes: [80])
        #expect(media.facts.notes == [])
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    /// All ones are no length of 39 hours.
    @Test func aVideoInFragmentsThatDoesNotKnowItsLengthHasNone() throws {
        let bytes = try Self.encoded(.mp4) { $0.isLive = true }
        let media = try Examined.media(MarkedMovie.ofUnknownLength(bytes), sizes: [80])
        #expect(media.facts.duration == nil && media.facts.notes == [])
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    @Test(arguments: MovieWriter.Format.allCases)
    func aVideoOfOneFrameHasAPoster(format: MovieWriter.Format) throws {
        let media = try Examined.media(try Self.encoded(format, frames: 1), sizes: [80])
        #expect(try Self.likeness(media, to: Self.picture) > (format == .gif ? 0.5 : 0.9))
    }

    @Test(arguments: [MovieWriter.Format.mp4, .mov, .mkv, .ts])
    func aVideoThatBeginsLateHasAPoster(format: MovieWriter.Format) throws {
        let media = try Examined.media(try Self.encoded(format) { $0.start = 2500 }, sizes: [80])
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
        #expect((media.facts.duration ?? 0) < 110)
    }

    /// Its times, counted by the track's clock, exceed 64 bits.
    @Test(arguments: [1 << 40, 1 << 43]) func aVideoThatClaimsToLastForAgesHasAPoster(seconds: Int) throws {
        let bytes = MarkedMovie.endless(try Self.encoded(.mp4), seconds: seconds)
        let media = try Examined.media(bytes, sizes: [80])
        #expect(media.facts.duration == Double(seconds))
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    @Test func soundAloneShowsItsCover() throws {
        let jpeg = try PictureWriter.encode(Self.cover, as: .jpeg)
        let media = try Examined.media(try Self.encoded(.mp4, frames: 0) { $0.cover = jpeg }, sizes: [64])
        #expect(media.facts.kind == .audio)
        #expect(media.facts.hasAudio == true)
        #expect(media.facts.codec == "aac")
        #expect(abs((media.facts.duration ?? 0) - 1) < 0.1)
        #expect(try Self.likeness(media, to: Self.cover) > 0.9)
    }

    @Test func soundWithoutACoverHasNoPicture() throws {
        let media = try Examined.media(try Self.encoded(.mp4, frames: 0), sizes: [64])
        #expect(media.facts.kind == .audio)
        #expect(media.thumbnails.isEmpty)
    }

    /// Of a codec that cannot be decoded here, only the name is known.
    @Test func aVideoThatCannotBeDecodedShowsItsCover() throws {
        let jpeg = try PictureWriter.encode(Self.cover, as: .jpeg)
        var bytes = try Self.encoded(.mp4) { $0.cover = jpeg }
        let name = Array("avc1".utf8)
        let places = (0..<bytes.count - 4).filter { bytes[$0..<$0 + 4].elementsEqual(name) }
        for place in places.dropFirst() { bytes.replaceSubrange(place..<place + 4, with: Array("zzz9".utf8)) }
        #expect(places.count > 1)
        let media = try Examined.media(bytes, sizes: [64])
        #expect(media.facts.thumbHash?.isEmpty == false)
        #expect(media.facts.kind == .video)
        #expect(media.facts.notes.first?.hasPrefix("No picture could be decoded") == true)
        #expect(try Self.likeness(media, to: Self.cover) > 0.9)
    }

    @Test func theCoverIsNotTakenForTheVideo() throws {
        let jpeg = try PictureWriter.encode(Self.cover, as: .jpeg)
        let media = try Examined.media(try Self.encoded(.mp4) { $0.cover = jpeg }, sizes: [80])
        #expect(media.facts.codec == "h264")
        #expect(try Self.likeness(media, to: Self.picture) > 0.9)
    }

    /// The scene's white is paper white: the result looks alike, a little darker where it was compressed.
    @Test(arguments: [HDRTransfer.pq, .hlg])
    func aBrightVideoLooksLikeItsScene(transfer: HDRTransfer) throws {
        let media = try Examined.media(try Self.encoded(.mov) { $0.transfer = transfer }, sizes: [80])
        #expect(media.facts.hdr == transfer)
        let thumbnail = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let reference = Self.picture.averaged(width: 80, height: 48)
        #expect(thumbnail.likeness(to: reference) > 0.85)
        #expect(thumbnail.distance(to: reference) < 24)
    }

    /// Without tone mapping it would look pale: paper white is in the middle of the codes.
    @Test func codesTakenForColoursWouldBeFarOff() throws {
        let reference = Self.picture
        #expect(reference.coded(as: .pq).distance(to: reference) > 30)
    }

    @Test(arguments: [MovieWriter.Format.apng, .animatedWebP, .gif])
    func anAnimationShowsItsFirstMeaningfulFrame(format: MovieWriter.Format) throws {
        let film = MovieWriter.Film(width: 160, height: 96, frames: 6, keyInterval: 5)
        let bytes = try MovieWriter.encode(film, as: format) { $0 < 3 ? Self.scene.bitmap(light: 0) : Self.picture }
        let media = try Examined.media(bytes, sizes: [80])
        #expect(media.facts.kind == .photo)
        #expect(media.facts.width == 160)
        let poster = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(FrameScore(poster).isMeaningful)
    }

    @Test(arguments: [MovieWriter.Format.apng, .animatedWebP], [0.2, 0.5, 0.9])
    func anAnimationThatIsCutShortIsHarmless(format: MovieWriter.Format, share: Double) throws {
        let whole = try Self.encoded(format)
        let cut = Array(whole.prefix(Int(Double(whole.count) * share)))
        if case .examined(let facts, let thumbnails) = try Examined.answer(cut, sizes: [80]) {
            #expect(!thumbnails.isEmpty || !facts.notes.isEmpty)
        }
    }
}

import CFFmpeg
import MediaModel
import Platform
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// A file that cannot be shown gives an answer with a reason.
@Suite(.serialized) struct BadFileTests {
    private static let scene = Scene(seed: 41, width: 160, height: 96)
    private static let film = MovieWriter.Film(width: 160, height: 96, frames: 40, keyInterval: 10)

    private static func video(_ format: MovieWriter.Format) throws -> [UInt8] {
        try MovieWriter.encode(film, as: format) { scene.bitmap(time: Double($0) / 40) }
    }

    private static let text = Array("This is no picture, whatever its name says.\n".utf8)

    @Test(arguments: [
        MediaType.jpeg, .png, .gif, .webp, .bmp, .tiff, .jxl, .jp2, .mp4, .matroska, .avi, .mpegTS, .mpegPS, .wmv, .flv,
        .ogg, .mxf,
    ])
    func textAndNothingAreNoMedia(type: MediaType) throws {
        for bytes in [Self.text, [], [0]] {
            #expect(try !Examined.failure(bytes, as: type).isEmpty)
        }
    }

    @Test func theReasonIsTheDecodersOwn() throws {
        let video = try Self.video(.mp4)
        let reason = try Examined.failure(Array(video.prefix(video.count / 2)), as: .mp4)
        #expect(reason.contains("moov atom not found"))
    }

    @Test(arguments: [("BMP coding 4 not supported", false), ("Unsupported DXGI format 98.", false), ("no end", true)])
    func aFormThatADecoderDoesNotKnowIsNoDamage(said: String, isDamage: Bool) {
        let error = FFmpegError(call: "avcodec_send_packet", code: cffmpeg_error_invalid_data)
        let unknown = FFmpegError(call: "avcodec_send_packet", code: cffmpeg_error_not_implemented)
        #expect("\(unknown)" == "The file is in a form that nothing here decodes")
        #expect(error.explained(by: said) == "\(said): \(isDamage ? error : unknown)")
        #expect(error.explained(by: nil) == "The file is damaged or cut short")
        let large = FFmpegError.tooLarge(2, 1, limit: 1, "call")
        #expect(large.explained(by: said) == large.words)
    }

    @Test(arguments: [-1, cffmpeg_error_end_of_file, cffmpeg_error_external, cffmpeg_error_of_errno(EINVAL)])
    func otherCodesOfDecodersMeanDamage(code: Int32) {
        #expect("\(FFmpegError(call: "avcodec_send_packet", code: code))" == "The file is damaged or cut short")
    }

    @Test(arguments: [cffmpeg_error_not_implemented, cffmpeg_error_no_decoder])
    func aCodeOfAnUnknownFormNeedsNoWords(code: Int32) {
        let unknown = "The file is in a form that nothing here decodes"
        #expect("\(FFmpegError(call: "indeo4", code: code))" == unknown)
        #expect(FFmpegError(call: "indeo4", code: code).explained(by: "no end") == "no end: \(unknown)")
    }

    @Test(arguments: [
        (MediaType.heic, Array("\0\0\0\u{14}ftypheic\0\0\0\0mif1".utf8)),
        (.avif, Array("\0\0\0\u{14}ftypavif\0\0\0\0mif1".utf8)),
        (.cr3, Array("\0\0\0\u{14}ftypcrx \0\0\0\0isom".utf8)),
        (.raf, Array("FUJIFILMCCD-RAW 0201".utf8)),
        (.orf, Array("IIRO\u{8}\0\0\0".utf8)),
        (.nef, [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0]),
    ])
    func aHeaderAloneIsNoPicture(type: MediaType, bytes: [UInt8]) throws {
        #expect(try !Examined.failure(bytes, as: type).isEmpty)
    }

    @Test(arguments: [("xcf", "gimp xcf v011\0", "GIMP picture"), ("pp3", "[Version]\n", "RawTherapee's edits")])
    func whatNothingDecodesIsNamed(fileExtension: String, bytes: String, name: String) throws {
        let bytes = Array(bytes.utf8)
        let identity = try #require(MediaIdentity(header: bytes, fileExtension: Array(fileExtension.utf8)))
        let media = try Examined.media(bytes, as: identity.type)
        #expect(media.thumbnails.isEmpty)
        #expect(media.facts.type == identity.type)
        #expect(media.facts.notes == ["No thumbnail: nothing here decodes \(name)"])
    }

    @Test func aFileIsReadAsWhatItIs() throws {
        let media = try Examined.media(try Self.video(.mkv), as: .jpeg)
        #expect(media.facts.type == .matroska)
        #expect(media.thumbnails.count == 1)
    }

    @Test func anAnimatedWebPWithoutFramesIsNoPicture() throws {
        let header = Array("RIFF\u{40}\0\0\0WEBPVP8X\u{0A}\0\0\0".utf8) + [0x02, 0, 0, 0, 0x3F, 1, 0, 0xB3, 0, 0]
        #expect(try !Examined.failure(header + Array("ANIM".utf8), as: .webp).isEmpty)
    }

    @Test(arguments: [0.5, 0.9])
    func aJPEGThatIsCutShortShowsWhatIsThere(share: Double) throws {
        let whole = try PictureWriter.encode(Scene(seed: 2, width: 320, height: 240).bitmap(), as: .jpeg)
        let media = try Examined.media(Array(whole.prefix(Int(Double(whole.count) * share))), as: .jpeg)
        #expect(media.facts.width == 320)
        #expect(media.thumbnails.count == 1)
        #expect(media.facts.notes.contains { $0.hasPrefix("Damaged: ") })
    }

    /// Half of it, or all behind its header; FFmpeg refuses a large one without the latter.
    @Test(arguments: [true, false]) func whatIsMissingOfAJPEGIsGreyAndNotGreen(hasHalf: Bool) throws {
        let scene = hasHalf ? Scene(seed: 2, width: 640, height: 480) : Scene(seed: 2, width: 64, height: 48)
        let whole = try PictureWriter.encode(scene.bitmap(), as: .jpeg)
        let scan = try #require(whole.firstRange(of: [0xFF, 0xDA] as [UInt8])).upperBound
        let media = try Examined.media(Array(whole.prefix(hasHalf ? whole.count / 2 : scan)), as: .jpeg)
        #expect(media.facts.notes.contains { $0.hasPrefix("Damaged: ") })
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let pixel = picture.pixel(picture.width / 2, picture.height - 1).map(Int.init)
        #expect(pixel.allSatisfy { abs($0 - 128) < 12 }, "\(pixel)")
    }

    /// FFmpeg leaves out what follows; that a browser shows.
    @Test func aJPEGWithADamagedPlaceIsShownBehindIt() throws {
        let whole = try PictureWriter.encode(Scene(seed: 2, width: 640, height: 480).bitmap(), as: .jpeg)
        var notes: [String] = []
        for place in stride(from: whole.count / 4, to: whole.count / 2, by: whole.count / 20) {
            var bytes = whole
            bytes.replaceSubrange(place..<place + 16, with: [UInt8](repeating: 0xFE, count: 16))
            let media = try Examined.media(bytes, sizes: [640])
            notes += media.facts.notes
            let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
            let grey = (0..<640 * 480).count { index in
                shown.pixel(index % 640, index / 640).allSatisfy { (126...130).contains($0) }
            }
            #expect(grey < 640 * 480 / 10, "\(grey) of \(640 * 480) are grey")
        }
        #expect(!notes.isEmpty && notes.allSatisfy { $0.hasPrefix("Damaged: ") })
    }

    @Test(arguments: [MovieWriter.Format.mkv, .ts, .avi, .webm])
    func aVideoThatIsCutShortShowsWhatIsThere(format: MovieWriter.Format) throws {
        let whole = try Self.video(format)
        let media = try Examined.media(Array(whole.prefix(whole.count * 2 / 3)))
        #expect(media.facts.kind == .video)
        #expect(media.facts.width == 160)
        #expect(media.thumbnails.count == 1)
    }

    /// A header may promise more pixels than fit into memory; the limit is checked before they are asked for.
    @Test func hugePicturesEndAtTheLimit() throws {
        let limits = MediaLimits(maxPixels: 320 * 240 - 1)
        for format in PictureWriter.Format.allCases {
            let bytes = try PictureWriter.encode(Scene(seed: 2, width: 320, height: 240).bitmap(), as: format)
            let words = try Examined.failure(bytes, as: MediaType(format), limits: limits)
            #expect(words.hasPrefix("Too large: ") && words.contains("(320 × 240)"), "\(format): \(words)")
        }
    }

    /// A JPEG whose header claims this many pixels a side.
    private static func jpeg(side: Int) throws -> [UInt8] {
        var jpeg = try PictureWriter.encode(Scene(seed: 2, width: 320, height: 240).bitmap(), as: .jpeg)
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        let number = [UInt8(side >> 8), UInt8(side & 255)]
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: number + number)
        return jpeg
    }

    @Test func whatIsTooLargeIsNotCalledDamaged() throws {
        let words = "Too large: 400 megapixels (20000 × 20000), the limit is 300"
        #expect(try Examined.failure(try Self.jpeg(side: 20_000)) == words)
        #expect(
            FFmpegError.tooLarge(.max, 2, limit: 1, "call").description
                == "Too large: too many megapixels (\(Int.max) × 2), the limit is 0")
    }

    /// Of eight bytes a pixel, and it says of what is beyond it what it says of damage.
    @Test func ffmpegHasALimitOfItsOwn() throws {
        Examiner.prepare()
        let packet = try Packet.copy(of: try Self.jpeg(side: 17_000))
        let words = DecoderLog.ofOneFile {
            do throws(FFmpegError) {
                return "\(try PhotoReader.decoded(packet, by: "mjpeg", options: .init(maxPixels: 300_000_000)).width)"
            } catch {
                return error.description
            }
        }
        #expect(words == "Too large: 289 megapixels (17000 × 17000), the limit is 268")
    }

    @Test func hugeFramesEndAtTheLimit() throws {
        let limits = MediaLimits(maxPixels: 160 * 96 - 1, posterSeconds: 60)
        let answer = try Examined.answer(try Self.video(.mp4), limits: limits)
        guard case .examined(let facts, let thumbnails) = answer else { throw Examined.Unreadable(reason: "failed") }
        #expect(facts.width == 160)
        #expect(thumbnails.isEmpty)
        #expect(facts.notes.contains { $0.hasPrefix("No picture could be decoded: ") })
    }

    /// Playlists and scripts are formats of FFmpeg, too, and would open other files.
    @Test(arguments: [
        "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "ffconcat version 1.0\nfile /etc/passwd\n",
        "<?xml version=\"1.0\"?><MPD><BaseURL>file:///etc/passwd</BaseURL></MPD>",
        "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nc=IN IP4 127.0.0.1\r\nm=video 5004 RTP/AVP 96\r\n",
    ])
    func aPlaylistIsNoMedia(text: String) throws {
        for type in [MediaType.mp4, .matroska, .mpegTS, .avi, .gif, .mpegPS] {
            #expect(try !Examined.failure(Array(text.utf8), as: type).isEmpty)
        }
    }

    @Test func theFileIsLeftAsItWas() throws {
        let bytes = try Self.video(.mkv)
        let file = try Examined.file(bytes)
        _ = Examiner.examine(file.descriptor, MediaJob(type: .matroska, specs: [ThumbnailSpec(longSide: 64)]))
        #expect(try file.readAll() == bytes)
    }

    @Test func aDescriptorThatIsNoneFails() {
        let answer = Examiner.examine(-1, MediaJob(id: 5, type: .jpeg, specs: []))
        #expect(answer == MediaAnswer(id: 5, result: .failed("Bad file descriptor")))
    }

    /// Changed bytes give facts or a reason; a trap would end the test.
    @Test(arguments: 0..<12)
    func damagedFilesAreHarmless(seed: Int) throws {
        var dice = SystemDice(state: UInt64(seed))
        let film = MovieWriter.Film(width: 64, height: 48, frames: 4)
        let scene = Scene(seed: 1, width: 64, height: 48)
        let pictures = try PictureWriter.Format.allCases.map { try PictureWriter.encode(scene.bitmap(), as: $0) }
        let movies = try MovieWriter.Format.allCases.map {
            try MovieWriter.encode(film, as: $0) { _ in scene.bitmap() }
        }
        for whole in pictures + movies {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...20, using: &dice) {
                bytes[Int.random(in: 12..<bytes.count, using: &dice)] = UInt8.random(in: .min ... .max, using: &dice)
            }
            let type = MediaIdentity(header: Array(whole.prefix(4096)), fileExtension: Array("jxl".utf8))?.type
            _ = try Examined.answer(
                bytes, as: type, sizes: [32], limits: MediaLimits(maxPixels: 1 << 20, posterSeconds: 1))
        }
    }

    /// The same numbers in every run, so that a failure repeats.
    struct SystemDice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}

import Fixtures
import Foundation
import MediaModel
import Platform
import Providers
import TestSupport
import Testing

@testable import Queue
@testable import Rescue
@testable import Sync
@testable import Uploading

/// What downloaded bytes turn out to be.
@Suite struct FetchedFileTests {
    static let movie = Reels.movie()

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var expected = RemoteMedia.Kind.video
        var outcome: MediaOutcome?
        /// The content type, or the failure's code and a part of its message.
        let verdict: Verdict

        enum Verdict: Sendable {
            case taken(String, String)
            case wrong(FailureCode, String)
        }

        init(
            _ words: String, _ bytes: [UInt8], _ expected: RemoteMedia.Kind = .video, _ outcome: MediaOutcome? = nil,
            verdict: Verdict
        ) {
            (testDescription, self.bytes, self.expected, self.outcome, self.verdict) =
                (words, bytes, expected, outcome, verdict)
        }
    }

    static func facts(_ kind: MediaKind) -> MediaOutcome {
        .examined(MediaFacts(kind: kind, type: .mp4), [])
    }

    static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + [UInt8](repeating: 0, count: 40)
    static let mp3 = Array("ID3".utf8) + [UInt8](repeating: 4, count: 60)
    static let video = Row.Verdict.taken("video/mp4", ".mp4")

    @Test(arguments: [
        Row("a movie by its first bytes", movie, verdict: video),
        Row("a movie by its decoder", movie, .video, facts(.video), verdict: video),
        Row("what only crashes the decoder", movie, .video, .crashed(signal: 11), verdict: video),
        Row("what could not be looked into", movie, .video, .unavailable("no worker"), verdict: video),
        Row(
            "what does not open", movie, .video, .failed("moov atom not found"),
            verdict: .wrong("rescue.notVideo", "moov atom")),
        Row(
            "sound in a movie's box", movie, .video, facts(.audio),
            verdict: .wrong("rescue.notVideo", "Instead of a video")),
        Row("sound where sound is due", movie, .audio, facts(.audio), verdict: video),
        Row(
            "a movie cut off", Array(movie.dropLast()), .video, facts(.video),
            verdict: .wrong("rescue.truncated", "1999 bytes")),
        Row("nothing", [], verdict: .wrong("rescue.notVideo", "empty")),
        Row("a page", Array("<!DOCTYPE html><title>Sign in".utf8), verdict: .wrong("rescue.notVideo", "HTML (<!DOC")),
        Row("a page after white space", Array("\n <HTML>".utf8), verdict: .wrong("rescue.notVideo", "HTML (")),
        Row("an error", Array(#"{"detail":"gone"}"#.utf8), verdict: .wrong("rescue.notVideo", #"JSON ({"detail""#)),
        Row("an error of S3", Array("<?xml version='1.0'?><Error>".utf8), verdict: .wrong("rescue.notVideo", "XML (")),
        Row("a sentence", Array("File not found".utf8), verdict: .wrong("rescue.notVideo", "text (File not found)")),
        Row("a line", Array("Not found.\r\n".utf8), verdict: .wrong("rescue.notVideo", "text (Not found.)")),
        Row("bytes", [0, 1, 2, 3, 4, 5, 6, 7, 8], verdict: .wrong("rescue.notVideo", "no known format")),
        Row("a picture", png, verdict: .wrong("rescue.notVideo", "image/png")),
        Row("a picture that is due", png, .image, verdict: .taken("image/png", ".png")),
        Row("any media where its kind was not said", png, .unknown, verdict: .taken("image/png", ".png")),
        Row("a movie instead of a picture", movie, .image, verdict: .wrong("rescue.notVideo", "Instead of a picture")),
        Row("sound that galleries do not know", mp3, .audio, verdict: .taken("audio/mpeg", ".mp3")),
        Row("the same instead of a video", mp3, .video, verdict: .wrong("rescue.notVideo", "no known format")),
    ])
    func whatCame(_ row: Row) throws {
        let extent = try MovieExtent(size: Int64(row.bytes.count)) { offset, count throws(SystemError) in
            Array(row.bytes.dropFirst(Int(offset)).prefix(count))
        }
        do {
            let fetched = try FetchedFile(
                header: Array(row.bytes.prefix(MediaIdentity.headerLength)), extent: extent,
                size: Int64(row.bytes.count), outcome: row.outcome, expected: row.expected)
            guard case .taken(let type, let name) = row.verdict else {
                Issue.record("\(fetched)")
                return
            }
            #expect(fetched.contentType == type && fetched.fileExtension == name)
        } catch {
            guard case .wrong(let code, let words) = row.verdict else {
                Issue.record("\(error)")
                return
            }
            #expect(error.code == code && error.message.contains(words), "\(error.message)")
        }
    }

    @Test func linksInWhatCameInsteadLoseTheirQueries() {
        let text = Array(#"{"retry":"https://cdn.example/a.mp4?sig=secret"}"#.utf8)
        let error = #expect(throws: Item.Failure.self) {
            try FetchedFile(header: text, extent: .whole, size: 1, outcome: nil, expected: .video)
        }
        #expect(error?.message.contains("secret") == false)
    }

    // MARK: Boxes

    @Test(
        arguments: [
            ("two boxes", Reels.movie(500), .whole),
            ("a byte too many counts for nothing", Reels.movie(500) + [0], .cut(508)),
            ("a byte too few", Array(Reels.movie(500).dropLast()), .cut(500)),
            ("only the first box", Reels.box("ftyp", [1, 2, 3, 4]), .whole),
            ("half of the first box", Array(Reels.box("ftyp", [1, 2, 3, 4]).dropLast(2)), .cut(12)),
            ("an open end", Reels.box("ftyp", [0]) + [0, 0, 0, 0] + Array("mdat".utf8) + [7, 7], .whole),
            (
                "a long box", Reels.box("ftyp", [0]) + [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 16],
                .whole
            ),
            (
                "a long box cut",
                Reels.box("ftyp", [0]) + [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 99], .cut(108)
            ),
            ("no boxes", Array("RIFF    WEBP and more".utf8), .whole), ("nothing", [], .whole),
        ] as [(String, [UInt8], MovieExtent)])
    func extents(_ row: (words: String, bytes: [UInt8], extent: MovieExtent)) throws {
        let extent = try MovieExtent(size: Int64(row.bytes.count)) { offset, count throws(SystemError) in
            Array(row.bytes.dropFirst(Int(offset)).prefix(count))
        }
        #expect(extent == row.extent, "\(row.words)")
    }
}

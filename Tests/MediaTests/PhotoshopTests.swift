import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// The merged pictures of Photoshop documents, in every mode and depth.
@Suite(.serialized) struct PhotoshopTests {
    /// A document of 64 by 48 equal pixels (Adobe Photoshop File Formats).
    private struct Document {
        var mode: UInt8
        var depth: UInt8 = 8
        /// A sample of each channel; for a bitmap, eight of them.
        var samples: [[UInt8]]
        var colours: [UInt8] = []
        var resources: [UInt8] = []
        var height: UInt8 = 48

        var bytes: [UInt8] {
            let head: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(samples.count), 0, 0, 0, height, 0, 0, 0, 64]
            let row = depth == 1 ? 8 : 64
            let planes = samples.flatMap { sample in (0..<Int(height) * row).flatMap { _ in sample } }
            return Array("8BPS".utf8) + head + [0, depth, 0, mode] + Self.section(colours) + Self.section(resources)
                + Self.section([]) + [0, 0] + planes
        }

        private static func section(_ bytes: [UInt8]) -> [UInt8] { PhotoshopTests.long(bytes.count) + bytes }
    }

    private static func long(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func resource(_ number: Int, _ content: [UInt8]) -> [UInt8] {
        Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0, 0] + long(content.count) + content
            + (content.count % 2 == 1 ? [0] : [])
    }

    /// Photoshop puts words in the place of a merged picture that was not asked for, and tells so.
    @Test(arguments: [true, false], [0, 48, 100_000])
    func thePreviewStandsInForAMissingPicture(isMissing: Bool, bytes: Int) throws {
        let red = Bitmap(width: 32, height: 24, rgb: (0..<32 * 24).flatMap { _ in [220, 30, 30] as [UInt8] })
        let jpeg = try PictureWriter.encode(red, as: .jpeg)
        let preview = ([UInt8](repeating: 0, count: 28) + jpeg).prefix(bytes)
        let version = Self.long(1) + [isMissing ? 0 : 1, 0]
        let document = Document(
            mode: 3, samples: [[20], [40], [200]],
            resources: Self.resource(1057, version) + Self.resource(1036, Array(preview)))
        let media = try Examined.media(document.bytes, sizes: [64])
        #expect(media.facts.width == 64 && media.facts.height == 48)
        #expect(media.facts.notes.contains { $0.contains("without its merged picture") } == isMissing)
        let colour = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(32, 24).map(Int.init)
        let expected = isMissing && bytes > jpeg.count ? [220, 30, 30] : [20, 40, 200]
        #expect(zip(colour, expected).allSatisfy { abs($0 - $1) <= 6 }, "\(colour)")
    }

    /// Photoshop turns the pixels and states 1; other programs turn nothing and state how the document is to be shown.
    @Test(arguments: [(1, 64, 0), (2, 64, 0), (3, 64, 180), (6, 48, 90), (8, 48, 270)])
    func aDocumentIsTurnedAsItsEXIFSays(orientation: Int, width: Int, rotation: Int) throws {
        let exif = Self.resource(1058, ExifSegment(orientation: orientation).tiff)
        let document = Document(mode: 3, samples: [[20], [40], [200]], resources: exif)
        let media = try Examined.media(document.bytes, sizes: [64])
        #expect(media.facts.width == width && media.facts.height == 112 - width)
        #expect(media.facts.rotation == rotation && media.facts.isMirrored == (orientation == 2))
        #expect(media.thumbnails.first?.width == width)
    }

    /// Photoshop's limit is 56 channels; its own documents have one more.
    @Test(arguments: [(56, true), (57, true), (128, true), (129, false)])
    func aDocumentMayHaveManyChannels(count: Int, isShown: Bool) throws {
        let others = [[UInt8]](repeating: [7], count: count - 3)
        let document = Document(mode: 3, samples: [[200], [100], [50]] + others)
        switch try Examined.answer(document.bytes, sizes: [64]) {
        case .examined(_, let thumbnails): #expect(isShown && thumbnails.count == 1)
        default: #expect(!isShown)
        }
    }

    /// Photoshop's own grey is a print's, whose middle is another than that of screens.
    @Test(arguments: [(UInt8(8), [100], 119), (16, [100, 0], 119), (32, float(0.5), 188)] as [(UInt8, [UInt8], Int)])
    func aProfileOfGreyCounts(depth: UInt8, sample: [UInt8], expected: Int) throws {
        let profile = Self.resource(1039, ProfileFile.grey(gamma: 1.8))
        let colour = try Self.shown(Document(mode: 1, depth: depth, samples: [sample], resources: profile))
        #expect(colour.allSatisfy { abs($0 - expected) <= 3 }, "\(colour)")
    }

    private static func float(_ value: Float) -> [UInt8] { long(Int(value.bitPattern)) }

    private static func shown(_ document: Document) throws -> [Int] {
        let media = try Examined.media(document.bytes, sizes: [64])
        return try Bitmap(jpeg: try #require(media.thumbnails.first).bytes).pixel(32, 24).map(Int.init)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let mode: UInt8
        var depth: UInt8 = 8
        let samples: [[UInt8]]
        let colour: [Int]

        init(_ fact: String, mode: UInt8, depth: UInt8 = 8, _ samples: [[UInt8]], _ colour: [Int]) {
            (testDescription, self.mode, self.depth, self.samples, self.colour) = (fact, mode, depth, samples, colour)
        }
    }

    @Test(arguments: [
        Row("1 is black in a bitmap", mode: 0, depth: 1, [[0xFF]], [0, 0, 0]),
        Row("0 is white in a bitmap", mode: 0, depth: 1, [[0]], [255, 255, 255]),
        Row("grey", mode: 1, [[90]], [90, 90, 90]), Row("a duotone is grey", mode: 8, [[90]], [90, 90, 90]),
        Row("grey of 32 bits is linear light", mode: 1, depth: 32, [float(0.5)], [188, 188, 188]),
        Row("colours", mode: 3, [[200], [100], [50]], [200, 100, 50]),
        Row("colours of 16 bits", mode: 3, depth: 16, [[200, 9], [100, 9], [50, 9]], [200, 100, 50]),
        Row(
            "colours of 32 bits are linear light, cut off at white", mode: 3, depth: 32,
            [float(0.5), float(0.25), float(7)], [188, 137, 255]),
        Row(
            "numbers that are none are black", mode: 3, depth: 32, [float(.nan), float(-1), float(-.infinity)],
            [0, 0, 0]),
        Row("inks say what paper is left", mode: 4, [[0], [255], [255], [255]], [0, 156, 228]),
        Row("inks of 16 bits", mode: 4, depth: 16, [[255, 255], [0, 0], [255, 255], [255, 255]], [234, 23, 133]),
        Row("three channels are inks without black", mode: 7, [[255], [0], [255]], [234, 23, 133]),
        Row("of five channels four are inks", mode: 7, [[255], [255], [0], [255], [0]], [255, 240, 0]),
        Row("one channel is grey", mode: 7, [[90]], [90, 90, 90]),
        Row("Lab without colour", mode: 9, [[128], [128], [128]], [119, 119, 119]),
        Row("Lab of 16 bits", mode: 9, depth: 16, [[128, 0], [128, 0], [128, 0]], [119, 119, 119]),
    ])
    func theColourIsThatOfTheDocument(_ row: Row) throws {
        let found = try Self.shown(Document(mode: row.mode, depth: row.depth, samples: row.samples))
        #expect(zip(found, row.colour).allSatisfy { abs($0 - $1) <= 4 }, "\(found)")
    }

    @Test func thePaletteIsUsed() throws {
        var palette = [UInt8](repeating: 0, count: 768)
        (palette[7], palette[256 + 7], palette[512 + 7]) = (200, 100, 50)
        let found = try Self.shown(Document(mode: 2, samples: [[7]], colours: palette))
        #expect(zip(found, [200, 100, 50]).allSatisfy { abs($0 - $1) <= 4 }, "\(found)")
    }

    @Test func theProfileCounts() throws {
        let profile = ProfileFile.displayP3
        let padding: [UInt8] = profile.count % 2 == 1 ? [0] : []
        let resources: [UInt8] = Array("8BIM".utf8) + [0x04, 0x0F, 0, 0] + Self.long(profile.count) + profile + padding
        let found = try Self.shown(Document(mode: 3, samples: [[200], [120], [80]], resources: resources))
        #expect(zip(found, ProfileFile.standard(of: [200, 120, 80])).allSatisfy { abs($0 - $1) <= 4 }, "\(found)")
        #expect(zip(found, [200, 120, 80]).contains { abs($0 - $1) > 6 }, "nothing was converted")
    }

    /// What is missing at the end is grey; without any row there is no picture.
    @Test(arguments: [(1, true), (3000, true), (3 * 64 * 48, false)])
    func aDocumentThatIsCutShortIsShownInPart(missing: Int, isShown: Bool) throws {
        let bytes = Document(mode: 3, samples: [[200], [100], [50]]).bytes
        let answer = try Examined.answer(Array(bytes.dropLast(missing)), as: .psd, sizes: [64])
        guard case .examined(_, let thumbnails) = answer else {
            #expect(!isShown)
            return
        }
        #expect(isShown && thumbnails.count == 1)
    }

    @Test func aDocumentOfTooManyPixelsIsRefused() throws {
        let bytes = Document(mode: 3, samples: [[200], [100], [50]]).bytes
        let failure = try Examined.failure(bytes, limits: MediaLimits(maxPixels: 64 * 48 - 1))
        #expect(failure.hasPrefix("Too large"))
    }
}

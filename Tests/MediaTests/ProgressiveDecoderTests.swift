import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import JPEG
@testable import Media
@testable import MediaMaking

/// The decoder of progressive JPEGs, compared with the one of baseline JPEGs: both files hold the same coefficients.
@Suite struct ProgressiveDecoderTests {
    /// The visible samples of all planes; `nil` if the decoder leaves the file to others.
    private static func samples(
        _ jpeg: [UInt8], halvings: Int, maxPixels: Int = 1 << 20, isBaseline: Bool = false
    ) throws -> [[UInt8]]? {
        try jpeg.withUnsafeBufferPointer { bytes throws -> [[UInt8]]? in
            let frame =
                isBaseline
                ? try ShrinkingDecoder(bytes, halvings: halvings, maxPixels: maxPixels)?.frame()
                : try ProgressiveDecoder(bytes, halvings: halvings, maxPixels: maxPixels)?.frame()
            guard let frame else { return nil }
            let isWide = frame.format == AV_PIX_FMT_YUVJ444P || frame.format == AV_PIX_FMT_YUVJ440P
            let isTall = frame.format == AV_PIX_FMT_YUVJ444P || frame.format == AV_PIX_FMT_YUVJ422P
            return frame.planes.enumerated().compactMap { index, plane in
                guard let data = plane.data else { return nil }
                let width = index == 0 || isWide ? frame.width : (frame.width + 1) / 2
                let height = index == 0 || isTall ? frame.height : (frame.height + 1) / 2
                return (0..<height).flatMap { y in (0..<width).map { data[y * plane.stride + $0] } }
            }
        }
    }

    private static func scene(_ width: Int, _ height: Int) -> Bitmap {
        Scene(seed: 9, width: width, height: height).bitmap()
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: ScannedJPEG

        init(_ fact: String, _ file: ScannedJPEG) { (testDescription, self.file) = (fact, file) }
    }

    private static let odd = scene(203, 149)

    /// The means, with all their bits, then two bands of brightness and one of each colour.
    private static let bands = ScannedJPEG.Coding.scans([
        .init(components: [0, 1, 2], band: 0...0), .init(components: [0], band: 1...8),
        .init(components: [0], band: 9...63), .init(components: [1], band: 1...63),
        .init(components: [2], band: 1...63),
    ])

    /// Each bit of the coefficients in a scan of its own, in bands that differ from refinement to refinement.
    private static let bits = ScannedJPEG.Coding.scans([
        .init(components: [0], band: 0...0, low: 2), .init(components: [1, 2], band: 0...0, low: 1),
        .init(components: [0], band: 1...2, low: 3), .init(components: [0], band: 3...63, low: 3),
        .init(components: [2], band: 1...63, low: 1), .init(components: [1], band: 1...63),
        .init(components: [0], band: 1...20, high: 3, low: 2), .init(components: [0], band: 21...63, high: 3, low: 2),
        .init(components: [0], band: 0...0, high: 2, low: 1), .init(components: [0], band: 1...63, high: 2, low: 1),
        .init(components: [1, 2], band: 0...0, high: 1), .init(components: [2], band: 1...63, high: 1),
        .init(components: [0], band: 0...0, high: 1), .init(components: [0], band: 1...63, high: 1),
    ])

    private static let rows = [
        Row("half of the colours", ScannedJPEG(picture: odd)),
        Row("half of their columns", ScannedJPEG(picture: odd, sampling: (2, 1))),
        Row("half of their rows", ScannedJPEG(picture: odd, sampling: (1, 2))),
        Row("all of the colours", ScannedJPEG(picture: odd, sampling: (1, 1))),
        Row("grey", ScannedJPEG(picture: odd, sampling: (1, 1), isGrey: true)),
        Row("grey with a sampling that means nothing", ScannedJPEG(picture: odd, isGrey: true)),
        Row("whole units", ScannedJPEG(picture: scene(64, 48))),
        Row("a pixel beyond whole units", ScannedJPEG(picture: scene(65, 49))),
        Row("less than a unit", ScannedJPEG(picture: scene(9, 3))),
        Row("a single pixel", ScannedJPEG(picture: scene(1, 1))),
        Row("fine details", ScannedJPEG(picture: odd, quality: 100)),
        Row("values beyond black and white", ScannedJPEG(picture: odd, quality: 4)),
        Row("restarts after each unit", ScannedJPEG(picture: odd, interval: 1)),
        Row("restarts after five", ScannedJPEG(picture: odd, interval: 5)),
        Row("bands without refinements", ScannedJPEG(picture: odd, coding: bands)),
        Row("every bit a scan", ScannedJPEG(picture: odd, coding: bits, quality: 97)),
        Row("every bit a scan, with restarts", ScannedJPEG(picture: odd, coding: bits, sampling: (2, 1), interval: 7)),
    ]

    @Test(arguments: rows, 1...3)
    func itShowsWhatTheBaselineFileShows(row: Row, halvings: Int) throws {
        var baseline = row.file
        baseline.coding = .baseline
        let expected = try #require(try Self.samples(baseline.encoded(), halvings: halvings, isBaseline: true))
        #expect(try Self.samples(row.file.encoded(), halvings: halvings) == expected)
    }

    /// Grey, because libjpeg halves colours less often.
    ///
    /// Its halves and quarters are means of samples, which hard edges show.
    @Test(arguments: [(1, 0.98, 2.0), (2, 0.99, 1.5), (3, 0.9999, 0.1)])
    func itLooksLikeThePictureByLibjpeg(halvings: Int, likeness: Double, distance: Double) throws {
        let scene = Scene(seed: 9, width: 333, height: 251, hasGrain: false).bitmap()
        let jpeg = ScannedJPEG(picture: scene, sampling: (1, 1), isGrey: true).encoded()
        try jpeg.withUnsafeBufferPointer { bytes in
            guard let frame = try ProgressiveDecoder(bytes, halvings: halvings, maxPixels: 1 << 20)?.frame() else {
                Issue.record("The decoder refuses the file.")
                return
            }
            let other = try JPEGRows.opened(bytes, halvings: halvings, maxPixels: 1 << 20).frame()
            let (mine, theirs) = (
                try Scaler.bitmap(from: frame, width: frame.width, height: frame.height),
                try Scaler.bitmap(from: other, width: other.width, height: other.height)
            )
            #expect(mine.likeness(to: theirs) > likeness)
            #expect(mine.distance(to: theirs) < distance)
        }
    }

    /// Of the bands, the one of high frequencies holds nothing that a quarter of the size needs.
    @Test func aScanThatIsNotNeededIsNotRead() throws {
        let whole = ScannedJPEG(picture: Self.odd, coding: Self.bands).encoded()
        let third = try #require(Self.scans(of: whole).dropFirst(2).first)
        var damaged = whole
        // Ones are no code; a zero is stuffed after each eight of them.
        for at in third { damaged[at] = (at - third.lowerBound) % 2 == 0 ? 0xFF : 0 }
        if third.count % 2 == 1 { damaged[third.upperBound - 1] = 0 }
        let isRead = try (1...3).map { try Self.samples(damaged, halvings: $0) == Self.samples(whole, halvings: $0) }
        #expect(isRead == [false, true, true])
    }

    /// Where the coded bits of each scan lie.
    private static func scans(of jpeg: [UInt8]) -> [Range<Int>] {
        let starts = jpeg.indices.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
        return starts.map { start in
            let first = start + 2 + Int(jpeg[start + 2]) << 8 + Int(jpeg[start + 3])
            let end = (first..<jpeg.count - 1).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] != 0 } ?? jpeg.count
            return first + 1..<end
        }
    }

    @Test func aHugePictureIsRefused() throws {
        let jpeg = ScannedJPEG(picture: Self.odd).encoded()
        #expect(try Self.samples(jpeg, halvings: 2, maxPixels: 203 * 149) != nil)
        #expect(try Self.samples(jpeg, halvings: 2, maxPixels: 203 * 149 - 1) == nil)
    }

    @Test func aBaselineFileIsLeftToTheOtherDecoder() throws {
        #expect(try Self.samples(ScannedJPEG(picture: Self.odd, coding: .baseline).encoded(), halvings: 2) == nil)
    }

    @Test func tooManyScansAreLeftToAnotherDecoder() throws {
        let once = [ScannedJPEG.Scan(components: [0], band: 0...0)]
        let whole = ScannedJPEG(picture: Self.scene(8, 8), coding: .scans(once), isGrey: true).encoded()
        let start = try #require(whole.indices.dropLast().first { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
        let scan = whole[start..<whole.count - 2]
        func repeated(_ count: Int) -> [UInt8] {
            whole[..<start] + (0..<count).flatMap { _ in scan } + whole.suffix(2)
        }
        #expect(try Self.samples(repeated(200), halvings: 3) == Self.samples(whole, halvings: 3))
        #expect(try Self.samples(repeated(201), halvings: 3) == nil)
    }

    private static let small = [
        ScannedJPEG(picture: scene(40, 24), quality: 80),
        ScannedJPEG(picture: scene(24, 40), coding: bits, interval: 2),
    ]

    @Test(arguments: small)
    func aFileThatEndsEarlyIsLeftToAnotherDecoder(file: ScannedJPEG) throws {
        let whole = file.encoded()
        for count in 0..<whole.count - 1 { #expect(try Self.samples(Array(whole.prefix(count)), halvings: 1) == nil) }
    }

    /// Whatever byte changes, there is a picture or none, never a trap.
    @Test(arguments: small, [UInt8(0x01), 0x10, 0x80, 0xFF])
    func damageIsHarmless(file: ScannedJPEG, change: UInt8) throws {
        let whole = file.encoded()
        for at in whole.indices {
            var bytes = whole
            bytes[at] ^= change
            for halvings in 1...3 { _ = try Self.samples(bytes, halvings: halvings) }
        }
    }

    @Test(arguments: 0..<8)
    func muchDamageIsHarmless(seed: Int) throws {
        var dice = BadFileTests.SystemDice(state: UInt64(seed))
        let whole = Self.small[seed % 2].encoded()
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 2...12, using: &dice) {
                bytes[Int.random(in: 2..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice)
            }
            for halvings in 1...3 { _ = try Self.samples(bytes, halvings: halvings) }
        }
    }
}

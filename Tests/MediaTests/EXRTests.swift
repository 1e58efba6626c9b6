import MediaModel
import Testing

@testable import Frames
@testable import Media

/// OpenEXR files that FFmpeg refuses, and that OpenEXR's own library unpacks.
@Suite(.serialized) struct EXRTests {
    /// Light that is shown as 188 of 255.
    private static let half: Float = 0.5

    private static func picture(_ file: EXRFile) throws -> (facts: MediaFacts, shown: Bitmap) {
        let media = try Examined.media(file.bytes, as: .exr, sizes: [128])
        return (media.facts, try Bitmap(jpeg: try #require(media.thumbnails.first).bytes))
    }

    private static func isNear(_ pixel: [UInt8], _ wanted: [Int]) -> Bool {
        zip(pixel, wanted).allSatisfy { abs(Int($0) - $1) <= 6 }
    }

    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let file: @Sendable () -> EXRFile
        /// Of the left and the right half.
        let left: [Int]
        let right: [Int]
    }

    /// Half of the light in green or in all colours on the left, none on the right.
    @Test(arguments: [
        Kind(
            testDescription: "green alone",
            file: {
                EXRFile(width: 64, height: 48, channels: [.init(name: "G") { x, _ in x < 32 ? EXRTests.half : 0 }])
            }, left: [0, 188, 0], right: [0, 0, 0]),
        Kind(
            testDescription: "red alone, in floats and tiles that do not fill the picture",
            file: {
                let red = EXRFile.Channel(name: "R", kind: .float) { x, _ in x < 32 ? EXRTests.half : 0 }
                var file = EXRFile(width: 64, height: 48, channels: [red])
                file.tile = 20
                return file
            }, left: [188, 0, 0], right: [0, 0, 0]),
        Kind(
            testDescription: "brightness alone",
            file: {
                EXRFile(width: 64, height: 48, channels: [.init(name: "Y") { x, _ in x < 32 ? EXRTests.half : 0 }])
            }, left: [188, 188, 188], right: [0, 0, 0]),
        Kind(
            testDescription: "whole numbers, beside a channel that is no colour",
            file: {
                let blue = EXRFile.Channel(name: "B", kind: .whole) { x, _ in x < 32 ? 7 : 0 }
                return EXRFile(width: 64, height: 48, channels: [blue, .init(name: "Z", kind: .float) { _, _ in 9 }])
            }, left: [0, 0, 255], right: [0, 0, 0]),
        Kind(
            testDescription: "the first layer that has colours",
            file: {
                let layers: [(String, Float)] = [
                    ("depth.Z", 4), ("left.B", EXRTests.half), ("left.G", EXRTests.half),
                    ("left.R", EXRTests.half), ("right.R", 0),
                ]
                let channels = layers.map { name, light in
                    EXRFile.Channel(name: name) { x, _ in x < 32 ? light : 0 }
                }
                return EXRFile(width: 64, height: 48, channels: channels)
            }, left: [188, 188, 188], right: [0, 0, 0]),
        Kind(
            testDescription: "brightness with a quarter of its differences of colour",
            file: {
                // Red of half of the light; its brightness is 0.2126 of that.
                let channels = [
                    EXRFile.Channel(name: "BY", step: 2) { x, _ in x < 32 ? -1 : 0 },
                    EXRFile.Channel(name: "RY", step: 2) { x, _ in x < 32 ? 1 / 0.2126 - 1 : 0 },
                    EXRFile.Channel(name: "Y") { x, _ in x < 32 ? EXRTests.half * 0.2126 : EXRTests.half },
                ]
                return EXRFile(width: 64, height: 48, channels: channels)
            }, left: [188, 0, 0], right: [188, 188, 188]),
    ])
    func whatFFmpegRefusesIsShown(_ kind: Kind) throws {
        let (facts, shown) = try Self.picture(kind.file())
        #expect(facts.width == 64 && facts.height == 48 && facts.notes == [])
        #expect(Self.isNear(shown.pixel(12, 20), kind.left), "\(shown.pixel(12, 20))")
        #expect(Self.isNear(shown.pixel(52, 40), kind.right), "\(shown.pixel(52, 40))")
    }

    /// Coverage, blue, green, red and depth of samples at the left, in no order; none at the right.
    private static func deep(_ samples: [[Float]], without lacking: String = "") -> EXRFile {
        let names = ["A", "B", "G", "R", "Z"].filter { $0 != lacking }
        let channels = names.map { EXRFile.Channel(name: $0, kind: $0 == "Z" ? .float : .half) { _, _ in 0 } }
        var file = EXRFile(width: 64, height: 48, channels: channels)
        file.deep = { x, _ in x < 32 ? samples : [] }
        return file
    }

    /// Green that covers half of what is behind it, red behind, and blue behind that.
    private static let layers: [[Float]] = [
        [1, 0.5, 0, 0, 12], [0.5, 0, 0.5, 0, 2], [1, 0, 0, 1, 9], [1, 0.5, 0, 0, 30],
    ]

    @Test(arguments: [
        Kind(
            testDescription: "rows of deep pixels", file: { EXRTests.deep(EXRTests.layers) },
            left: [188, 188, 0], right: [0, 0, 0]),
        Kind(
            testDescription: "tiles of deep pixels that do not fill the picture",
            file: {
                var file = EXRTests.deep(EXRTests.layers)
                file.tile = 20
                return file
            }, left: [188, 188, 0], right: [0, 0, 0]),
        Kind(
            testDescription: "deep pixels without coverage: the nearest hides the others",
            file: { EXRTests.deep(EXRTests.layers.map { Array($0.dropFirst()) }, without: "A") },
            left: [0, 188, 0], right: [0, 0, 0]),
        Kind(
            testDescription: "deep pixels without depth: the first is the nearest",
            file: { EXRTests.deep(EXRTests.layers.map { Array($0.dropLast()) }, without: "Z") },
            left: [0, 0, 188], right: [0, 0, 0]),
    ])
    func samplesOfDeepPixelsLieOverEachOther(_ kind: Kind) throws { try whatFFmpegRefusesIsShown(kind) }

    /// A row's sizes lie behind its number: those of the table, of its samples, and of those samples unpacked.
    @Test(arguments: [
        ("more bytes than may be unpacked", 20, 1 << 30), ("more samples than there are bytes", 28 + 63 * 4, 1 << 20),
        ("more samples than a number holds", 28 + 63 * 4, -1), ("fewer samples than before", 28 + 8 * 4, 0),
    ])
    func aDeepRowThatClaims(_ claim: String, at place: Int, _ value: Int) throws {
        let file = Self.deep(Self.layers)
        var bytes = file.bytes
        let row = 28 + 64 * 4 + 32 * 4 * 12
        for y in 8..<48 {
            let start = bytes.count - (48 - y) * row + place
            bytes.replaceSubrange(start..<start + 4, with: MarkedPicture.littleEndian(value, 4))
        }
        let media = try Examined.media(bytes, as: .exr, sizes: [64])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(Self.isNear(shown.pixel(12, 3), [188, 188, 0]))
        #expect(!Self.isNear(shown.pixel(12, 30), [188, 188, 0]), "\(shown.pixel(12, 30))")
    }

    /// The same light in the channels that FFmpeg reads, and in those that it does not.
    @Test func bothWaysShowTheSame() throws {
        // From black to four times white, so that the brightest quarter is white.
        func light(_ x: Int) -> Float { Float(x) / 16 }
        func channels(_ names: [String]) -> [EXRFile.Channel] {
            names.map { name in EXRFile.Channel(name: name) { x, _ in name == "BY" || name == "RY" ? 0 : light(x) } }
        }
        let (_, theirs) = try Self.picture(EXRFile(width: 64, height: 16, channels: channels(["B", "G", "R"])))
        let (_, ours) = try Self.picture(EXRFile(width: 64, height: 16, channels: channels(["BY", "RY", "Y"])))
        for x in 0..<64 {
            #expect(zip(ours.pixel(x, 8), theirs.pixel(x, 8)).allSatisfy { abs(Int($0) - Int($1)) <= 3 }, "\(x)")
        }
    }

    /// Some pictures of brightness alone are black by FFmpeg, without a word.
    @Test func anotherDecoderIsAskedAboutAPictureOfOneColour() throws {
        let brightness = EXRFile.Channel(name: "Y") { x, _ in x < 150 ? Self.half : 0 }
        let packet = try Packet.copy(of: EXRFile(width: 300, height: 200, channels: [brightness]).bytes)
        let specs = [ThumbnailSpec(longSide: 32, maxBytes: 200_000, format: .jpeg)]
        let job = MediaJob(id: 1, type: .exr, specs: specs, limits: MediaLimits())
        guard let other = try PhotoReader.secondOpinion(packet, by: "exr", job) else {
            Issue.record("none")
            return
        }
        let whole = other.whole
        let width = other.taken().width
        // The frame is as small as its thumbnails allow, and the picture's size is known all the same.
        #expect(whole?.width == 300 && whole?.height == 200 && width < 300)
    }

    /// What lies beyond the data is black, and data beyond what is shown is not seen.
    @Test func theShownWindowCounts() throws {
        var file = EXRFile(width: 64, height: 48, channels: [.init(name: "G") { x, y in x >= 20 && y >= 10 ? 1 : 0 }])
        file.data = (-10, -10, 64, 48)
        file.shown = (0, 0, 96, 64)
        let (facts, shown) = try Self.picture(file)
        #expect(facts.width == 96 && facts.height == 64)
        for (x, y, green) in [(8, 4, 0), (28, 4, 0), (40, 30, 255), (64, 30, 0), (40, 50, 0)] {
            #expect(Self.isNear(shown.pixel(x, y), [0, green, 0]), "\(x), \(y): \(shown.pixel(x, y))")
        }
    }

    /// CIE XYZ: equal light of its three is white, and Y alone is its brightness.
    @Test func statedPrimariesAreHeeded() throws {
        let channels = [
            EXRFile.Channel(name: "BY", step: 2) { _, _ in 0 }, EXRFile.Channel(name: "RY", step: 2) { _, _ in 0 },
            EXRFile.Channel(name: "Y") { _, _ in EXRTests.half },
        ]
        var file = EXRFile(width: 64, height: 48, channels: channels)
        file.chromaticities = [1, 0, 0, 1, 0, 0, 1 / 3, 1 / 3]
        #expect(Self.isNear(try Self.picture(file).shown.pixel(30, 20), [188, 188, 188]))
        // Red of BT.2020 is more than a screen's red, and its brightness another part of white's.
        file.channels[0] = .init(name: "BY", step: 2) { _, _ in -1 }
        file.channels[1] = .init(name: "RY", step: 2) { _, _ in 1 / 0.2627 - 1 }
        file.channels[2] = .init(name: "Y") { _, _ in 0.2627 * EXRTests.half }
        file.chromaticities = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290]
        let red = try Self.picture(file).shown.pixel(30, 20)
        #expect(red[0] > 220 && red[1] < 8 && red[2] < 8, "\(red)")
    }

    /// Rows that are lacking are grey, with a note; without any the file is refused.
    @Test func aCutFileIsShownInPart() throws {
        let file = EXRFile(width: 64, height: 48, channels: [.init(name: "G") { _, _ in 1 }]).bytes
        let row = 8 + 64 * 2
        let media = try Examined.media(Array(file.dropLast(24 * row)), as: .exr, sizes: [64])
        #expect(media.facts.notes == ["Damaged: 24 of 48 rows are there"])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(Self.isNear(shown.pixel(30, 10), [0, 255, 0]) && Self.isNear(shown.pixel(30, 40), [128, 128, 128]))
        _ = try Examined.failure(Array(file.dropLast(48 * row)), as: .exr)
    }

    /// Each claims more than its bytes can hold, or what is not read.
    @Test(arguments: [
        "a table of more chunks than the file has bytes", "a window of more pixels than are allowed",
        "a window that ends before it begins", "rows of tiles that are larger than memory may be",
        "deep pixels without a table", "channels that are no colours",
    ])
    func whatCannotBeShownIsRefused(_ claim: String) throws {
        var file = EXRFile(width: 64, height: 48, channels: [.init(name: "G") { _, _ in 1 }])
        var bytes = file.bytes
        switch claim {
        case "a table of more chunks than the file has bytes": (file.tile, file.data) = (16, (0, 0, 16_000, 16_000))
        case "a window of more pixels than are allowed": file.data = (0, 0, 1 << 20, 1 << 20)
        case "a window that ends before it begins": file.data = (0, 0, -64, 48)
        case "rows of tiles that are larger than memory may be":
            (file.tile, file.data) = (16_000, (0, 0, 16_000, 16_000))
        case "channels that are no colours": file.channels = [.init(name: "Z") { _, _ in 1 }]
        default: bytes[5] = 8
        }
        if claim != "deep pixels without a table" {
            // Its own bytes: the header of `file` before the few rows of another.
            bytes = claim.hasPrefix("channels") ? file.bytes : file.header + bytes.suffix(4000)
        }
        #expect(!(try Examined.failure(bytes, as: .exr)).isEmpty)
    }
}

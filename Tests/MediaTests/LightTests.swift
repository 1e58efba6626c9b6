import MediaModel
import Testing

@testable import Frames
@testable import Media

/// Pictures of light, Radiance's and float maps, as a screen shows them; and those of one bit.
@Suite(.serialized) struct LightTests {
    /// A file of these rows behind these lines, of which `words` is that of the sizes.
    private static func radiance(
        _ words: String, lines: [String] = ["FORMAT=32-bit_rle_rgbe"], rows: [[UInt8]]
    ) -> [UInt8] {
        Array(("#?RADIANCE\n" + lines.map { $0 + "\n" }.joined() + "\n" + words + "\n").utf8) + rows.joined()
    }

    /// A pixel of grey; of half of white, doubled so many times more.
    private static func grey(_ stops: UInt8) -> [UInt8] { [128, 128, 128, 128 + stops] }

    struct Coding: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let row: [UInt8]
    }

    /// Red at half of white on the left, black on the right.
    @Test(arguments: [
        Coding(
            testDescription: "pixels as they are",
            row: (0..<16).flatMap { $0 < 8 ? [128, 0, 0, 128] : [0, 0, 0, 0] as [UInt8] }),
        Coding(
            testDescription: "repeated pixels",
            row: [128, 0, 0, 128, 1, 1, 1, 7, 0, 0, 0, 0, 1, 1, 1, 7]),
        Coding(
            testDescription: "runs and literals of each channel",
            row: [2, 2, 0, 16, 136, 128, 8, 0, 0, 0, 0, 0, 0, 0, 0, 144, 0, 144, 0, 136, 128, 136, 0]),
    ])
    func radianceIsReadInEachCoding(_ coding: Coding) throws {
        let file = Self.radiance("-Y 16 +X 16", rows: (0..<16).map { _ in coding.row })
        let media = try Examined.media(file, as: .radiance, sizes: [16])
        #expect(media.facts.width == 16 && media.facts.height == 16 && media.facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        // 188 is sRGB's code for half of the light.
        #expect(zip(shown.pixel(3, 8), [188, 0, 0]).allSatisfy { abs(Int($0) - $1) <= 6 }, "\(shown.pixel(3, 8))")
        #expect(shown.pixel(12, 8).allSatisfy { $0 < 6 }, "\(shown.pixel(12, 8))")
    }

    struct Turn: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The corner of the first stored pixel, and whether the rows are columns.
        let corner: (x: Int, y: Int)
        let isTurned: Bool
    }

    @Test(arguments: [
        Turn(testDescription: "-Y 8 +X 16", corner: (0, 0), isTurned: false),
        Turn(testDescription: "-Y 8 -X 16", corner: (15, 0), isTurned: false),
        Turn(testDescription: "+Y 8 -X 16", corner: (15, 7), isTurned: false),
        Turn(testDescription: "+Y 8 +X 16", corner: (0, 7), isTurned: false),
        Turn(testDescription: "+X 8 -Y 16", corner: (0, 0), isTurned: true),
        Turn(testDescription: "-X 8 -Y 16", corner: (7, 0), isTurned: true),
        Turn(testDescription: "-X 8 +Y 16", corner: (7, 15), isTurned: true),
        Turn(testDescription: "+X 8 +Y 16", corner: (0, 15), isTurned: true),
    ])
    func rowsMayRunEveryWay(_ turn: Turn) throws {
        // White in the first quarter of the first rows.
        let rows = (0..<8).map { y in (0..<16).flatMap { Self.grey(y < 4 && $0 < 8 ? 1 : 0) } }
        let file = Self.radiance(turn.testDescription, rows: rows)
        let media = try Examined.media(file, as: .radiance, sizes: [16])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.width == (turn.isTurned ? 8 : 16) && shown.height == (turn.isTurned ? 16 : 8))
        let opposite = (x: shown.width - 1 - turn.corner.x, y: shown.height - 1 - turn.corner.y)
        #expect(shown.pixel(turn.corner.x, turn.corner.y)[0] > shown.pixel(opposite.x, opposite.y)[0] + 30)
    }

    struct Scale: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Light of the four quarters of a picture, darkest first.
        let light: [Float]
        /// What they are shown as.
        let shown: [Int]
    }

    @Test(arguments: [
        Scale(
            testDescription: "light up to white is as it is", light: [0.05, 0.2, 0.5, 0.9], shown: [63, 124, 188, 243]),
        Scale(testDescription: "white is white", light: [0.05, 0.2, 0.5, 1], shown: [63, 124, 188, 255]),
        Scale(
            testDescription: "what is brighter is compressed and keeps its order", light: [0.05, 0.2, 0.9, 4.9],
            shown: [63, 124, 220, 255]),
        Scale(
            testDescription: "bytes in place of light: their middle, from 96 to 128, becomes 0.18",
            light: [40, 120, 160, 240],
            shown: [77, 130, 149, 179]),
        Scale(
            testDescription: "what would be black: its middle, a 4096th, becomes 0.18",
            light: [1e-4, 3e-4, 6e-4, 1e-3],
            shown: [77, 129, 178, 223]),
    ])
    func lightIsShownInItsScale(_ scale: Scale) throws {
        let light = (0..<32 * 32).map { scale.light[$0 % 32 / 8] }
        for (mark, isBig) in [("Pf", false), ("Pf", true), ("Ph", false), ("Ph", true)] {
            let samples = light.flatMap { value in
                mark == "Pf" ? Self.bytes(value.bitPattern, isBig) : Self.bytes(Float16(value).bitPattern, isBig)
            }
            let file = Array("\(mark)\n32 32\n\(isBig ? "" : "-")1.0\n".utf8) + samples
            let media = try Examined.media(file, as: .pnm, sizes: [32])
            #expect(media.facts.width == 32 && media.facts.notes == [])
            let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
            let found = (0..<4).map { Int(shown.pixel($0 * 8 + 4, 16)[0]) }
            #expect(zip(found, scale.shown).allSatisfy { abs($0 - $1) <= 6 }, "\(mark): \(found)")
        }
    }

    private static func bytes<Bits: FixedWidthInteger>(_ bits: Bits, _ isBig: Bool) -> [UInt8] {
        withUnsafeBytes(of: isBig ? bits.bigEndian : bits.littleEndian) { Array($0) }
    }

    /// Its lowest row comes first; what is no number is black.
    ///
    /// Photoshop writes each side in a line of its own, and the highest row first.
    @Test(arguments: [("PF\n16 16\n-1\n", [13, 2]), ("PF\n16\n16\n-1.0000\n", [2, 13])])
    func aFloatMapStandsOnItsFeet(head: String, rows: [Int]) throws {
        let pixels: [[Float]] = [[0.8, 0, 0], [.nan, -1, -.infinity]]
        let floats = (0..<16 * 16).flatMap { pixels[$0 / 128] }
        let file =
            Array(head.utf8)
            + floats.flatMap { value in
                (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
            }
        let media = try Examined.media(file, as: .pnm, sizes: [16])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.pixel(8, rows[0])[0] > 220 && shown.pixel(8, rows[1])[0] < 10)
    }

    @Test func aCutPictureIsShownInPart() throws {
        let row = (0..<16).flatMap { _ in Self.grey(0) }
        let file = Self.radiance("-Y 16 +X 16", rows: (0..<8).map { _ in row })
        #expect(try Examined.media(file, as: .radiance).facts.notes == ["Damaged: 8 of 16 rows are there"])
        for count in stride(from: 10, to: file.count, by: 31) {
            _ = try Examined.answer(Array(file.prefix(count)), as: .radiance)
        }
    }

    @Test(arguments: ["-Y 0 +X 16", "-Y 16777217 +X 16", "-Y 16 +Y 16", "-Y -1 +X 1", "", "-Y 16777216 +X 16777216"])
    func sizesThatNoPictureHasAreRefused(words: String) throws {
        let file = Self.radiance(words, rows: [[UInt8](repeating: 1, count: 64)])
        guard case .failed = try Examined.answer(file, as: .radiance) else {
            Issue.record("accepted")
            return
        }
    }

    /// A row of 12 bytes stands for 16,384 pixels: only what thumbnails need of them is kept.
    @Test func aLargePictureIsShrunkWhileItIsRead() throws {
        let row: [UInt8] = [128, 128, 128, 128, 1, 1, 1, 255, 1, 1, 1, 64]
        let file = Self.radiance("-Y 1024 +X 16384", rows: [[UInt8]](repeating: row, count: 1024))
        let media = try Examined.media(file, as: .radiance, sizes: [128])
        #expect(media.facts.width == 16_384 && media.facts.height == 1024 && media.facts.notes == [])
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.width == 128 && shown.height == 8 && abs(Int(shown.pixel(64, 4)[0]) - 188) <= 4)
    }

    /// Values to the power of 1/2.2 are not light.
    @Test func theGammaOfAFileCounts() throws {
        let row = (0..<16).flatMap { _ in [186, 186, 186, 128] as [UInt8] }
        let file = Self.radiance("-Y 16 +X 16", lines: ["GAMMA=0.454545"], rows: (0..<16).map { _ in row })
        let shown = try Bitmap(jpeg: try #require(try Examined.media(file, as: .radiance).thumbnails.first).bytes)
        #expect(abs(Int(shown.pixel(8, 8)[0]) - 186) <= 4)
    }

    @Test func aPictureOfEarlyPhonesIsWhiteWhereItsBitsAre() throws {
        // 130 pixels wide, which takes two bytes; the right half is white.
        let row = [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 9)
        let head: [UInt8] = [0, 0, 0x81, 2, 20]
        let file = head + [[UInt8]](repeating: row, count: 20).joined()
        let media = try Examined.media(file, as: .wbmp, sizes: [130])
        #expect(media.facts.width == 130 && media.facts.height == 20)
        let shown = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(shown.pixel(30, 10)[0] < 6 && shown.pixel(100, 10)[0] > 249)
        for count in 1..<10 { _ = try Examined.answer(Array(file.prefix(count)), as: .wbmp) }
        guard case .failed = try Examined.answer(file.dropLast(), as: .wbmp) else {
            Issue.record("a cut one was accepted")
            return
        }
    }
}

import CJXL
import MediaModel
import Testing

@testable import JXL
@testable import Media
@testable import MediaMaking

/// What is left out of a JPEG XL that is halved so often that its details do not show.
@Suite(.serialized) struct JXLDetailTests {
    /// The frames of a codestream without their details, in whose place there is nothing to be read.
    private static func coarse(_ codestream: [UInt8], halvings: Int, share: Double = 1) throws -> [UInt8]? {
        try codestream.withUnsafeBufferPointer { bytes in
            let decoder = try JXLDecoder.opened(bytes)
            let frames = decoder.frames.prefix(Int(Double(decoder.frames.count) * share))
            let rest = UnsafeBufferPointer(rebasing: frames)
            let header = JXLFrameHeader(rest, of: JXLFrameHeader.Picture(decoder.info))
            return header?.withoutDetails(rest, halvings: halvings)
        }
    }

    @Test(arguments: [
        JXLTests.Filtered("the default"), JXLTests.Filtered("without filters", epf: 0, gaborish: 0),
        JXLTests.Filtered("a header of one bit", epf: 2, gaborish: 1, distance: 3),
        JXLTests.Filtered("in passes", [(JXL_ENC_FRAME_SETTING_PROGRESSIVE_AC, 1)]),
        JXLTests.Filtered("with noise", [(JXL_ENC_FRAME_SETTING_NOISE, 1)]),
        JXLTests.Filtered("in its own colours", keepsProfile: true),
    ])
    func aFrameWithoutItsDetailsIsTheSamePictureInSmall(_ filtered: JXLTests.Filtered) throws {
        let bytes = try filtered.encoded()
        let coarse = try #require(try Self.coarse(bytes, halvings: 3))
        #expect(coarse.count < bytes.count / 2)
        #expect(try Self.coarse(bytes, halvings: 2) == nil)
        // Nothing is left out of a file that is cut short, so that it is told of.
        #expect(try Self.coarse(bytes, halvings: 3, share: 0.99) == nil)
        let seen = try JXLTests.shown(bytes, longSide: 56).bitmap
        #expect(seen.likeness(to: JXLTests.scene.resampled(width: 56, height: 42)) > 0.94)
    }

    @Test(arguments: [
        JXLTests.Filtered("with alpha, which is among them", hasAlpha: true),
        JXLTests.Filtered("enlarged", [(JXL_ENC_FRAME_SETTING_RESAMPLING, 2)]),
    ])
    func aFrameKeepsItsDetails(_ filtered: JXLTests.Filtered) throws {
        #expect(try Self.coarse(try filtered.encoded(), halvings: 6) == nil)
    }

    /// Two parts of 2048 pixels: eight groups wide and two, and two groups high.
    private static let wide = Scene(seed: 9, width: 2400, height: 300, hasGrain: false).bitmap()

    /// As newer encoders of libjxl write large pictures: each part with its details, and what these share last.
    @Test(arguments: [[], [(JXL_ENC_FRAME_SETTING_PROGRESSIVE_AC, 1)]] as [[(JxlEncoderFrameSettingId, Int64)]])
    func sectionsMayLieAsTheyWereMade(options: [(JxlEncoderFrameSettingId, Int64)]) throws {
        let bytes = try JXLFile(picture: Self.wide, options: options).encoded()
        let coarse = try #require(try Self.coarse(bytes, halvings: 3))
        let streamed = try Self.streamed(bytes, order: [1, 2, 3, 4, 5])
        #expect(try Self.coarse(streamed, halvings: 3) == coarse)
        // Bytes behind the last section: nothing tells where the table is.
        #expect(try Self.coarse(streamed + [0], halvings: 3) == nil)
    }

    /// Bytes of which each could begin a table of as many sections, all of them empty.
    @Test func aTableIsNotSearchedForLong() throws {
        let bytes = try JXLFile(picture: Self.wide).encoded()
        for (zeros, isFound) in [(5, true), (105, false)] {
            let streamed = try Self.streamed(bytes, order: [UInt8](repeating: 0, count: zeros))
            #expect(try (Self.coarse(streamed, halvings: 3) != nil) == isFound, "\(zeros)")
        }
    }

    private static func streamed(_ bytes: [UInt8], order: [UInt8]) throws -> [UInt8] {
        try bytes.withUnsafeBufferPointer { bytes in
            let decoder = try JXLDecoder.opened(bytes)
            let picture = JXLFrameHeader.Picture(decoder.info)
            let header = try #require(JXLFrameHeader(decoder.frames, of: picture))
            let frame = try streamed(decoder.frames, header, order: order)
            return bytes.prefix(bytes.count - decoder.frames.count) + frame
        }
    }

    /// `frame` with its sections in that order, which would stand in the bytes `words` before the table.
    private static func streamed(
        _ frame: UnsafeBufferPointer<UInt8>, _ header: JXLFrameHeader, order words: [UInt8]
    ) throws -> [UInt8] {
        let sections = try #require(
            JXLSections(frame, behind: header.end, width: 2400, height: 300, passes: header.passes))
        let groups = (0..<20 * header.passes).map { (index: 4 + $0, isLeft: $0 % 10 < 8) }
        let (left, right) = (groups.filter(\.isLeft), groups.filter { !$0.isLeft })
        let order = [0, 1] + left.map(\.index) + [2] + right.map(\.index) + [3]
        let sorted = order.map { sections.table[$0] }
        var writer = JXLBitWriter()
        writer.copy(0..<header.end, of: frame)
        writer.add(1, bits: 1)
        writer.align()
        for byte in words { writer.add(UInt32(byte), bits: 8) }
        for section in sorted { writer.copy(section.entry, of: frame) }
        return writer.bytes + sorted.flatMap { frame[$0.bytes] }
    }

    /// Where the order was taken for another one, libjxl refuses what was made of it.
    @Test func aPictureWhoseOrderIsMistakenIsDecodedWhole() throws {
        let file = JXLFile(picture: Self.wide, options: [(JXL_ENC_FRAME_SETTING_GROUP_ORDER, 1)])
        let bytes = try file.encoded()
        #expect(try Self.coarse(bytes, halvings: 3) != nil)
        let seen = try JXLTests.shown(bytes, longSide: 200).bitmap
        #expect(seen.likeness(to: Self.wide.resampled(width: 200, height: 25)) > 0.9)
    }
}

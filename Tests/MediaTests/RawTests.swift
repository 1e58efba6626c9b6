import MediaModel
import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

/// Camera originals: the preview where there is one, else the sensor.
@Suite(.serialized) struct RawTests {
    private static let scene = Scene(seed: 6, width: 64, height: 48, hasGrain: false).bitmap()

    @Test(arguments: [1, 3, 6, 8])
    func thePreviewIsShownUpright(orientation: Int) throws {
        let turn = try #require(Orientation(exif: orientation))
        let stored = turn.swapsSides ? Self.square.turned(turn.inverse) : Self.scene.turned(turn.inverse)
        var file = DNGFile(orientation: orientation)
        file.preview = try PictureWriter.encode(stored, as: .jpeg)
        let media = try Examined.media(file.bytes, sizes: [64])
        #expect(media.facts.type == .dng)
        #expect(media.facts.camera == "Gallery Raw 1")
        #expect(media.facts.rotation == turn.rotation)
        #expect(media.facts.width == (turn.swapsSides ? 48 : 64))
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        #expect(picture.likeness(to: turn.swapsSides ? Self.square : Self.scene) > 0.85)
    }

    /// As wide as the preview is high.
    private static let square = Scene(seed: 6, width: 48, height: 64, hasGrain: false).bitmap()

    @Test func withoutPreviewTheSensorIsDeveloped() throws {
        let media = try Examined.media(DNGFile().bytes, sizes: [32])
        #expect(media.facts.width == 64)
        let picture = try Bitmap(jpeg: try #require(media.thumbnails.first).bytes)
        let (left, right) = (picture.pixel(3, 12), picture.pixel(28, 12))
        #expect(right[0] > left[0])
        #expect(right[0] > right[1] && right[0] > right[2])
    }

    /// The sensor's picture is reddish, the preview's is not.
    @Test(arguments: [(64, true), (24, false)])
    func aPreviewThatIsTooSmallLeavesTheSensor(wanted: Int, isDeveloped: Bool) throws {
        var file = DNGFile()
        let small = Scene(seed: 6, width: 32, height: 24, hasGrain: false).bitmap()
        file.preview = try PictureWriter.encode(small, as: .jpeg)
        let picture = try Bitmap(
            jpeg: try #require(try Examined.media(file.bytes, sizes: [wanted]).thumbnails.first).bytes)
        #expect(picture.width == wanted)
        #expect(
            (picture.likeness(to: small.averaged(width: picture.width, height: picture.height)) > 0.85) != isDeveloped)
    }

    @Test func aDamagedPreviewLeavesTheSensor() throws {
        let file = DNGFile(preview: [UInt8](repeating: 0x55, count: 500))
        #expect(try Examined.media(file.bytes, sizes: [32]).thumbnails.count == 1)
    }

    @Test func aCutFileIsHarmless() throws {
        let whole = DNGFile(preview: try PictureWriter.encode(Self.scene, as: .jpeg)).bytes
        for share in 1..<10 { _ = try Examined.answer(Array(whole.prefix(whole.count * share / 10)), as: .dng) }
    }
}

import Testing

@testable import Frames
@testable import Media
@testable import MediaMaking

@Suite struct FrameScoreTests {
    static func flat(_ red: UInt8, _ green: UInt8, _ blue: UInt8, width: Int = 32, height: Int = 24) -> Bitmap {
        Bitmap(
            width: width, height: height,
            rgb: (0..<width * height).flatMap { _ in [red, green, blue] })
    }

    @Test(
        arguments: [(0, 0, 0), (16, 16, 16), (255, 255, 255), (128, 128, 128), (0, 0, 255), (255, 0, 0)]
            as [(UInt8, UInt8, UInt8)])
    func aFlatFrameShowsNothing(red: UInt8, green: UInt8, blue: UInt8) {
        #expect(!FrameScore(Self.flat(red, green, blue)).isMeaningful)
    }

    @Test(arguments: 0..<8)
    func aSceneShowsSomething(seed: UInt64) {
        #expect(FrameScore(Scene(seed: seed, width: 64, height: 48).bitmap()).isMeaningful)
    }

    @Test func theBetterLitFrameWins() {
        let scene = Scene(seed: 3, width: 64, height: 48)
        let values = [1, 0.6, 0.3, 0.1].map { FrameScore(scene.bitmap(light: $0)).value }
        #expect(values == values.sorted(by: >))
    }

    @Test func theSharperFrameWins() {
        let sharp = Scene(seed: 3, width: 160, height: 120).bitmap()
        let small = sharp.averaged(width: 20, height: 15)
        let blurred = (0..<120 * 160).flatMap { small.pixel($0 % 160 / 8, $0 / 160 / 8) }
        #expect(FrameScore(sharp).value > FrameScore(Bitmap(width: 160, height: 120, rgb: blurred)).value)
    }

    @Test func aSinglePixelHasAScore() {
        #expect(FrameScore(Self.flat(1, 2, 3, width: 1, height: 1)).sharpness == 0)
    }
}

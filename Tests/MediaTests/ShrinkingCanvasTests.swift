import CFFmpeg
import Testing

@testable import Frames

/// Pictures that are made smaller while their rows come in.
@Suite struct ShrinkingCanvasTests {
    private static let (red, green): ([UInt8], [UInt8]) = ([255, 0, 0], [0, 255, 0])

    /// Each square of two by two pixels becomes one: the first pixel is `first`, the others are `rest`.
    @Test(
        arguments: [
            ("opaque", red + [255], green + [255], [64, 191, 0, 255]),
            ("invisible red leaves green alone", red + [0], green + [255], [0, 255, 0, 191]),
            ("faint red counts as little as it is seen", red + [85], green + [255], [26, 230, 0, 213]),
            ("nothing is seen", red + [0], green + [0], [0, 0, 0, 0]),
            ("nearly opaque is not opaque", red + [254], green + [255], [64, 191, 0, 254]),
            ("without alpha", red, green, [64, 191, 0]),
        ] as [(String, [UInt8], [UInt8], [UInt8])])
    func squaresBecomeTheirMean(_: String, first: [UInt8], rest: [UInt8], mean: [UInt8]) throws {
        // Odd sides, so that the squares at the end have one row or column only.
        let (width, height) = (9, 7)
        var canvas = try ShrinkingCanvas(
            width: width, height: height, channels: first.count, longSide: 2, alphaLimit: 20)
        for y in 0..<height {
            canvas.add(y, (0..<width).flatMap { $0 % 2 == 0 && y % 2 == 0 ? first : rest })
        }
        canvas.finish()
        let frame = canvas.taken()
        #expect([frame.width, frame.height] == [5, 4])
        let data = try #require(frame.pointer.pointee.data.0)
        for (x, y) in [(0, 0), (3, 2)] {
            let at = y * Int(frame.pointer.pointee.linesize.0) + x * first.count
            #expect((0..<first.count).map { data[at + $0] } == mean, "\(x) \(y)")
        }
        let corner = 3 * Int(frame.pointer.pointee.linesize.0) + 4 * first.count
        let isSeen = first.count == 3 || first[3] > 0
        if isSeen { #expect((0..<first.count).map { data[corner + $0] } == first) }
    }
}

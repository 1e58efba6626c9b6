import CFFmpeg
import MediaModel
import Testing

@testable import Frames
@testable import JXL

/// Means of squares, from runs of pixels in any order.
struct JXLCanvasTests {
    private static func canvas(
        _ width: Int, _ height: Int, longSide: Int = 8, format: AVPixelFormat = AV_PIX_FMT_RGB24
    ) throws -> JXLCanvas {
        try JXLCanvas(width: width, height: height, longSide: longSide, format: format, background: nil)
    }

    /// The bytes of the frame that a canvas makes, without gaps.
    private static func bytes(_ canvas: JXLCanvas, step: Int = 3) throws -> [UInt8] {
        let frame = try canvas.taken()
        let data = try #require(frame.pointer.pointee.data.0)
        return (0..<frame.height).flatMap { y in
            Array(
                UnsafeBufferPointer(
                    start: data + y * Int(frame.pointer.pointee.linesize.0), count: frame.width * step))
        }
    }

    /// A picture of 10 × 6 pixels is kept in squares of 4 × 4 where 1 pixel is wanted: 3 × 2 of them, the last ones smaller.
    @Test(arguments: [[10], [1, 9], [3, 4, 3], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [4, 4, 2]])
    func runsOfAnyLengthInAnyOrderGiveTheSameMeans(runs: [Int]) throws {
        let canvas = try Self.canvas(10, 6, longSide: 1)
        for y in (0..<6).reversed() {
            var x = 10
            for run in runs.reversed() {
                x -= run
                let pixels = (x..<x + run).flatMap { column -> [Float] in [Float(column) / 10, Float(y) / 10, 1, 1] }
                canvas.add(x: x, y: y, count: run, pixels)
            }
        }
        let squares = [0..<4, 4..<8, 8..<10].map { $0.reduce(0) { $0 + $1 } * 255 / 10 / $0.count }
        let seen = try Self.bytes(canvas)
        #expect(seen.count == 3 * 2 * 3)
        for (index, red) in squares.enumerated() { #expect(abs(Int(seen[index * 3]) - red) <= 1) }
        #expect(abs(Int(seen[1]) - 38) <= 1 && abs(Int(seen[3 * 3 + 1]) - 115) <= 1)
        #expect(seen[2] == 255 && seen[17] == 255)
    }

    @Test func whatCannotBeShownIsCutOff() throws {
        let canvas = try Self.canvas(2, 1)
        canvas.add(x: 0, y: 0, count: 2, [Float.nan, -Float.infinity, .infinity, 1, -1, 0.5, 2, 1])
        #expect(try Self.bytes(canvas) == [0, 0, 255, 0, 128, 255])
    }

    @Test(arguments: [(-1, 0, 1), (0, -1, 1), (2, 0, 1), (0, 1, 1), (1, 0, 2), (0, 0, 0), (Int.max, 0, 1)])
    func whatLiesOutsideIsLeftOut(x: Int, y: Int, count: Int) throws {
        let canvas = try Self.canvas(2, 1)
        canvas.add(x: x, y: y, count: count, [Float](repeating: 1, count: 8))
        #expect(try Self.bytes(canvas) == [0, 0, 0, 0, 0, 0])
    }

    /// libjxl's encoder marks no colours as multiplied, so there is no file of these tests that has them.
    @Test(arguments: [false, true])
    func theBackgroundIsBehindEachPixel(isPremultiplied: Bool) throws {
        let red = RGBColour(red: 255, green: 0, blue: 0)
        let canvas = try JXLCanvas(
            width: 2, height: 1, longSide: 8, format: AV_PIX_FMT_RGB24, background: red,
            isPremultiplied: isPremultiplied)
        canvas.add(x: 0, y: 0, count: 1, [0, 0, 1, 1])
        #expect(!canvas.showsBackground)
        canvas.add(x: 1, y: 0, count: 1, isPremultiplied ? [0, 0.2, 0.2, 0.2] : [0, 1, 1, 0.2])
        #expect(canvas.showsBackground)
        #expect(try Self.bytes(canvas) == [0, 0, 255, 204, 51, 51])
    }

    @Test func deepColoursKeepTheirSteps() throws {
        let canvas = try Self.canvas(1, 1, format: AV_PIX_FMT_RGB48LE)
        canvas.add(x: 0, y: 0, count: 1, [1, 0.5, 1 / 65_535, 1])
        #expect(try Self.bytes(canvas, step: 6) == [255, 255, 0, 128, 1, 0])
    }
}

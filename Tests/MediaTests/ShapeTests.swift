import MediaModel
import Testing

@testable import Frames
@testable import JPEG
@testable import Media

@Suite struct ShapeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let shape: Shape
        let longSide: Int
        let width: Int
        let height: Int

        init(
            _ fact: String, _ width: Int, _ height: Int, aspect: Double = 1, turn: Int = 0, into longSide: Int,
            _ fitted: (Int, Int)
        ) {
            testDescription = fact
            shape = Shape(
                width: width, height: height, pixelAspect: aspect,
                orientation: Orientation(rotation: turn, isMirrored: false))
            self.longSide = longSide
            (self.width, self.height) = fitted
        }
    }

    @Test(arguments: [
        Row("a wide one", 4000, 3000, into: 512, (512, 384)),
        Row("a tall one", 3000, 4000, into: 512, (384, 512)),
        Row("turned, it is tall", 4000, 3000, turn: 90, into: 512, (384, 512)),
        Row("upside down it stays wide", 4000, 3000, turn: 180, into: 512, (512, 384)),
        Row("nothing is enlarged", 100, 50, into: 512, (100, 50)),
        Row("one that fits exactly", 512, 100, into: 512, (512, 100)),
        Row("one pixel more", 513, 100, into: 512, (512, 100)),
        Row("a thread is never thinner than a pixel", 100_000, 10, into: 512, (512, 1)),
        Row("PAL in 16:9", 720, 576, aspect: 64 / 45, into: 2000, (1024, 576)),
        Row("narrow pixels make it narrower", 720, 480, aspect: 8 / 9, into: 2000, (640, 480)),
        Row("stretched, then turned", 720, 576, aspect: 64 / 45, turn: 270, into: 512, (288, 512)),
        Row("a size of nothing is no size", 40, 30, into: 0, (40, 30)),
    ])
    func aPictureFitsItsThumbnail(_ row: Row) {
        #expect(row.shape.fitted(into: row.longSide).shown == Shape.Size(width: row.width, height: row.height))
    }

    @Test(arguments: [
        (4000, 3000, 512, 2), (6000, 4000, 512, 3), (1433, 1000, 512, 0), (1434, 1000, 512, 1), (500, 400, 512, 0),
        (4000, 3000, 1, 3), (0, 0, 512, 0),
    ])
    func aJPEGIsHalvedWhileItStaysLargeEnough(width: Int, height: Int, wanted: Int, halvings: Int) {
        let header = Self.jpegHeader([0xFF, 0xD8] + Self.frameHeader(0xC0, width: width, height: height))
        #expect(header?.halvings(for: wanted, margin: 1.4) == halvings)
    }

    static func frameHeader(_ marker: UInt8, width: Int, height: Int) -> [UInt8] {
        let size = [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) }
        return [0xFF, marker, 0, 11, 8] + size + [1, 1, 0x11, 0]
    }

    static func jpegHeader(_ bytes: [UInt8]) -> JPEGHeader? {
        bytes.withUnsafeBufferPointer { JPEGHeader($0) }
    }

    struct HeaderRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let isFound: Bool

        init(_ fact: String, _ bytes: [UInt8], isFound: Bool) {
            testDescription = fact
            self.bytes = [0xFF, 0xD8] + bytes
            self.isFound = isFound
        }
    }

    private static let frame = frameHeader(0xC0, width: 40, height: 30)

    @Test(arguments: [
        HeaderRow("baseline", frame, isFound: true),
        HeaderRow("progressive", frameHeader(0xC2, width: 40, height: 30), isFound: true),
        HeaderRow("after another segment", [0xFF, 0xE0, 0, 4, 1, 2] + frame, isFound: true),
        HeaderRow("after fill bytes", [0xFF, 0xFF, 0xFF] + frame.dropFirst(), isFound: true),
        HeaderRow("a Huffman table is no frame", frameHeader(0xC4, width: 40, height: 30), isFound: false),
        HeaderRow("a segment that leads past the end", [0xFF, 0xE0, 0xFF, 0xFF] + frame, isFound: false),
        HeaderRow("no marker where one must be", [0, 0] + frame, isFound: false),
        HeaderRow("cut off within the size", Array(frame.prefix(8)), isFound: false),
        HeaderRow("nothing", [], isFound: false),
    ])
    func aJPEGTellsItsSizeInItsFrameHeader(_ row: HeaderRow) {
        let header = Self.jpegHeader(row.bytes)
        #expect((header != nil) == row.isFound)
        if row.isFound { #expect(header?.width == 40 && header?.height == 30) }
    }
}

import MediaModel
import Testing

@testable import Media

/// How many rows a file has, by its own count of bytes.
struct MissingRowsTests {
    private static func words(_ bytes: [UInt8], _ type: MediaType) -> String? {
        bytes.withUnsafeBufferPointer { MissingRows($0, type)?.words }
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// 4 × 2 pixels: one of each chunk that is a pixel, and the second row as a run.
    private static let qoi: [UInt8] =
        Array("qoif".utf8) + number(4) + number(2) + [4, 0] + [0xFE, 1, 2, 3] + [0xFF, 1, 2, 3, 4] + [0x80, 0x88] + [
            0x3F
        ]
        + [0xC3] + [0, 0, 0, 0, 0, 0, 0, 1]

    @Test(arguments: [(35, nil), (27, nil), (26, "1 of 2"), (25, "0 of 2"), (18, "0 of 2"), (15, "0 of 2"), (14, nil)])
    func aPictureOfQOIIsCountedPixelByPixel(count: Int, expected: String?) {
        #expect(Self.words(Array(Self.qoi.prefix(count)), .qoi) == expected.map { "\($0) rows are there" })
    }

    /// 3 × 2 pixels of 24 bits: rows of ten bytes, behind a map of six.
    private static func raster(_ kind: Int, length: Int, pixels: Int) -> [UInt8] {
        [0x59A6_6A95, 3, 2, 24, length, kind, 1, 6].flatMap { number($0) } + [UInt8](repeating: 7, count: 6 + pixels)
    }

    @Test(arguments: [
        (1, 20, 20, nil), (1, 20, 19, "1 of 2"), (0, 0, 10, "1 of 2"), (0, 0, 9, "0 of 2"), (2, 14, 14, nil),
        (2, 14, 13, "1 of 2"), (2, 14, 0, "0 of 2"), (2, 0, 3, nil),
    ])
    func aSunRasterIsCountedByItsRowsOrItsLength(kind: Int, length: Int, pixels: Int, expected: String?) {
        let bytes = Self.raster(kind, length: length, pixels: pixels)
        #expect(Self.words(bytes, .sunRaster) == expected.map { "\($0) rows are there" })
    }

    /// Numbers that fit no memory, and files that end within their numbers.
    @Test(arguments: [MediaType.qoi, .sunRaster], [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func noNumberIsTooLarge(type: MediaType, value: Int) {
        for place in stride(from: 4, through: 28, by: 4) {
            var bytes = type == .qoi ? Self.qoi : Self.raster(2, length: 14, pixels: 14)
            for at in [place, 16] where at + 4 <= bytes.count {
                bytes.replaceSubrange(at..<at + 4, with: Self.number(value))
            }
            for count in [0, 13, 15, 31, 32, bytes.count] { _ = Self.words(Array(bytes.prefix(count)), type) }
        }
        let worst = [UInt8](repeating: 255, count: 64)
        #expect(Self.words(worst, type) == nil || type == .qoi)
    }
}

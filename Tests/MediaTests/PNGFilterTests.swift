import MediaModel
import Testing

@testable import Frames
@testable import Media

/// The filters of a PNG's rows, beside the formulas of PNG 3rd edition, 9.2 to 9.4, one byte at a time.
@Suite struct PNGFilterTests {
    /// A header of these values, and nothing behind it.
    private static func layout(
        _ width: Int, _ height: Int, bits: UInt8, colour: UInt8, isInterlaced: Bool = false
    ) throws -> PNGLayout {
        let size = MarkedPicture.bigEndian(width) + MarkedPicture.bigEndian(height)
        let header = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + size
        let bytes = header + [bits, colour, 0, 0, isInterlaced ? 1 : 0] + [UInt8](repeating: 0, count: 8)
        return try #require(bytes.withUnsafeBufferPointer { PNGLayout($0, maxPixels: 1 << 20) })
    }

    /// Pixels that differ in every byte, each row with a filter of `filters` in turn.
    private static func filtered(_ layout: PNGLayout, _ filters: [UInt8]) -> [UInt8] {
        var (bytes, seed, row) = ([UInt8](), UInt32(7), 0)
        for pass in layout.passes {
            for _ in 0..<pass.rows {
                bytes.append(filters[row % filters.count])
                for _ in 0..<pass.length {
                    seed = seed &* 1_664_525 &+ 1_013_904_223
                    bytes.append(UInt8(seed >> 24))
                }
                row += 1
            }
        }
        return bytes
    }

    private static func undone(_ bytes: [UInt8], _ layout: PNGLayout) -> [UInt8] {
        var bytes = bytes + [UInt8](repeating: 77, count: PNGFilters.margin)
        bytes.withUnsafeMutableBufferPointer {
            PNGFilters.undo(UnsafeMutableBufferPointer(rebasing: $0[..<layout.count]), layout)
        }
        #expect(bytes.suffix(PNGFilters.margin).allSatisfy { $0 == 77 }, "nothing is written behind the pixels")
        return Array(bytes.dropLast(PNGFilters.margin))
    }

    /// The same by the formulas; up to a filter that does not exist.
    private static func byFormula(_ filtered: [UInt8], _ layout: PNGLayout) -> [UInt8] {
        var (bytes, start) = (filtered, 0)
        for pass in layout.passes {
            for row in 0..<pass.rows {
                let at = start + row * (1 + pass.length) + 1
                guard bytes[at - 1] <= 4 else { return bytes }
                for x in 0..<pass.length {
                    let left = x < layout.step ? 0 : Int(bytes[at + x - layout.step])
                    let up = row == 0 ? 0 : Int(bytes[at + x - 1 - pass.length])
                    let corner = x < layout.step || row == 0 ? 0 : Int(bytes[at + x - 1 - pass.length - layout.step])
                    let guess = left + up - corner
                    let (toLeft, toUp, toCorner) = (abs(guess - left), abs(guess - up), abs(guess - corner))
                    let nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
                    let added = [0, left, up, (left + up) / 2, nearest][Int(bytes[at - 1])]
                    bytes[at + x] = UInt8(truncatingIfNeeded: Int(bytes[at + x]) + added)
                }
                bytes[at - 1] = 0
            }
            start += pass.rows * (1 + pass.length)
        }
        return bytes
    }

    /// Pixels of 1, 1, 2, 3, 4, 6 and 8 bytes; each width ends in another place of a vector.
    @Test(
        arguments: [(1, 0), (8, 0), (8, 4), (8, 2), (8, 6), (16, 2), (16, 6)] as [(UInt8, UInt8)],
        [[0], [1], [2], [3], [4], [4, 2, 3, 1, 0, 4]] as [[UInt8]])
    func eachRowIsAsTheFormulasSay(kind: (bits: UInt8, colour: UInt8), filters: [UInt8]) throws {
        for (width, height, isInterlaced) in [(1, 3, false), (5, 4, false), (34, 7, false), (19, 21, true)] {
            let layout = try Self.layout(
                width, height, bits: kind.bits, colour: kind.colour, isInterlaced: isInterlaced)
            let bytes = Self.filtered(layout, filters)
            #expect(Self.undone(bytes, layout) == Self.byFormula(bytes, layout), "\(width) × \(height)")
        }
    }

    @Test(arguments: [5, 255] as [UInt8])
    func rowsFromAnUnknownFilterOnStay(filter: UInt8) throws {
        let layout = try Self.layout(8, 6, bits: 8, colour: 2)
        let bytes = Self.filtered(layout, [4, 1, 3, filter, 1, 1])
        let undone = Self.undone(bytes, layout)
        #expect(undone == Self.byFormula(bytes, layout))
        #expect(undone.dropFirst(3 * 25) == bytes.dropFirst(3 * 25))
    }

    @Test func theRowsOfEachPassAreCounted() throws {
        let small = try Self.layout(3, 2, bits: 8, colour: 2, isInterlaced: true)
        // The second pass begins at column 4; the third and the fifth have columns, but begin below.
        #expect(small.passes.map(\.rows) == [1, 0, 1, 0, 1, 1])
        #expect(small.passes.map(\.length) == [3, 3, 3, 6, 3, 9])
        let whole = try Self.layout(10, 4, bits: 1, colour: 0)
        #expect(whole.count == 4 * 3 && whole.step == 1)
    }

    /// Every value at every transparency, over colours from the lowest to the highest.
    @Test(arguments: [(0, 127, 255), (255, 1, 128)] as [(UInt8, UInt8, UInt8)])
    func theBackgroundShowsThroughByItsShare(colour: (UInt8, UInt8, UInt8)) {
        let background = RGBColour(red: colour.0, green: colour.1, blue: colour.2)
        func expected(_ value: UInt8, _ alpha: UInt8, _ under: UInt8) -> UInt8 {
            let share = Double(alpha) / 255
            let sum: Double = Double(value) * share + Double(under) * (1 - share)
            return UInt8(sum.rounded())
        }
        for alpha in UInt8.min...UInt8.max {
            var pixels = (UInt8.min...UInt8.max).flatMap { (value: UInt8) -> [UInt8] in [value, ~value, value, alpha] }
            let isSeen = pixels.withUnsafeMutableBufferPointer { Frame.blend($0, over: background) }
            #expect(isSeen == (alpha < 255))
            var wanted: [UInt8] = []
            for value in UInt8.min...UInt8.max {
                wanted.append(expected(value, alpha, colour.0))
                wanted.append(expected(~value, alpha, colour.1))
                wanted.append(expected(value, alpha, colour.2))
                wanted.append(alpha)
            }
            #expect(pixels == wanted, "alpha \(alpha)")
        }
    }
}

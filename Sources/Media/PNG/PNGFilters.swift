/// Undoes the filters of a PNG's rows in place (PNG 3rd edition, 9.2), several samples at a time.
///
/// Debian's libpng undoes them byte by byte, which took a fifth of the time of a thumbnail.
enum PNGFilters {
    /// The samples of one pixel.
    private typealias Lanes = SIMD4<Int16>

    /// Bytes behind the pixels that must be readable.
    static let margin = 1

    /// Undoes the filters of all rows, up to one with an unknown filter, which libpng then refuses.
    ///
    /// - Parameter pixels: Must be followed by `margin` more bytes.
    static func undo(_ pixels: UnsafeMutableBufferPointer<UInt8>, _ layout: PNGLayout) {
        guard var start = pixels.baseAddress, pixels.count == layout.count else { return }
        for pass in layout.passes {
            guard undo(start, pass, layout.step) else { return }
            start += pass.rows * (1 + pass.length)
        }
    }

    /// Undoes the filters of a pass; `false` at an unknown one.
    private static func undo(_ start: UnsafeMutablePointer<UInt8>, _ pass: PNGLayout.Pass, _ step: Int) -> Bool {
        let length = pass.length
        // Above the first row are zeros.
        let zeros = [UInt8](repeating: 0, count: length + margin)
        return zeros.withUnsafeBufferPointer { zeros in
            guard var above = zeros.baseAddress else { return true }
            for index in 0..<pass.rows {
                let filter = start + index * (1 + length)
                let row = filter + 1
                switch filter.pointee {
                case 0: break
                case 1: undoSub(row, length, step)
                case 2: undoUp(row, above, length)
                case 3: undoAverage(row, above, length, step)
                case 4: undoPaeth(row, above, length, step)
                default: return false
                }
                filter.pointee = 0
                above = UnsafePointer(row)
            }
            return true
        }
    }

    private static func undoSub(_ row: UnsafeMutablePointer<UInt8>, _ length: Int, _ step: Int) {
        switch step {
        case 3: forEachPixel(row, row, length, 3) { value, left, _, _ in value &+ left }
        case 4: forEachPixel(row, row, length, 4) { value, left, _, _ in value &+ left }
        default: for at in min(step, length)..<length { row[at] &+= row[at &- step] }
        }
    }

    private static func undoUp(
        _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ length: Int
    ) {
        let (bytes, upper) = (UnsafeMutableRawPointer(row), UnsafeRawPointer(above))
        let whole = length & ~15
        for at in stride(from: 0, to: whole, by: 16) {
            let sum =
                bytes.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
                &+ upper.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
            bytes.storeBytes(of: sum, toByteOffset: at, as: SIMD16<UInt8>.self)
        }
        for at in whole..<length { row[at] &+= above[at] }
    }

    private static func undoAverage(
        _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ length: Int, _ step: Int
    ) {
        switch step {
        case 3: forEachPixel(row, above, length, 3) { value, left, up, _ in value &+ (left &+ up) &>> 1 }
        case 4: forEachPixel(row, above, length, 4) { value, left, up, _ in value &+ (left &+ up) &>> 1 }
        default:
            for at in 0..<min(step, length) { row[at] &+= above[at] / 2 }
            for at in min(step, length)..<length {
                row[at] &+= UInt8(truncatingIfNeeded: (UInt16(row[at &- step]) &+ UInt16(above[at])) / 2)
            }
        }
    }

    private static func undoPaeth(
        _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ length: Int, _ step: Int
    ) {
        switch step {
        case 3: forEachPixel(row, above, length, 3) { $0 &+ nearest($1, $2, $3) }
        case 4: forEachPixel(row, above, length, 4) { $0 &+ nearest($1, $2, $3) }
        default:
            for at in 0..<min(step, length) { row[at] &+= above[at] }
            for at in min(step, length)..<length {
                let (left, up, corner) = (Int(row[at &- step]), Int(above[at]), Int(above[at &- step]))
                let (toLeft, toUp, toCorner) = (abs(up - corner), abs(left - corner), abs(up + left - 2 * corner))
                let isLeft = toLeft <= toUp && toLeft <= toCorner
                row[at] &+= UInt8(truncatingIfNeeded: isLeft ? left : toUp <= toCorner ? up : corner)
            }
        }
    }

    /// Of the three neighbours the one closest to left + up - corner.
    @inline(__always)
    private static func nearest(_ left: Lanes, _ up: Lanes, _ corner: Lanes) -> Lanes {
        let (toLeft, toUp) = (up &- corner, left &- corner)
        let (farLeft, farUp, farCorner) = (magnitude(toLeft), magnitude(toUp), magnitude(toLeft &+ toUp))
        let upOrCorner = corner.replacing(with: up, where: farUp .<= farCorner)
        return upOrCorner.replacing(with: left, where: (farLeft .<= farUp) .& (farLeft .<= farCorner))
    }

    @inline(__always)
    private static func magnitude(_ values: Lanes) -> Lanes {
        values.replacing(with: 0 &- values, where: values .< 0)
    }

    /// Replaces each pixel of `step` bytes, 3 or 4, by what `body` makes of it and its neighbours: left, above, above left.
    @inline(__always)
    private static func forEachPixel(
        _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ length: Int, _ step: Int,
        _ body: (Lanes, Lanes, Lanes, Lanes) -> Lanes
    ) {
        var (left, corner) = (Lanes.zero, Lanes.zero)
        var at = 0
        while at &+ step <= length {
            let up = lanes(above + at)
            left = body(lanes(row + at), left, up, corner) & 255
            corner = up
            let bytes = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: left), to: UInt32.self)
            if step == 4 {
                UnsafeMutableRawPointer(row + at).storeBytes(of: bytes, as: UInt32.self)
            } else {
                UnsafeMutableRawPointer(row + at).storeBytes(of: UInt16(truncatingIfNeeded: bytes), as: UInt16.self)
                row[at &+ 2] = UInt8(truncatingIfNeeded: bytes &>> 16)
            }
            at &+= step
        }
    }

    @inline(__always)
    private static func lanes(_ pixel: UnsafePointer<UInt8>) -> Lanes {
        let bytes = UnsafeRawPointer(pixel).loadUnaligned(as: UInt32.self)
        return Lanes(truncatingIfNeeded: unsafeBitCast(bytes, to: SIMD4<UInt8>.self))
    }
}

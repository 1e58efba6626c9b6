import CFFmpeg

/// Takes a picture row by row and keeps the mean of each square of pixels, so that large ones need little memory.
package struct ShrinkingCanvas: ~Copyable {
    /// The painted picture; grey if no row came.
    let frame: Frame
    private let channels: Int
    private let width: Int
    private let halvings: Int
    /// The sums of each sample over the rows of the current squares; the sum of 64 bytes fits.
    private var sums: [UInt16]
    /// The same for pictures with alpha, of colours times alpha, so that invisible ones do not bleed into visible ones.
    private var weighted: [UInt32]
    private var current = -1
    private var rows = 0

    /// A picture that is shrunk while it is read must stay this many times larger than the largest thumbnail.
    package static let margin = 1.4

    /// - Parameter channels: Bytes of a pixel: 1 for grey, 3 for colours, 4 with plain alpha.
    /// - Parameter alphaLimit: Up to this many pixels are kept with alpha, because scaling them once is sharper.
    package init(
        width: Int, height: Int, channels: Int, longSide: Int, alphaLimit: Int = 1 << 24
    ) throws(FFmpegError) {
        let enough = Double(longSide) * Self.margin
        var halvings = 0
        while halvings < 6, Double(max(width, height) >> (halvings + 1)) >= enough,
            channels < 4 || (width >> halvings) * (height >> halvings) > alphaLimit
        { halvings += 1 }
        let format = [1: AV_PIX_FMT_GRAY8, 3: AV_PIX_FMT_RGB24][channels] ?? AV_PIX_FMT_RGBA
        let size = (width: (width - 1) >> halvings + 1, height: (height - 1) >> halvings + 1)
        frame = try Frame.blank(width: size.width, height: size.height, format: format)
        frame.pointer.pointee.data.0?.update(
            repeating: 128, count: Int(frame.pointer.pointee.linesize.0) * size.height)
        (self.channels, self.width, self.halvings) = (channels, width, halvings)
        sums = [UInt16](repeating: 0, count: halvings > 0 && channels < 4 ? width * channels : 0)
        weighted = [UInt32](repeating: 0, count: halvings > 0 && channels == 4 ? width * channels : 0)
    }

    /// Adds row `y`, which must not be above the one before.
    package mutating func add(_ y: Int, _ row: UnsafePointer<UInt8>) {
        guard halvings > 0 else {
            target(y)?.update(from: row, count: width * channels)
            return
        }
        if y >> halvings != current { finish() }
        current = y >> halvings
        let isFirst = rows == 0
        rows += 1
        guard channels < 4 else { return addWeighted(row, isFirst: isFirst) }
        // Whole rows are added up first, which is fast with vector instructions; squares only once their rows are in.
        sums.withUnsafeMutableBufferPointer { sums in
            if isFirst {
                for at in 0..<sums.count { sums[at] = UInt16(row[at]) }
            } else {
                for at in 0..<sums.count { sums[at] &+= UInt16(row[at]) }
            }
        }
    }

    private mutating func addWeighted(_ row: UnsafePointer<UInt8>, isFirst: Bool) {
        weighted.withUnsafeMutableBufferPointer { sums in
            if isFirst { sums.update(repeating: 0) }
            for at in stride(from: 0, to: sums.count, by: 4) {
                let alpha = UInt32(row[at &+ 3])
                sums[at] &+= UInt32(row[at]) &* alpha
                sums[at &+ 1] &+= UInt32(row[at &+ 1]) &* alpha
                sums[at &+ 2] &+= UInt32(row[at &+ 2]) &* alpha
                sums[at &+ 3] &+= alpha
            }
        }
    }

    /// Writes the means of the last, partial squares; called after the last row.
    package mutating func finish() {
        guard rows > 0, let target = target(current) else { return }
        defer { rows = 0 }
        guard channels < 4 else { return writeWeighted(target) }
        let isWhole = rows == 1 << halvings
        let whole = isWhole ? width >> halvings : 0
        sums.withUnsafeBufferPointer { sums in
            guard let sums = sums.baseAddress else { return }
            if channels == 1 { writeGrey(sums, whole, target) } else { writeColours(sums, whole, target) }
            for square in whole..<frame.width {
                let pixels = square << halvings..<min(width, (square + 1) << halvings)
                let count = UInt32(pixels.count * rows)
                for channel in 0..<channels {
                    let sum = pixels.reduce(0) { $0 + UInt32(sums[$1 * channels + channel]) }
                    target[square * channels + channel] = UInt8((sum + count / 2) / count)
                }
            }
        }
    }

    private func writeWeighted(_ target: UnsafeMutablePointer<UInt8>) {
        for square in 0..<frame.width {
            let pixels = square << halvings..<min(width, (square + 1) << halvings)
            var sum: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
            for at in stride(from: pixels.lowerBound * 4, to: pixels.upperBound * 4, by: 4) {
                sum.0 += weighted[at]
                sum.1 += weighted[at + 1]
                sum.2 += weighted[at + 2]
                sum.3 += weighted[at + 3]
            }
            let (alpha, count, at) = (sum.3, UInt32(pixels.count * rows), square * 4)
            let (whole, half) = (max(1, alpha), alpha / 2)
            target[at] = UInt8((sum.0 + half) / whole)
            target[at + 1] = UInt8((sum.1 + half) / whole)
            target[at + 2] = UInt8((sum.2 + half) / whole)
            // A square with a pixel that is not opaque must not become opaque.
            target[at + 3] = alpha == 255 * count ? 255 : UInt8(min(254, (alpha + count / 2) / count))
        }
    }

    /// Writes full squares, whose number of pixels is a power of two, so that no division is needed.
    private func writeGrey(_ sums: UnsafePointer<UInt16>, _ squares: Int, _ target: UnsafeMutablePointer<UInt8>) {
        let shift = UInt32(2 * halvings)
        let half = (UInt32(1) << shift) >> 1
        let side = 1 << halvings
        for square in 0..<squares {
            var sum = half
            for at in square &* side..<(square &+ 1) &* side { sum &+= UInt32(sums[at]) }
            target[square] = UInt8(truncatingIfNeeded: sum &>> shift)
        }
    }

    /// Like `writeGrey`, for red, green and blue.
    private func writeColours(_ sums: UnsafePointer<UInt16>, _ squares: Int, _ target: UnsafeMutablePointer<UInt8>) {
        let shift = UInt32(2 * halvings)
        let half = (UInt32(1) << shift) >> 1
        let side = 3 << halvings
        for square in 0..<squares {
            var (red, green, blue) = (half, half, half)
            for at in stride(from: square &* side, to: (square &+ 1) &* side, by: 3) {
                red &+= UInt32(sums[at])
                green &+= UInt32(sums[at &+ 1])
                blue &+= UInt32(sums[at &+ 2])
            }
            target[square &* 3] = UInt8(truncatingIfNeeded: red &>> shift)
            target[square &* 3 &+ 1] = UInt8(truncatingIfNeeded: green &>> shift)
            target[square &* 3 &+ 2] = UInt8(truncatingIfNeeded: blue &>> shift)
        }
    }

    /// The painted frame; ends the canvas.
    package consuming func taken() -> Frame { frame }

    private func target(_ y: Int) -> UnsafeMutablePointer<UInt8>? {
        guard y >= 0, y < frame.height else { return nil }
        return frame.pointer.pointee.data.0.map { $0 + y * Int(frame.pointer.pointee.linesize.0) }
    }
}

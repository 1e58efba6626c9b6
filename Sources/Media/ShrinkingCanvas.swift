import CFFmpeg

/// Takes a picture row by row and keeps the mean of each square of pixels, so that a large one needs little memory.
struct ShrinkingCanvas: ~Copyable {
    /// What has been painted; grey where no row came.
    let frame: Frame
    private let channels: Int
    private let width: Int
    private let halvings: Int
    /// Of the squares of the current row.
    private var sums: [UInt32]
    private var current = -1
    private var rows = 0

    /// A picture that was shrunk while it was read must still be this many times larger than the largest thumbnail.
    static let margin = 1.4

    /// - Parameter channels: Bytes of a pixel: 1 for grey, 3 for colours, 4 with plain alpha.
    init(width: Int, height: Int, channels: Int, longSide: Int) throws(FFmpegError) {
        let enough = Double(longSide) * Self.margin
        var halvings = 0
        // The colour of invisible pixels must not bleed into visible ones.
        while channels < 4, halvings < 6, Double(max(width, height) >> (halvings + 1)) >= enough { halvings += 1 }
        let format = [1: AV_PIX_FMT_GRAY8, 3: AV_PIX_FMT_RGB24][channels] ?? AV_PIX_FMT_RGBA
        let size = (width: (width - 1) >> halvings + 1, height: (height - 1) >> halvings + 1)
        frame = try Frame.blank(width: size.width, height: size.height, format: format)
        frame.pointer.pointee.data.0?.update(
            repeating: 128, count: Int(frame.pointer.pointee.linesize.0) * size.height)
        (self.channels, self.width, self.halvings) = (channels, width, halvings)
        sums = [UInt32](repeating: 0, count: halvings > 0 ? size.width * channels : 0)
    }

    /// Adds row `y`, which must not be above the one before.
    mutating func add(_ y: Int, _ row: UnsafePointer<UInt8>) {
        guard halvings > 0 else {
            target(y)?.update(from: row, count: width * channels)
            return
        }
        if y >> halvings != current { finish() }
        current = y >> halvings
        rows += 1
        let side = 1 << halvings
        sums.withUnsafeMutableBufferPointer { sums in
            // Each square is summed up in registers, which is faster than adding to memory at every pixel.
            for square in 0..<frame.width {
                let pixels = square << halvings..<min(width, square << halvings + side)
                if channels == 1 {
                    var sum: UInt32 = 0
                    for x in pixels { sum &+= UInt32(row[x]) }
                    sums[square] &+= sum
                } else {
                    var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
                    for x in pixels {
                        red &+= UInt32(row[x &* 3])
                        green &+= UInt32(row[x &* 3 &+ 1])
                        blue &+= UInt32(row[x &* 3 &+ 2])
                    }
                    sums[square &* 3] &+= red
                    sums[square &* 3 &+ 1] &+= green
                    sums[square &* 3 &+ 2] &+= blue
                }
            }
        }
    }

    /// Writes the means of the squares begun; called after the last row.
    mutating func finish() {
        guard rows > 0, let target = target(current) else { return }
        let side = 1 << halvings
        let whole = rows == side ? width >> halvings * channels : 0
        // A full square has a power of two of pixels, which need no division.
        let shift = UInt32(2 * halvings)
        let half = (UInt32(1) << shift) >> 1
        sums.withUnsafeMutableBufferPointer { sums in
            for at in 0..<whole {
                target[at] = UInt8(truncatingIfNeeded: (sums[at] &+ half) &>> shift)
            }
            for at in whole..<frame.width * channels {
                let count = UInt32(min(side, width - at / channels * side) * rows)
                target[at] = UInt8((sums[at] + count / 2) / count)
            }
            sums.update(repeating: 0)
        }
        rows = 0
    }

    /// The painted frame; ends the canvas.
    consuming func taken() -> Frame { frame }

    private func target(_ y: Int) -> UnsafeMutablePointer<UInt8>? {
        guard y >= 0, y < frame.height else { return nil }
        return frame.pointer.pointee.data.0.map { $0 + y * Int(frame.pointer.pointee.linesize.0) }
    }
}

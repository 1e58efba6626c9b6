package import MediaModel

/// A picture as plain bytes: red, green, blue for every pixel, rows from the top without gaps.
package struct Bitmap: Hashable, Sendable {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int
    /// `width * height * 3` bytes, sRGB.
    package private(set) var rgb: [UInt8]

    /// A bitmap of `width * height * 3` bytes; any other count is a programming error and traps.
    package init(width: Int, height: Int, rgb: [UInt8]) {
        precondition(rgb.count == width * height * 3, "three bytes a pixel")
        self.width = width
        self.height = height
        self.rgb = rgb
    }

    /// The picture upright: mirrored, then turned.
    package func turned(_ orientation: Orientation) -> Bitmap {
        guard orientation != .upright else { return self }
        let (newWidth, newHeight) = orientation.swapsSides ? (height, width) : (width, height)
        var result = [UInt8](repeating: 0, count: rgb.count)
        rgb.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { target in
                for y in 0..<newHeight {
                    // Where the first pixel of this row comes from, and the step to the next, in pixels.
                    var from = sourceIndex(x: 0, y: y, orientation)
                    let step = newWidth > 1 ? sourceIndex(x: 1, y: y, orientation) - from : 0
                    for x in 0..<newWidth {
                        let to = (y * newWidth + x) * 3
                        target[to] = source[from * 3]
                        target[to + 1] = source[from * 3 + 1]
                        target[to + 2] = source[from * 3 + 2]
                        from += step
                    }
                }
            }
        }
        return Bitmap(width: newWidth, height: newHeight, rgb: result)
    }

    /// The number of the stored pixel that is shown at (x, y).
    private func sourceIndex(x: Int, y: Int, _ orientation: Orientation) -> Int {
        let place = orientation.stored(x: x, y: y, width: width, height: height)
        return place.row * width + place.column
    }
}

/// The canvas of a GIF, for which its decoder takes memory however little the file contains.
package struct GIFCanvas {
    /// Pixels.
    package let width: Int
    /// Pixels.
    package let height: Int

    /// The most pixels (128 MB) for which FFmpeg composes the canvas, so that the best of several pictures is shown.
    package static let mostComposed = 1 << 25
    /// The most pixels (64 MB) that are accepted however short the file is.
    private static let harmless = 1 << 24
    /// The most pixels of a byte, because a code of 12 bits stands for at most 4,096 of them (GIF89a, appendix F).
    private static let pixelsPerByte = 2731

    /// How many pixels it has.
    package var pixels: Int { width * height }

    /// Whether `count` bytes could fill the canvas; if not, its size is damaged, and half a gigabyte may be blank.
    package func canBeFilled(by count: Int) -> Bool { pixels <= max(Self.harmless, count * Self.pixelsPerByte) }
}

extension GIFCanvas {
    /// The canvas that a file with this start states; `nil` if it is too short.
    package init?(_ start: [UInt8]) {
        guard start.count >= 10 else { return nil }
        self.init(width: Int(start[6]) | Int(start[7]) << 8, height: Int(start[8]) | Int(start[9]) << 8)
    }
}

import CFFmpeg
import CPNG
import Frames
import Glibc
import MediaModel

/// The pixels of a PNG, read row by row and shrunk on the way, so that a large one needs little memory.
struct PNGPicture: ~Copyable {
    /// Opaque; often smaller than the picture.
    let frame: Frame
    let width: Int
    let height: Int
    /// Whether parts of it are transparent, and show the background.
    let showsBackground: Bool

    /// `nil` if libpng can read no row.
    ///
    /// A picture that is cut short or damaged is grey after that place, and the log says why.
    ///
    /// - Parameter descriptor: The file if `bytes` do not have its pixels.
    static func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>, inParts descriptor: Int32?, _ job: MediaJob
    ) throws(FFmpegError) -> PNGPicture? {
        let source = try PNGRows.opened(bytes, inParts: descriptor, maxPixels: job.limits.maxPixels)
        guard let source else { return nil }
        let longSide = job.longSide
        var canvas = try ShrinkingCanvas(
            width: source.width, height: source.height, channels: source.channels == 1 ? 1 : 3, longSide: longSide)
        var backing = PNGBacking(width: source.width, channels: source.channels, background: job.background)
        let read = try source.forEach { y, row in canvas.add(y, backing.opaque(row)) }
        guard read > 0 else { return nil }
        canvas.finish()
        let frame = canvas.taken()
        source.describe(frame)
        return PNGPicture(
            frame: frame, width: source.width, height: source.height, showsBackground: backing.isSeen)
    }

    /// The frame alone.
    consuming func taken() -> Frame { frame }

    private init(frame: consuming Frame, width: Int, height: Int, showsBackground: Bool) {
        self.frame = frame
        (self.width, self.height, self.showsBackground) = (width, height, showsBackground)
    }
}

/// Puts the background behind transparent rows.
private struct PNGBacking: ~Copyable {
    private let background: RGBColour
    private let channels: Int
    private let width: Int
    /// Whether any pixel was transparent.
    private(set) var isSeen = false

    init(width: Int, channels: Int, background: RGBColour) {
        (self.width, self.channels, self.background) = (width, channels, background)
    }

    /// The row without alpha, rewritten in place.
    mutating func opaque(_ pixels: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt8> {
        guard channels == 4 else { return UnsafePointer(pixels) }
        let buffer = UnsafeMutableBufferPointer(start: pixels, count: width * 4)
        if Frame.blend(buffer, over: background) { isSeen = true }
        let bytes = UnsafeMutableRawPointer(pixels)
        for x in 0..<width {
            // The fourth byte is that of the next pixel, which has been read before.
            let pixel = bytes.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
            bytes.storeBytes(of: pixel, toByteOffset: x &* 3, as: UInt32.self)
        }
        return UnsafePointer(pixels)
    }
}

import CFFmpeg
import CJXL
package import Frames
package import MediaModel

/// The decoded pixels of a JPEG XL, and what its header states.
package struct JXLPicture: ~Copyable {
    /// The opaque pixels, often of a smaller size than the picture.
    private let frame: Frame
    /// Pixels as they are stored.
    package let width: Int
    /// Pixels as they are stored.
    package let height: Int
    /// How the picture is to be turned.
    package let orientation: Orientation
    /// Whether parts of it are transparent, and show the background.
    package let showsBackground: Bool

    /// How many times larger than the thumbnail a picture must be to look the same without its filters.
    private static let filterLimit = 3

    /// The first frame, large enough for thumbnails of `longSide`.
    ///
    /// - Parameter maxPixels: Width times height; a larger picture is refused before memory is asked for.
    /// - Parameter background: What is put behind transparent parts.
    package static func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>, longSide: Int, maxPixels: Int, background: RGBColour
    ) throws(FFmpegError) -> JXLPicture {
        try JXLCodestream(bytes).withBytes { (bytes) throws(FFmpegError) in
            let decoder = try JXLDecoder.opened(bytes)
            let (width, height) = (Int(decoder.info.xsize), Int(decoder.info.ysize))
            try FFmpegError.checkSize(width, height, limit: maxPixels, "JxlDecoderGetBasicInfo")
            guard let reduced = reduced(decoder, longSide: longSide) else {
                return try decoded(decoder, decoder.frames, longSide: longSide, background: background)
            }
            do throws(FFmpegError) {
                return try reduced.span.withUnsafeBufferPointer { (frames) throws(FFmpegError) in
                    try decoded(decoder, frames, longSide: longSide, background: background)
                }
            } catch {
                guard !error.isOutOfMemory else { throw error }
                // Decodes the original, because the order of its sections may have been misread.
                let whole = try JXLDecoder.opened(bytes)
                return try decoded(whole, whole.frames, longSide: longSide, background: background)
            }
        }
    }

    private static func decoded(
        _ decoder: borrowing JXLDecoder, _ frames: UnsafeBufferPointer<UInt8>, longSide: Int, background: RGBColour
    ) throws(FFmpegError) -> JXLPicture {
        let info = decoder.info
        let colours = JXLColours(decoder)
        let hasAlpha = info.alpha_bits > 0
        let inks = colours.areInks ? JXLInks(decoder) : nil
        // Inks lie on paper, for which each sample has its largest value.
        let under = inks == nil ? background : RGBColour(red: 255, green: 255, blue: 255)
        let isGrey = info.num_color_channels == 1 && !hasAlpha
        let canvas = try JXLCanvas(
            width: Int(info.xsize), height: Int(info.ysize), longSide: longSide,
            format: colours.format(isGrey: isGrey), background: hasAlpha ? under : nil,
            isPremultiplied: info.alpha_premultiplied != 0)
        try decoder.paint(frames, on: canvas, inks)
        let frame: Frame
        switch inks {
        case .some(let inks): frame = try inks.frame(canvas, by: colours)
        case nil:
            frame = try canvas.taken()
            colours.describe(frame)
        }
        return JXLPicture(frame: frame, info: info, showsBackground: canvas.showsBackground)
    }

    /// The frames without what a picture of this size does not show; `nil` if they cannot be reduced.
    private static func reduced(_ decoder: borrowing JXLDecoder, longSide: Int) -> [UInt8]? {
        let side = Int(max(decoder.info.xsize, decoder.info.ysize))
        // Not with a preview, which would be the first of the frames.
        guard side >= longSide * filterLimit, decoder.info.have_preview == 0 else { return nil }
        let (frames, picture) = (decoder.frames, JXLFrameHeader.Picture(decoder.info))
        let halvings = JXLCanvas.halvings(of: side, longSide: longSide)
        guard let header = JXLFrameHeader(frames, of: picture) else { return nil }
        return header.withoutDetails(frames, halvings: halvings) ?? header.withoutFilters(frames)
    }

    private init(frame: consuming Frame, info: JxlBasicInfo, showsBackground: Bool) {
        self.frame = frame
        (width, height) = (Int(info.xsize), Int(info.ysize))
        orientation = Orientation(exif: Int(info.orientation.rawValue)) ?? .upright
        self.showsBackground = showsBackground
    }

    /// The frame alone.
    package consuming func taken() -> Frame { frame }
}

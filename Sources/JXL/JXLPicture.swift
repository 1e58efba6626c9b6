import CFFmpeg
import CJXL
package import Frames
package import MediaModel

/// The decoded pixels of a JPEG XL, and what its header states.
package struct JXLPicture: ~Copyable {
    /// Opaque; often smaller than the picture.
    private let frame: Frame
    /// Pixels as they are stored.
    package let width: Int
    /// Pixels as they are stored.
    package let height: Int
    /// How the picture is to be turned.
    package let orientation: Orientation
    /// Whether parts of it are transparent, and show the background.
    package let showsBackground: Bool

    /// From this many times larger than the thumbnail on, a picture without its filters looks the same.
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
            do throws(FFmpegError) {
                return try decoded(decoder, longSide: longSide, background: background)
            } catch {
                guard max(width, height) >= longSide * filterLimit, !error.isOutOfMemory else { throw error }
                // Sections may be in an order that was taken for another one.
                let whole = try JXLDecoder.opened(bytes)
                return try decoded(whole, longSide: longSide, background: background, isWhole: true)
            }
        }
    }

    private static func decoded(
        _ decoder: borrowing JXLDecoder, longSide: Int, background: RGBColour, isWhole: Bool = false
    ) throws(FFmpegError) -> JXLPicture {
        let info = decoder.info
        let colours = JXLColours(decoder)
        let hasAlpha = info.alpha_bits > 0
        let inks = colours.areInks ? JXLInks(decoder) : nil
        // Inks lie on paper, which is the largest number of each.
        let under = inks == nil ? background : RGBColour(red: 255, green: 255, blue: 255)
        let isGrey = info.num_color_channels == 1 && !hasAlpha
        let canvas = try JXLCanvas(
            width: Int(info.xsize), height: Int(info.ysize), longSide: longSide,
            format: colours.format(isGrey: isGrey), background: hasAlpha ? under : nil,
            isPremultiplied: info.alpha_premultiplied != 0)
        let isWhole = isWhole || max(info.xsize, info.ysize) < longSide * filterLimit
        let reduced = isWhole ? nil : reduced(decoder, halvings: canvas.halvings)
        if let reduced {
            try reduced.withUnsafeBufferPointer { (bytes) throws(FFmpegError) in
                try decoder.paint(bytes, on: canvas, inks)
            }
        } else {
            try decoder.paint(decoder.frames, on: canvas, inks)
        }
        let frame: Frame
        switch inks {
        case .some(let inks): frame = try inks.frame(canvas, by: colours)
        case nil:
            frame = try canvas.taken()
            colours.describe(frame)
        }
        return JXLPicture(frame: frame, info: info, showsBackground: canvas.showsBackground)
    }

    /// The frames without what a picture of such a size does not show; `nil` where that is not possible.
    private static func reduced(_ decoder: borrowing JXLDecoder, halvings: Int) -> [UInt8]? {
        // A preview would come first.
        guard decoder.info.have_preview == 0 else { return nil }
        let (frames, picture) = (decoder.frames, JXLFrameHeader.Picture(decoder.info))
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

import CFFmpeg
import Frames
import MediaModel

/// Makes the requested pictures from one decoded one.
enum ThumbnailRenderer {
    /// The thumbnails of one asset, and the placeholder that is shown until they have loaded.
    struct Rendered {
        var thumbnails: [Thumbnail] = []
        var thumbHash: String?
        /// The colour behind transparent parts; `nil` for an opaque picture.
        var background: RGBColour?
        /// Whether the picture is of one colour, for example because a decoder left everything blank.
        var isOfOneColour = false
    }

    /// One thumbnail per spec, all from `frame`, which is decoded once.
    ///
    /// - Parameter shape: The shape of the whole picture, which no thumbnail exceeds; the frame may be smaller if its
    ///   decoder halved it.
    /// - Parameter space: The space that EXIF states; used if the picture itself states none.
    /// - Parameter isLaid: Whether the background has been put behind its transparent parts already.
    static func rendered(
        _ frame: consuming Frame, shownAs shape: Shape, for job: MediaJob, space: ColourSpace? = nil,
        isLaid: Bool = false
    ) throws(FFmpegError) -> Rendered {
        guard let largest = job.specs.map(\.longSide).max() else { return Rendered() }
        var opaque = frame
        let showsBackground = try opaque.lay(over: job.background) || isLaid
        // Scaled before its colours are changed and it is turned, because both then have fewer pixels to change.
        let size = shape.fitted(into: largest).stored
        let colours = ColourPlan(for: opaque, space: space)
        let small = try Scaler.scaled(
            opaque, width: size.width, height: size.height, isJFIF: colours.isOfBytes)
        let master = try colours.standard(small).turned(shape.orientation)
        var rendered = Rendered(background: showsBackground ? job.background : nil)
        for spec in job.specs {
            rendered.thumbnails.append(try thumbnail(of: master, shape.fitted(into: spec.longSide), spec))
        }
        let tiny = try tiny(master)
        rendered.thumbHash = ThumbHash.text(of: tiny)
        rendered.isOfOneColour = tiny.isOfOneColour
        return rendered
    }

    private static func thumbnail(
        of master: borrowing Frame, _ shape: Shape, _ spec: ThumbnailSpec
    ) throws(FFmpegError) -> Thumbnail {
        let (width, height) = (shape.shown.width, shape.shown.height)
        return switch spec.format {
        case .jpeg: try JPEGEncoder.thumbnail(of: master, width: width, height: height, spec: spec)
        case .webp: try WebPEncoder.thumbnail(of: master, width: width, height: height, spec: spec)
        // Without an encoder for AVIF it becomes a JPEG, and says so in its spec.
        case .avif where !AVIFEncoder.isThere:
            try JPEGEncoder.thumbnail(
                of: master, width: width, height: height,
                spec: ThumbnailSpec(longSide: spec.longSide, maxBytes: spec.maxBytes, format: .jpeg))
        case .avif: try AVIFEncoder.thumbnail(of: master, width: width, height: height, spec: spec)
        case .png: try PNGEncoder.thumbnail(of: master, width: width, height: height, spec: spec)
        }
    }

    private static func tiny(_ master: borrowing Frame) throws(FFmpegError) -> Bitmap {
        let size = Shape(width: master.width, height: master.height, pixelAspect: 1, orientation: .upright)
            .fitted(into: 32).stored
        return try Scaler.bitmap(from: master, width: size.width, height: size.height, quality: .quick)
    }
}

extension Bitmap {
    /// Whether no two pixels differ by more than rounding.
    fileprivate var isOfOneColour: Bool {
        (0..<3).allSatisfy { channel in
            let values = stride(from: channel, to: rgb.count, by: 3).lazy.map { rgb[$0] }
            guard let low = values.min(), let high = values.max() else { return true }
            return high - low <= 1
        }
    }
}

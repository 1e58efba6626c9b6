import CFFmpeg
import Frames
import MediaModel

/// Encodes small pictures as PNG, for file managers' caches.
enum PNGEncoder {
    /// A PNG of this size of a JFIF frame.
    static func thumbnail(
        of master: borrowing Frame, width: Int, height: Int, spec: ThumbnailSpec
    ) throws(FFmpegError) -> Thumbnail {
        let target = Scaler.Target(width: width, height: height, format: AV_PIX_FMT_RGB24)
        let frame = try Scaler.convert(master, to: target, flags: Scaler.exact)
        let bytes = try Encoder.file(of: frame, by: "png", options: [("compression_level", "3")])
        return Thumbnail(spec: spec, width: width, height: height, bytes: bytes)
    }
}

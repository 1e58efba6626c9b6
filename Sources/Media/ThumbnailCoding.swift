import CFFmpeg
import Frames
import MediaModel

/// A lossy format of thumbnails, in qualities of its own.
protocol ThumbnailCoding {
    /// From fine to coarse; the first is used unless the picture then has too many bytes.
    static var qualities: [Int32] { get }

    /// The whole file of an opaque JFIF frame.
    static func encode(_ frame: borrowing Frame, quality: Int32) throws(FFmpegError) -> [UInt8]
}

extension ThumbnailCoding {
    /// The finest picture of this size within the spec's budget; smaller in pixels if no quality fits.
    static func thumbnail(
        of master: borrowing Frame, width: Int, height: Int, spec: ThumbnailSpec
    ) throws(FFmpegError) -> Thumbnail {
        var (width, height) = (width, height)
        while true {
            let bytes: [UInt8]
            if width == master.width, height == master.height {
                bytes = try finest(of: master, maxBytes: spec.maxBytes)
            } else {
                let frame = try Scaler.jpegFrame(from: master, width: width, height: height, format: master.format)
                bytes = try finest(of: frame, maxBytes: spec.maxBytes)
            }
            if bytes.count <= spec.maxBytes || max(width, height) <= 16 {
                return Thumbnail(spec: spec, width: width, height: height, bytes: bytes)
            }
            (width, height) = (max(1, width * 3 / 4), max(1, height * 3 / 4))
        }
    }

    /// The file in the finest quality that fits, found by bisection; in the coarsest when none does.
    private static func finest(of frame: borrowing Frame, maxBytes: Int) throws(FFmpegError) -> [UInt8] {
        var best = try encode(frame, quality: qualities[0])
        guard best.count > maxBytes else { return best }
        best = try encode(frame, quality: qualities[qualities.count - 1])
        var (tooFine, fits) = (0, qualities.count - 1)
        while fits - tooFine > 1, best.count <= maxBytes {
            let middle = (tooFine + fits) / 2
            let bytes = try encode(frame, quality: qualities[middle])
            if bytes.count <= maxBytes { (fits, best) = (middle, bytes) } else { tooFine = middle }
        }
        return best
    }
}

import Frames
import MediaModel

/// Encodes small pictures as baseline JPEG without metadata.
enum JPEGEncoder {
    /// Quantizer scales of FFmpeg's encoder from fine to coarse; its legal range is 2 to 31.
    private static let scales: [Int32] = [3, 4, 5, 6, 7, 9, 11, 14, 18, 24, 31]

    /// The finest JPEG of this size of a JFIF frame within the spec's budget; smaller in pixels where no quality fits.
    static func thumbnail(
        of master: borrowing Frame, width: Int, height: Int, spec: ThumbnailSpec
    ) throws(FFmpegError) -> Thumbnail {
        var (width, height) = (width, height)
        while true {
            let jpeg: [UInt8]
            if width == master.width, height == master.height {
                jpeg = try finest(of: master, maxBytes: spec.maxBytes)
            } else {
                let frame = try Scaler.jpegFrame(
                    from: master, width: width, height: height, format: master.format)
                jpeg = try finest(of: frame, maxBytes: spec.maxBytes)
            }
            if jpeg.count <= spec.maxBytes || max(width, height) <= 16 {
                return Thumbnail(spec: spec, width: width, height: height, bytes: jpeg)
            }
            (width, height) = (max(1, width * 3 / 4), max(1, height * 3 / 4))
        }
    }

    /// The JPEG at the finest scale that fits, found by bisection; at the coarsest when none does.
    private static func finest(of frame: borrowing Frame, maxBytes: Int) throws(FFmpegError) -> [UInt8] {
        var best = try encode(frame, scale: scales[0])
        guard best.count > maxBytes else { return best }
        best = try encode(frame, scale: scales[scales.count - 1])
        var (tooFine, fits) = (0, scales.count - 1)
        while fits - tooFine > 1, best.count <= maxBytes {
            let middle = (tooFine + fits) / 2
            let jpeg = try encode(frame, scale: scales[middle])
            if jpeg.count <= maxBytes { (fits, best) = (middle, jpeg) } else { tooFine = middle }
        }
        return best
    }

    private static func encode(_ frame: borrowing Frame, scale: Int32) throws(FFmpegError) -> [UInt8] {
        try Encoder.file(of: frame, by: "mjpeg", scale: scale)
    }
}

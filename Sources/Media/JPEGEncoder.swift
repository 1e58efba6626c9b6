import CFFmpeg
import Frames

/// Encodes small pictures as baseline JPEG without metadata.
enum JPEGEncoder: ThumbnailCoding {
    /// Quantizer scales of FFmpeg's encoder; its legal range is 2 to 31.
    static let qualities: [Int32] = [3, 4, 5, 6, 7, 9, 11, 14, 18, 24, 31]

    static func encode(_ frame: borrowing Frame, quality: Int32) throws(FFmpegError) -> [UInt8] {
        try Encoder.file(of: frame, by: "mjpeg", scale: quality)
    }
}

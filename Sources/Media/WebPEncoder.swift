import CFFmpeg
import CWebP
import Frames

/// Encodes small pictures as lossy WebP without metadata.
enum WebPEncoder: ThumbnailCoding {
    /// The finest quality looks as good as the finest JPEG, by SSIM.
    static let qualities: [Int32] = [84, 78, 70, 60, 50, 40, 30, 20, 10, 0]

    static func encode(_ frame: borrowing Frame, quality: Int32) throws(FFmpegError) -> [UInt8] {
        var configuration = WebPConfig()
        guard cwebp_configure(&configuration, Float(quality)) != 0 else { throw failure("WebPConfigPreset") }
        var picture = WebPPicture()
        guard cwebp_prepare(&picture) != 0 else { throw failure("WebPPictureInit") }
        defer { WebPPictureFree(&picture) }
        (picture.width, picture.height) = (Int32(frame.width), Int32(frame.height))
        // A drawing has colours in full resolution; WebP halves it, and its slower method for that keeps edges sharp.
        guard frame.format == AV_PIX_FMT_YUVJ444P else {
            let halved = try converted(frame, to: AV_PIX_FMT_YUV420P, isFullRange: false)
            (picture.y, picture.u, picture.v) = (
                halved.pointer.pointee.data.0, halved.pointer.pointee.data.1, halved.pointer.pointee.data.2
            )
            (picture.y_stride, picture.uv_stride) = (
                halved.pointer.pointee.linesize.0, halved.pointer.pointee.linesize.1
            )
            return try written(&picture, &configuration)
        }
        configuration.use_sharp_yuv = 1
        let plain = try converted(frame, to: AV_PIX_FMT_RGB24, isFullRange: true)
        guard
            WebPPictureImportRGB(&picture, plain.pointer.pointee.data.0, plain.pointer.pointee.linesize.0) != 0
        else { throw failure("WebPPictureImportRGB") }
        return try written(&picture, &configuration)
    }

    private static func converted(
        _ frame: borrowing Frame, to format: AVPixelFormat, isFullRange: Bool
    ) throws(FFmpegError) -> Frame {
        let target = Scaler.Target(
            width: frame.width, height: frame.height, format: format, isFullRange: isFullRange)
        return try Scaler.convert(frame, to: target, flags: Scaler.exact)
    }

    private static func written(
        _ picture: inout WebPPicture, _ configuration: inout WebPConfig
    ) throws(FFmpegError) -> [UInt8] {
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        let isDone = withUnsafeMutablePointer(to: &writer) { writer in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&configuration, &picture) != 0
        }
        guard isDone, let start = writer.mem else {
            throw picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY
                ? FFmpegError(call: "WebPEncode", code: cffmpeg_error_out_of_memory) : failure("WebPEncode")
        }
        return Array(UnsafeBufferPointer(start: start, count: writer.size))
    }

    private static func failure(_ call: String) -> FFmpegError {
        FFmpegError(call: call, code: cffmpeg_error_invalid_data)
    }
}

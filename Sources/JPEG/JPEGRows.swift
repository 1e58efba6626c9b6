import CFFmpeg
import CJPEG
package import Frames
import Glibc

/// The rows of a JPEG by libjpeg, which reads arithmetic coding, odd samplings and inks; closed with their owner.
package struct JPEGRows: ~Copyable {
    private let reader: UnsafeMutablePointer<cjpeg_reader>
    private let channels: Int

    /// - Parameter bytes: The file, which must outlive this value.
    /// - Parameter maxPixels: Width times height; a larger picture is refused before memory is asked for.
    static func opened(
        _ bytes: UnsafeBufferPointer<UInt8>, halvings: Int, maxPixels: Int
    ) throws(FFmpegError) -> JPEGRows {
        var words = [CChar](repeating: 0, count: 128)
        guard let reader = cjpeg_open(bytes.baseAddress, bytes.count, &words, words.count) else {
            DecoderLog.keep(String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            throw FFmpegError(call: "jpeg_read_header", code: cffmpeg_error_invalid_data)
        }
        let (width, height) = (Int(reader.pointee.info.image_width), Int(reader.pointee.info.image_height))
        guard width > 0, height > 0, width <= maxPixels / height else {
            cjpeg_close(reader)
            throw .tooLarge(width, height, limit: maxPixels, "jpeg_read_header")
        }
        let channels = Int(cjpeg_start(reader, Int32(halvings)))
        let rows = JPEGRows(reader: reader, channels: channels)
        guard [1, 3, 4].contains(channels) else { throw rows.failure("jpeg_start_decompress") }
        return rows
    }

    /// The whole picture or a smaller one, with only libjpeg's messages in the log; `nil` if libjpeg refuses.
    package static func picture(
        in bytes: UnsafeBufferPointer<UInt8>, halvings: Int, maxPixels: Int
    ) throws(FFmpegError) -> Frame? {
        DecoderLog.clear()
        do throws(FFmpegError) {
            return try opened(bytes, halvings: halvings, maxPixels: maxPixels).frame()
        } catch {
            // Refusing the size is final, because libjpeg takes larger pictures than FFmpeg.
            guard !error.isOutOfMemory, error.words == nil else { throw error }
        }
        DecoderLog.clear()
        return nil
    }

    private init(reader: UnsafeMutablePointer<cjpeg_reader>, channels: Int) {
        (self.reader, self.channels) = (reader, channels)
    }

    deinit { cjpeg_close(reader) }

    /// The picture; grey where rows are missing.
    func frame() throws(FFmpegError) -> Frame {
        let (width, height) = (Int(reader.pointee.info.output_width), Int(reader.pointee.info.output_height))
        let format = channels == 1 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB24
        let frame = try Frame.blank(width: width, height: height, format: format)
        guard let target = frame.pointer.pointee.data.0 else { return frame }
        let stride = Int(frame.pointer.pointee.linesize.0)
        target.update(repeating: 128, count: stride * height)
        var count: UInt32 = 0
        let bytes = cjpeg_profile(reader, &count)
        defer { free(bytes) }
        let profile = UnsafeBufferPointer(start: bytes, count: Int(count))
        let transform = channels == 4 ? ColourTransform(inks: profile) : nil
        var row = [UInt8](repeating: 0, count: width * channels)
        for y in 0..<height {
            guard cjpeg_row(reader, &row) != 0 else {
                guard y > 0 else { throw failure("jpeg_read_scanlines") }
                break
            }
            if channels == 4 {
                // Samples say how much paper is left, in files of Adobe's programs and of others that lack its mark.
                for at in row.indices { row[at] = ~row[at] }
                row.withUnsafeMutableBufferPointer {
                    $0.baseAddress?.paintInks(width, by: transform, into: target + y * stride)
                }
            } else {
                (target + y * stride).update(from: row, count: row.count)
            }
        }
        if channels != 4 { frame.setProfile(profile) }
        if let words { DecoderLog.keep(words) }
        return frame
    }

    /// The library's last words about damage.
    private var words: String? {
        let bytes = withUnsafeBytes(of: reader.pointee.message) { $0.prefix { $0 != 0 } + [] }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private func failure(_ call: String) -> FFmpegError {
        if let words { DecoderLog.keep(words) }
        return FFmpegError(call: call, code: cffmpeg_error_invalid_data)
    }
}

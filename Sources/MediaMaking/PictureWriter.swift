import CFFmpeg
package import Frames
import MediaModel

/// Encodes a bitmap as a whole picture file.
package enum PictureWriter {
    /// The formats that one encoder call turns into a whole file.
    package enum Format: String, CaseIterable, Sendable {
        case jpeg, png, webp, bmp, tiff, jxl, heic, avif
    }

    /// The file's bytes.
    package static func encode(_ bitmap: Bitmap, as format: Format) throws(FFmpegError) -> [UInt8] {
        guard let recipe = recipe(format) else {
            return try HEIFWriter(format == .avif ? .av1 : .hevc).encode(bitmap)
        }
        let frame = try Frame.copy(of: bitmap)
        let target = Scaler.Target(
            width: bitmap.width, height: bitmap.height, format: recipe.format, isFullRange: format != .webp)
        let converted = try Scaler.convert(frame, to: target, flags: SWS_BICUBIC | SWS_ACCURATE_RND)
        return try Encoder.file(of: converted, by: recipe.encoder, scale: recipe.scale, options: recipe.options)
    }

    /// How much of the colour a JPEG keeps: all, half of the columns, or half of the columns and rows.
    package enum Sampling: CaseIterable, Sendable {
        case whole, halfColumns, half

        fileprivate var format: AVPixelFormat {
            switch self {
            case .whole: AV_PIX_FMT_YUVJ444P
            case .halfColumns: AV_PIX_FMT_YUVJ422P
            case .half: AV_PIX_FMT_YUVJ420P
            }
        }
    }

    /// A baseline JPEG with optimal Huffman codes, or with the default ones.
    package static func jpeg(
        _ bitmap: Bitmap, sampling: Sampling, hasOwnCodes: Bool = true
    ) throws(FFmpegError) -> [UInt8] {
        let target = Scaler.Target(width: bitmap.width, height: bitmap.height, format: sampling.format)
        let frame = try Scaler.convert(try Frame.copy(of: bitmap), to: target, flags: Scaler.exact)
        return try Encoder.file(
            of: frame, by: "mjpeg", scale: 3, options: [("huffman", hasOwnCodes ? "optimal" : "default")])
    }

    /// A PNG with the opacity of each pixel from `alpha`, one byte each.
    package static func transparentPNG(_ bitmap: Bitmap, alpha: [UInt8]) throws(FFmpegError) -> [UInt8] {
        let frame = try Frame.blank(width: bitmap.width, height: bitmap.height, format: AV_PIX_FMT_RGBA)
        guard let data = frame.pointer.pointee.data.0 else { return [] }
        for y in 0..<bitmap.height {
            let row = data + y * Int(frame.pointer.pointee.linesize.0)
            for x in 0..<bitmap.width {
                let at = y * bitmap.width + x
                for channel in 0..<3 { row[x * 4 + channel] = bitmap.rgb[at * 3 + channel] }
                row[x * 4 + 3] = alpha[at]
            }
        }
        return try Encoder.file(of: frame, by: "png")
    }

    /// How FFmpeg encodes the format; `nil` if libheif does.
    private static func recipe(
        _ format: Format
    ) -> (encoder: String, format: AVPixelFormat, scale: Int32?, options: [(String, String)])? {
        switch format {
        case .heic, .avif: nil
        case .jpeg: ("mjpeg", AV_PIX_FMT_YUVJ420P, 3, [])
        case .png: ("png", AV_PIX_FMT_RGB24, nil, [("compression_level", "3")])
        case .webp: ("libwebp", AV_PIX_FMT_YUV420P, nil, [("quality", "85")])
        case .bmp: ("bmp", AV_PIX_FMT_BGR24, nil, [])
        case .tiff: ("tiff", AV_PIX_FMT_RGB24, nil, [])
        case .jxl: ("libjxl", AV_PIX_FMT_RGB24, nil, [("effort", "3")])
        }
    }
}

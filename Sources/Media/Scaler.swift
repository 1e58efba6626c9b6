import CFFmpeg

/// Converts frames between sizes and pixel formats with their colours kept.
enum Scaler {
    /// The frame as a bitmap of this size; alpha over white.
    static func bitmap(
        from frame: borrowing Frame, width: Int, height: Int, quality: Quality = .best
    ) throws(FFmpegError) -> Bitmap {
        if hasAlpha(frame.format) {
            let opaque = try overWhite(frame)
            return try bitmap(fromOpaque: opaque, width: width, height: height, quality: quality)
        }
        return try bitmap(fromOpaque: frame, width: width, height: height, quality: quality)
    }

    enum Quality {
        /// Every source pixel counts; for pictures people see.
        case best
        /// For judging a frame.
        case quick

        fileprivate var flags: Int32 {
            switch self {
            case .best: SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
            case .quick: SWS_AREA
            }
        }
    }

    private static func bitmap(
        fromOpaque frame: borrowing Frame, width: Int, height: Int, quality: Quality
    ) throws(FFmpegError) -> Bitmap {
        let target = Target(width: width, height: height, format: AV_PIX_FMT_RGB24)
        return try convert(frame, to: target, flags: quality.flags).rgbBitmap
    }

    /// The bitmap as a full-range JFIF frame of this size, for the JPEG encoder.
    static func jpegFrame(from bitmap: Bitmap, width: Int, height: Int) throws(FFmpegError) -> Frame {
        let source = try Frame.copy(of: bitmap)
        let target = Target(width: width, height: height, format: AV_PIX_FMT_YUVJ420P)
        return try convert(source, to: target, flags: SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP)
    }

    /// What a frame is to become; JFIF's colours unless told otherwise.
    struct Target {
        var width: Int
        var height: Int
        var format: AVPixelFormat
        /// Whether brightness uses all 256 steps, not the 220 of video.
        var isFullRange = true
        /// Swscale's number for the matrix of YUV formats.
        var matrix = SWS_CS_ITU601
    }

    /// A copy in another size, format and notion of colour.
    static func convert(
        _ frame: borrowing Frame, to target: Target, flags: Int32
    ) throws(FFmpegError) -> Frame {
        let (from, isFull) = plain(frame.format, range: frame.pointer.pointee.color_range)
        let (to, becomesFull) = plain(target.format, range: target.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG)
        let context = sws_getContext(
            Int32(frame.width), Int32(frame.height), from, Int32(target.width), Int32(target.height), to, flags,
            nil, nil, nil)
        guard let context else { throw FFmpegError(call: "sws_getContext", code: cffmpeg_error_invalid_data) }
        defer { sws_freeContext(context) }
        sws_setColorspaceDetails(
            context, sws_getCoefficients(matrix(of: frame)), isFull ? 1 : 0,
            sws_getCoefficients(target.matrix), becomesFull ? 1 : 0, 0, 1 << 16, 1 << 16)
        let result = try Frame.blank(width: target.width, height: target.height, format: target.format)
        try FFmpegError.check(sws_scale_frame(context, result.pointer, frame.pointer), "sws_scale_frame")
        return result
    }

    /// Swscale's number for the frame's colour matrix; by size where the file does not say, as players do.
    private static func matrix(of frame: borrowing Frame) -> Int32 {
        switch frame.pointer.pointee.colorspace {
        case AVCOL_SPC_BT709: SWS_CS_ITU709
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
        case AVCOL_SPC_SMPTE240M: SWS_CS_SMPTE240M
        case AVCOL_SPC_FCC: SWS_CS_FCC
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: SWS_CS_ITU601
        default:
            isJPEGFormat(frame.format) || frame.height < 720 ? SWS_CS_ITU601 : SWS_CS_ITU709
        }
    }

    private static func isJPEGFormat(_ format: AVPixelFormat) -> Bool {
        plain(format, range: AVCOL_RANGE_UNSPECIFIED).format != format
    }

    /// The format without FFmpeg's deprecated notion of a range within it, and whether the range is full.
    private static func plain(
        _ format: AVPixelFormat, range: AVColorRange
    ) -> (format: AVPixelFormat, isFull: Bool) {
        switch format {
        case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
        case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
        case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
        case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
        case AV_PIX_FMT_YUVJ411P: (AV_PIX_FMT_YUV411P, true)
        default: (format, range == AVCOL_RANGE_JPEG)
        }
    }
}

extension Scaler {
    private static func hasAlpha(_ format: AVPixelFormat) -> Bool {
        guard let description = av_pix_fmt_desc_get(format) else { return false }
        return format == AV_PIX_FMT_PAL8 || description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// The frame at full size with alpha blended over white.
    ///
    /// Before scaling, since the colour of invisible pixels must not bleed into visible ones.
    private static func overWhite(_ frame: borrowing Frame) throws(FFmpegError) -> Frame {
        let target = Target(width: frame.width, height: frame.height, format: AV_PIX_FMT_RGBA)
        let result = try convert(frame, to: target, flags: SWS_POINT)
        guard let data = result.pointer.pointee.data.0 else { return result }
        for row in 0..<result.height {
            let pixels = UnsafeMutableBufferPointer(
                start: data + row * Int(result.pointer.pointee.linesize.0), count: result.width * 4)
            blendOverWhite(pixels)
        }
        result.pointer.pointee.format = AV_PIX_FMT_RGB0.rawValue
        return result
    }

    private static func blendOverWhite(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = UInt32(pixels[pixel + 3])
            guard alpha < 255 else { continue }
            for channel in pixel..<pixel + 3 {
                let blended = UInt32(pixels[channel]) * alpha + 255 * (255 - alpha)
                pixels[channel] = UInt8((blended + 127) / 255)
            }
        }
    }
}

extension Frame {
    /// A copy of a bitmap.
    static func copy(of bitmap: Bitmap) throws(FFmpegError) -> Frame {
        let frame = try Frame.blank(width: bitmap.width, height: bitmap.height, format: AV_PIX_FMT_RGB24)
        let row = bitmap.width * 3
        bitmap.rgb.withUnsafeBufferPointer { source in
            guard let from = source.baseAddress, let to = frame.pointer.pointee.data.0 else { return }
            for y in 0..<bitmap.height {
                (to + y * Int(frame.pointer.pointee.linesize.0)).update(from: from + y * row, count: row)
            }
        }
        return frame
    }

    /// A copy of this frame, which must be RGB24.
    var rgbBitmap: Bitmap {
        let row = width * 3
        let rgb = [UInt8](unsafeUninitializedCapacity: row * height) { target, count in
            if let from = pointer.pointee.data.0, let to = target.baseAddress {
                for y in 0..<height {
                    (to + y * row).update(from: from + y * Int(pointer.pointee.linesize.0), count: row)
                }
            }
            count = row * height
        }
        return Bitmap(width: width, height: height, rgb: rgb)
    }
}

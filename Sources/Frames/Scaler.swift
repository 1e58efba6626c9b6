package import CFFmpeg

/// Converts frames between sizes and pixel formats, and keeps their colours.
package enum Scaler {
    /// How much work to spend on a smaller copy.
    package enum Quality {
        /// For pictures that the user sees; every source pixel counts.
        case best
        /// For scoring a frame.
        case quick

        fileprivate var flags: Int32 {
            switch self {
            case .best: SWS_BICUBIC | SWS_ACCURATE_RND
            case .quick: SWS_AREA
            }
        }
    }

    /// The opaque frame in another size, with the same colour model and colour description.
    ///
    /// Scaling the planes as they are takes a third of the time of scaling into red, green and blue.
    ///
    /// - Parameter isJFIF: Whether to convert red, green and blue to JFIF's brightness and whole colours on the way.
    package static func scaled(
        _ frame: borrowing Frame, width: Int, height: Int, quality: Quality = .best, isJFIF: Bool = false
    ) throws(FFmpegError) -> Frame {
        if isJFIF, isRGB(frame.format) {
            let target = Target(width: width, height: height, format: AV_PIX_FMT_YUVJ444P)
            return try convert(frame, to: target, flags: quality.flags | SWS_FULL_CHR_H_INP)
        }
        let format = smallFormat(frame.format)
        let (_, isFull) = plain(frame.format, range: frame.pointer.pointee.color_range)
        let flags = quality.flags | (isRGB(frame.format) ? SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT : 0)
        let target = Target(
            width: width, height: height, format: format, isFullRange: isFull || isRGB(frame.format),
            matrix: isRGB(frame.format) ? SWS_CS_ITU601 : matrix(of: frame))
        let result = try convert(frame, to: target, flags: flags)
        result.pointer.pointee.color_range = isFull ? AVCOL_RANGE_JPEG : frame.pointer.pointee.color_range
        result.pointer.pointee.color_primaries = frame.pointer.pointee.color_primaries
        result.pointer.pointee.color_trc = frame.pointer.pointee.color_trc
        result.pointer.pointee.colorspace = named(matrix(of: frame))
        return result
    }

    /// The opaque frame as a bitmap of this size.
    package static func bitmap(
        from frame: borrowing Frame, width: Int, height: Int, quality: Quality = .best
    ) throws(FFmpegError) -> Bitmap {
        let small = try scaled(frame, width: width, height: height, quality: quality)
        let target = Target(width: width, height: height, format: AV_PIX_FMT_RGB24)
        return try convert(small, to: target, flags: exact).rgbBitmap
    }

    /// The opaque frame as a full-range JFIF frame of this size, for the JPEG encoder.
    package static func jpegFrame(
        from frame: borrowing Frame, width: Int, height: Int, format: AVPixelFormat = AV_PIX_FMT_YUVJ420P
    ) throws(FFmpegError) -> Frame {
        let target = Target(width: width, height: height, format: format)
        return try convert(frame, to: target, flags: exact)
    }

    /// Flags for changes of the format without scaling.
    package static let exact = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP

    /// The format for scaling down: close to the stored one, but one of a few common layouts.
    private static func smallFormat(_ format: AVPixelFormat) -> AVPixelFormat {
        guard let description = av_pix_fmt_desc_get(format) else { return AV_PIX_FMT_RGB24 }
        let isDeep = description.pointee.comp.0.depth > 8
        if isRGB(format) { return isDeep ? AV_PIX_FMT_RGB48LE : AV_PIX_FMT_RGB24 }
        if description.pointee.nb_components < 3 { return AV_PIX_FMT_GRAY8 }
        return isDeep ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
    }

    /// Whether it has red, green and blue, or a palette of them.
    static func isRGB(_ format: AVPixelFormat) -> Bool {
        guard let description = av_pix_fmt_desc_get(format) else { return false }
        return format == AV_PIX_FMT_PAL8 || description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    }

    /// The result of a conversion; JFIF's colours unless set otherwise.
    package struct Target {
        /// Pixels.
        var width: Int
        /// Pixels.
        var height: Int
        /// How the pixels lie in memory.
        var format: AVPixelFormat
        /// Whether brightness uses all 256 steps, not the 220 of video.
        var isFullRange: Bool
        /// Swscale's number for the matrix of YUV formats.
        var matrix: Int32

        /// A target of this size in pixels.
        package init(
            width: Int, height: Int, format: AVPixelFormat, isFullRange: Bool = true, matrix: Int32 = SWS_CS_ITU601
        ) {
            self.width = width
            self.height = height
            self.format = format
            self.isFullRange = isFullRange
            self.matrix = matrix
        }
    }

    /// A copy with another size, format and colour matrix.
    package static func convert(
        _ frame: borrowing Frame, to target: Target, flags: Int32
    ) throws(FFmpegError) -> Frame {
        var (from, isFull) = plain(frame.format, range: frame.pointer.pointee.color_range)
        var (to, becomesFull) = plain(target.format, range: target.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG)
        // Swscale converts through brightness and colour, and would stretch the values if the ranges of both differed.
        if isRGB(from), isRGB(to) { (isFull, becomesFull) = (false, false) }
        guard let context = sws_alloc_context() else {
            throw FFmpegError(call: "sws_alloc_context", code: cffmpeg_error_out_of_memory)
        }
        defer { sws_freeContext(context) }
        let settings: [(String, Int)] = [
            ("srcw", frame.width), ("srch", frame.height), ("src_format", Int(from.rawValue)),
            ("src_range", isFull ? 1 : 0), ("dstw", target.width), ("dsth", target.height),
            ("dst_format", Int(to.rawValue)), ("dst_range", becomesFull ? 1 : 0), ("sws_flags", Int(flags)),
        ]
        // The ranges must be set before the start, or swscale may take both sides as equal and only copy the samples.
        for (name, value) in settings { av_opt_set_int(UnsafeMutableRawPointer(context), name, Int64(value), 0) }
        try FFmpegError.check(sws_init_context(context, nil, nil), "sws_init_context")
        sws_setColorspaceDetails(
            context, sws_getCoefficients(matrix(of: frame)), isFull ? 1 : 0,
            sws_getCoefficients(target.matrix), becomesFull ? 1 : 0, 0, 1 << 16, 1 << 16)
        let result = try Frame.blank(width: target.width, height: target.height, format: target.format)
        try FFmpegError.check(sws_scale_frame(context, result.pointer, frame.pointer), "sws_scale_frame")
        return result
    }

    /// Swscale's number for the frame's colour matrix; if the file states none it follows from the size, as in players.
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

    /// FFmpeg's constant for swscale's number of a matrix.
    private static func named(_ matrix: Int32) -> AVColorSpace {
        switch matrix {
        case SWS_CS_ITU709: AVCOL_SPC_BT709
        case SWS_CS_BT2020: AVCOL_SPC_BT2020_NCL
        case SWS_CS_SMPTE240M: AVCOL_SPC_SMPTE240M
        case SWS_CS_FCC: AVCOL_SPC_FCC
        default: AVCOL_SPC_SMPTE170M
        }
    }

    private static func isJPEGFormat(_ format: AVPixelFormat) -> Bool {
        plain(format, range: AVCOL_RANGE_UNSPECIFIED).format != format
    }

    /// The format without the range that FFmpeg's deprecated formats imply, and whether the range is full.
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

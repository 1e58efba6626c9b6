import CFFmpeg
import CHeif
import Frames

extension Frame {
    /// Wraps the pixels of a libheif image without copying them; the frame then owns the image.
    static func wrapping(_ image: OpaquePointer) throws(FFmpegError) -> Frame {
        let owner = av_buffer_create(
            nil, 0, { opaque, _ in heif_image_release(opaque.map(OpaquePointer.init)) }, UnsafeMutableRawPointer(image),
            0)
        guard let owner else {
            heif_image_release(image)
            throw FFmpegError(call: "av_buffer_create", code: cffmpeg_error_out_of_memory)
        }
        var buffer: UnsafeMutablePointer<AVBufferRef>? = owner
        do throws(FFmpegError) {
            guard let layout = HEIFLayout(image) else {
                throw FFmpegError(call: "heif_image_get_chroma_format", code: cffmpeg_error_invalid_data)
            }
            let frame = try Frame()
            frame.pointer.pointee.width = heif_image_get_primary_width(image)
            frame.pointer.pointee.height = heif_image_get_primary_height(image)
            frame.pointer.pointee.format = layout.format.rawValue
            try frame.point(at: layout.channels, of: image)
            frame.pointer.pointee.buf.0 = owner
            buffer = nil
            return frame
        } catch {
            av_buffer_unref(&buffer)
            throw error
        }
    }

    /// Whether a libheif image has an alpha plane that is as large and as deep as its other planes.
    ///
    /// Libheif takes the size of the alpha from a box, but passes on the plane that it decoded: if that is smaller,
    /// using it would read memory beyond it.
    static func hasWholeAlpha(_ image: OpaquePointer) -> Bool {
        guard heif_image_has_channel(image, heif_channel_Alpha) != 0 else { return false }
        let isRGB = heif_image_get_colorspace(image) == heif_colorspace_RGB
        func form(_ channel: heif_channel) -> [Int32] {
            [
                heif_image_get_width(image, channel), heif_image_get_height(image, channel),
                heif_image_get_bits_per_pixel_range(image, channel),
            ]
        }
        return form(heif_channel_Alpha) == form(isRGB ? heif_channel_R : heif_channel_Y)
    }

    private func point(at channels: [heif_channel], of image: OpaquePointer) throws(FFmpegError) {
        var planes: [(data: UnsafeMutablePointer<UInt8>, stride: Int32)] = []
        for channel in channels {
            var stride: Int32 = 0
            guard let data = heif_image_get_plane(image, channel, &stride),
                heif_image_get_width(image, channel) > 0
            else { throw FFmpegError(call: "heif_image_get_plane", code: cffmpeg_error_invalid_data) }
            planes.append((data, stride))
        }
        withUnsafeMutablePointer(to: &pointer.pointee.data) { tuple in
            tuple.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
                for (index, plane) in planes.enumerated() { data[index] = plane.data }
            }
        }
        withUnsafeMutablePointer(to: &pointer.pointee.linesize) { tuple in
            tuple.withMemoryRebound(to: Int32.self, capacity: 8) { strides in
                for (index, plane) in planes.enumerated() { strides[index] = plane.stride }
            }
        }
    }
}

/// The FFmpeg format of a libheif image, and its channels in the order of FFmpeg's planes.
private struct HEIFLayout {
    let format: AVPixelFormat
    let channels: [heif_channel]

    /// `nil` for a layout that no codec in a HEIF produces.
    init?(_ image: OpaquePointer) {
        guard heif_image_get_chroma_format(image) != heif_chroma_interleaved_RGBA else {
            (format, channels) = (AV_PIX_FMT_RGBA, [heif_channel_interleaved])
            return
        }
        let hasAlpha = Frame.hasWholeAlpha(image)
        let isRGB = heif_image_get_colorspace(image) == heif_colorspace_RGB
        let main = isRGB ? heif_channel_R : heif_channel_Y
        guard
            let format = Self.format(
                heif_image_get_chroma_format(image), bits: heif_image_get_bits_per_pixel_range(image, main),
                isRGB: isRGB, hasAlpha: hasAlpha)
        else { return nil }
        self.format = format
        // FFmpeg's planar order is green, blue, red.
        let colours =
            isRGB
            ? [heif_channel_G, heif_channel_B, heif_channel_R] : [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
        let isGrey = heif_image_get_chroma_format(image) == heif_chroma_monochrome
        channels = (isGrey ? [heif_channel_Y] : colours) + (hasAlpha && !isGrey ? [heif_channel_Alpha] : [])
    }

    private static func format(
        _ chroma: heif_chroma, bits: Int32, isRGB: Bool, hasAlpha: Bool
    ) -> AVPixelFormat? {
        let depth = [8: 0, 10: 1, 12: 2][bits]
        guard let depth else { return nil }
        if isRGB {
            guard chroma == heif_chroma_444 else { return nil }
            return hasAlpha
                ? [AV_PIX_FMT_GBRAP, AV_PIX_FMT_GBRAP10LE, AV_PIX_FMT_GBRAP12LE][depth]
                : [AV_PIX_FMT_GBRP, AV_PIX_FMT_GBRP10LE, AV_PIX_FMT_GBRP12LE][depth]
        }
        switch chroma {
        case heif_chroma_monochrome:
            return [AV_PIX_FMT_GRAY8, AV_PIX_FMT_GRAY10LE, AV_PIX_FMT_GRAY12LE][depth]
        case heif_chroma_420:
            return hasAlpha
                ? [AV_PIX_FMT_YUVA420P, AV_PIX_FMT_YUVA420P10LE, nil][depth]
                : [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV420P12LE][depth]
        case heif_chroma_422:
            return hasAlpha
                ? [AV_PIX_FMT_YUVA422P, AV_PIX_FMT_YUVA422P10LE, AV_PIX_FMT_YUVA422P12LE][depth]
                : [AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV422P12LE][depth]
        case heif_chroma_444:
            return hasAlpha
                ? [AV_PIX_FMT_YUVA444P, AV_PIX_FMT_YUVA444P10LE, AV_PIX_FMT_YUVA444P12LE][depth]
                : [AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_YUV444P12LE][depth]
        default: return nil
        }
    }
}

import CFFmpeg
import CHeif
import Frames

/// Encodes small pictures as AVIF without metadata, by libheif with libaom.
enum AVIFEncoder: ThumbnailCoding {
    /// The finest quality looks as good as the finest JPEG, by SSIM.
    static let qualities: [Int32] = [72, 64, 56, 48, 40, 32, 24, 16, 8, 0]
    /// From 0 to 9; 9 is 3 times as fast as 8, but its files are 15 % larger.
    private static let speed: Int32 = 8

    /// Whether libheif has an encoder; distributions may ship it as a package of its own.
    static let isThere = heif_have_encoder_for_format(heif_compression_AV1) != 0

    static func encode(_ frame: borrowing Frame, quality: Int32) throws(FFmpegError) -> [UInt8] {
        let context = try FFmpegError.check(heif_context_alloc(), "heif_context_alloc")
        defer { heif_context_free(context) }
        let isHalved = frame.format == AV_PIX_FMT_YUVJ420P
        let encoder = try encoder(in: context, quality, isHalved)
        defer { heif_encoder_release(encoder) }
        let image = try image(of: frame, isHalved)
        defer { heif_image_release(image) }
        try encode(image, by: encoder, in: context)
        return try HEIFCall.written(context)
    }

    private static func encoder(
        in context: OpaquePointer, _ quality: Int32, _ isHalved: Bool
    ) throws(FFmpegError) -> OpaquePointer {
        var encoder: OpaquePointer?
        try HEIFCall.check(
            heif_context_get_encoder_for_format(context, heif_compression_AV1, &encoder),
            "heif_context_get_encoder_for_format")
        let chosen = try FFmpegError.check(encoder, "heif_context_get_encoder_for_format")
        heif_encoder_set_lossy_quality(chosen, quality)
        heif_encoder_set_logging_level(chosen, 0)
        heif_encoder_set_parameter_integer(chosen, "speed", speed)
        // Several workers share the cores.
        heif_encoder_set_parameter_integer(chosen, "threads", 1)
        heif_encoder_set_parameter_string(chosen, "chroma", isHalved ? "420" : "444")
        return chosen
    }

    /// A libheif image with copies of the frame's planes.
    private static func image(of frame: borrowing Frame, _ isHalved: Bool) throws(FFmpegError) -> OpaquePointer {
        var image: OpaquePointer?
        let (width, height) = (Int32(frame.width), Int32(frame.height))
        try HEIFCall.check(
            heif_image_create(
                width, height, heif_colorspace_YCbCr, isHalved ? heif_chroma_420 : heif_chroma_444, &image),
            "heif_image_create")
        guard let image else { throw HEIFCall.absence("heif_image_create") }
        let data = frame.pointer.pointee.data
        let lines = frame.pointer.pointee.linesize
        let small = isHalved ? ((width + 1) / 2, (height + 1) / 2) : (width, height)
        do throws(FFmpegError) {
            try copy(data.0, lines.0, to: heif_channel_Y, of: image, (width, height))
            try copy(data.1, lines.1, to: heif_channel_Cb, of: image, small)
            try copy(data.2, lines.2, to: heif_channel_Cr, of: image, small)
        } catch {
            heif_image_release(image)
            throw error
        }
        return image
    }

    private static func copy(
        _ source: UnsafeMutablePointer<UInt8>?, _ line: Int32, to channel: heif_channel, of image: OpaquePointer,
        _ size: (width: Int32, height: Int32)
    ) throws(FFmpegError) {
        var stride: Int32 = 0
        guard let source, heif_image_add_plane(image, channel, size.width, size.height, 8).code == heif_error_Ok,
            let plane = heif_image_get_plane(image, channel, &stride)
        else { throw HEIFCall.absence("heif_image_add_plane") }
        for y in 0..<Int(size.height) {
            (plane + y * Int(stride)).update(from: source + y * Int(line), count: Int(size.width))
        }
    }

    private static func encode(
        _ image: OpaquePointer, by encoder: OpaquePointer, in context: OpaquePointer
    ) throws(FFmpegError) {
        let colours = try FFmpegError.check(heif_nclx_color_profile_alloc(), "heif_nclx_color_profile_alloc")
        defer { heif_nclx_color_profile_free(colours) }
        // sRGB, and JFIF's brightness and colour (ITU-T H.273: 1, 13, 6).
        colours.pointee.color_primaries = heif_color_primaries_ITU_R_BT_709_5
        colours.pointee.transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1
        colours.pointee.matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6
        colours.pointee.full_range_flag = 1
        try HEIFCall.check(
            heif_image_set_nclx_color_profile(image, colours), "heif_image_set_nclx_color_profile")
        let options = try FFmpegError.check(heif_encoding_options_alloc(), "heif_encoding_options_alloc")
        defer { heif_encoding_options_free(options) }
        options.pointee.output_nclx_profile = colours
        var handle: OpaquePointer?
        try HEIFCall.check(
            heif_context_encode_image(context, image, encoder, options, &handle), "heif_context_encode_image")
        if let handle { heif_image_handle_release(handle) }
    }
}

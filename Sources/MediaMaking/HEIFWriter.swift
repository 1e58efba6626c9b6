import CFFmpeg
import CHeif
package import Frames

/// Encodes a bitmap as a HEIC or AVIF file, by libheif with x265 or libaom.
package struct HEIFWriter: Sendable {
    /// How the picture is coded.
    package enum Coding: Sendable {
        case hevc, av1
    }

    /// The codec of the picture, and of the thumbnail.
    var coding: Coding
    /// EXIF as a TIFF header with its directories.
    package var exif: [UInt8] = []
    /// XMP as XML; empty for none.
    var xmp: [UInt8] = []
    /// An ICC profile, which replaces the usual colour box.
    package var profile: [UInt8] = []
    /// The pixels of the longer side of a thumbnail inside the file; 0 for none.
    package var thumbnail: Int32 = 0
    /// How the file itself says to show the picture, by EXIF's numbers 1 to 8.
    package var orientation = 1

    /// A writer of a plain file, without metadata or thumbnail.
    package init(_ coding: Coding) {
        self.coding = coding
    }

    /// The file's bytes.
    package func encode(_ bitmap: Bitmap) throws(FFmpegError) -> [UInt8] {
        let context = try FFmpegError.check(heif_context_alloc(), "heif_context_alloc")
        defer { heif_context_free(context) }
        let encoder = try encoder(in: context)
        defer { heif_encoder_release(encoder) }
        let image = try Self.image(of: bitmap)
        defer { heif_image_release(image) }
        if !profile.isEmpty {
            try HEIFCall.check(
                heif_image_set_raw_color_profile(image, "prof", profile, profile.count),
                "heif_image_set_raw_color_profile")
        }
        let handle = try encode(image, by: encoder, in: context)
        defer { heif_image_handle_release(handle) }
        try addParts(to: handle, image, encoder, in: context)
        return try HEIFCall.written(context)
    }

    private func encoder(in context: OpaquePointer) throws(FFmpegError) -> OpaquePointer {
        var encoder: OpaquePointer?
        let format = coding == .hevc ? heif_compression_HEVC : heif_compression_AV1
        try HEIFCall.check(
            heif_context_get_encoder_for_format(context, format, &encoder), "heif_context_get_encoder_for_format")
        let chosen = try FFmpegError.check(encoder, "heif_context_get_encoder_for_format")
        heif_encoder_set_lossy_quality(chosen, 80)
        heif_encoder_set_logging_level(chosen, 0)
        switch coding {
        case .hevc: heif_encoder_set_parameter_string(chosen, "preset", "ultrafast")
        case .av1: heif_encoder_set_parameter_integer(chosen, "speed", 9)
        }
        return chosen
    }

    private func encode(
        _ image: OpaquePointer, by encoder: OpaquePointer, in context: OpaquePointer
    ) throws(FFmpegError) -> OpaquePointer {
        let options = heif_encoding_options_alloc()
        defer { heif_encoding_options_free(options) }
        options?.pointee.image_orientation = heif_orientation(UInt32(orientation))
        var handle: OpaquePointer?
        try HEIFCall.check(
            heif_context_encode_image(context, image, encoder, options, &handle), "heif_context_encode_image")
        return try FFmpegError.check(handle, "heif_context_encode_image")
    }

    private func addParts(
        to handle: OpaquePointer, _ image: OpaquePointer, _ encoder: OpaquePointer, in context: OpaquePointer
    ) throws(FFmpegError) {
        if !exif.isEmpty {
            try HEIFCall.check(
                heif_context_add_exif_metadata(context, handle, exif, Int32(exif.count)),
                "heif_context_add_exif_metadata")
        }
        if !xmp.isEmpty {
            try HEIFCall.check(
                heif_context_add_XMP_metadata(context, handle, xmp, Int32(xmp.count)), "heif_context_add_XMP_metadata")
        }
        guard thumbnail > 0 else { return }
        var small: OpaquePointer?
        try HEIFCall.check(
            heif_context_encode_thumbnail(context, image, handle, encoder, nil, thumbnail, &small),
            "heif_context_encode_thumbnail")
        if let small { heif_image_handle_release(small) }
    }

    private static func image(of bitmap: Bitmap) throws(FFmpegError) -> OpaquePointer {
        var image: OpaquePointer?
        let (width, height) = (Int32(bitmap.width), Int32(bitmap.height))
        try HEIFCall.check(
            heif_image_create(width, height, heif_colorspace_RGB, heif_chroma_interleaved_RGB, &image),
            "heif_image_create")
        guard let image else { throw HEIFCall.absence("heif_image_create") }
        var stride: Int32 = 0
        guard heif_image_add_plane(image, heif_channel_interleaved, width, height, 8).code == heif_error_Ok,
            let plane = heif_image_get_plane(image, heif_channel_interleaved, &stride)
        else {
            heif_image_release(image)
            throw HEIFCall.absence("heif_image_add_plane")
        }
        bitmap.rgb.withUnsafeBufferPointer { source in
            guard let from = source.baseAddress else { return }
            for y in 0..<bitmap.height {
                (plane + y * Int(stride)).update(from: from + y * bitmap.width * 3, count: bitmap.width * 3)
            }
        }
        return image
    }
}

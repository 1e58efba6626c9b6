import CFFmpeg
import CHeif
import Facts
import Frames
import Glibc
import MediaModel

/// An open HEIF or AVIF file and its primary image, closed with its owner.
struct HEIFPicture: ~Copyable {
    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// - Parameter bytes: The file, which must outlive this value.
    static func opened(_ bytes: UnsafeBufferPointer<UInt8>) throws(FFmpegError) -> HEIFPicture {
        HEVCPlugin.register()
        guard let context = heif_context_alloc() else {
            throw FFmpegError(call: "heif_context_alloc", code: cffmpeg_error_out_of_memory)
        }
        var handle: OpaquePointer?
        do throws(FFmpegError) {
            // Several workers share the cores.
            heif_context_set_max_decoding_threads(context, 0)
            try HEIFCall.check(
                heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil),
                "heif_context_read_from_memory")
            try HEIFCall.check(
                heif_context_get_primary_image_handle(context, &handle), "heif_context_get_primary_image_handle")
        } catch {
            heif_context_free(context)
            throw error
        }
        guard let handle else {
            heif_context_free(context)
            throw FFmpegError(call: "heif_context_get_primary_image_handle", code: cffmpeg_error_invalid_data)
        }
        return HEIFPicture(context: context, handle: handle)
    }

    private init(context: OpaquePointer, handle: OpaquePointer) {
        self.context = context
        self.handle = handle
    }

    deinit {
        heif_image_handle_release(handle)
        heif_context_free(context)
    }

    /// Pixels as shown, after the rotations and crops that the file states.
    var width: Int { Int(heif_image_handle_get_width(handle)) }
    var height: Int { Int(heif_image_handle_get_height(handle)) }

    /// Whether the file turns the picture by 90 or 270 degrees, so that its sides are exchanged.
    var swapsSides: Bool {
        let stored = (heif_image_handle_get_ispe_width(handle), heif_image_handle_get_ispe_height(handle))
        return stored.0 != stored.1 && Int(stored.0) == height && Int(stored.1) == width
    }

    /// EXIF as the file holds it: a TIFF header with its directories.
    var exif: [UInt8]? { metadata("Exif").flatMap { PictureParts.exif(behindOffset: $0) } }

    /// The XMP metadata (XML).
    var xmp: [UInt8]? { metadata("mime") }

    private func metadata(_ type: String) -> [UInt8]? {
        var id: heif_item_id = 0
        guard heif_image_handle_get_list_of_metadata_block_IDs(handle, type, &id, 1) == 1 else { return nil }
        let size = heif_image_handle_get_metadata_size(handle, id)
        guard size > 0, size <= 8 << 20 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard heif_image_handle_get_metadata(handle, id, &bytes).code == heif_error_Ok else { return nil }
        return bytes
    }

    /// The decoded pixels, of an embedded thumbnail if one is large enough for pictures of `longSide`.
    ///
    /// - Parameter maxPixels: Width times height at most; a larger picture is refused before it is decoded.
    func frame(for longSide: Int, maxPixels: Int) throws(FFmpegError) -> Frame {
        try FFmpegError.checkSize(width, height, limit: maxPixels, "heif_decode_image")
        if let smaller = thumbnail(for: longSide) {
            defer { heif_image_handle_release(smaller) }
            return try decoded(smaller)
        }
        return try decoded(handle, isShrunkMuch: max(width, height) >= 4 * longSide)
    }

    /// The smallest thumbnail that is large enough and has the picture's shape.
    private func thumbnail(for longSide: Int) -> OpaquePointer? {
        var ids = [heif_item_id](repeating: 0, count: 8)
        let count = Int(heif_image_handle_get_list_of_thumbnail_IDs(handle, &ids, Int32(ids.count)))
        var best: OpaquePointer?
        for id in ids.prefix(max(0, count)) {
            var candidate: OpaquePointer?
            guard heif_image_handle_get_thumbnail(handle, id, &candidate).code == heif_error_Ok, let candidate
            else { continue }
            if isEnough(candidate, for: longSide), best.map({ Self.width($0) > Self.width(candidate) }) ?? true {
                if let best { heif_image_handle_release(best) }
                best = candidate
            } else {
                heif_image_handle_release(candidate)
            }
        }
        return best
    }

    private func isEnough(_ candidate: OpaquePointer, for longSide: Int) -> Bool {
        let (small, tall) = (Self.width(candidate), Int(heif_image_handle_get_height(candidate)))
        let slant = abs(small * height - tall * width)
        return max(small, tall) >= longSide && max(small, tall) < max(width, height) && slant <= max(width, height)
    }

    private static func width(_ handle: OpaquePointer) -> Int { Int(heif_image_handle_get_width(handle)) }

    private func decoded(_ handle: OpaquePointer, isShrunkMuch: Bool = false) throws(FFmpegError) -> Frame {
        let stated = stated
        var (image, colour) = try Self.image(
            of: handle, heif_colorspace_undefined, heif_chroma_undefined, isQuick: isShrunkMuch, stated)
        // FFmpeg has no format with a plane of brightness and one of alpha, so libheif converts the picture to RGBA.
        if heif_image_get_chroma_format(image) == heif_chroma_monochrome, Frame.hasWholeAlpha(image) {
            heif_image_release(image)
            (image, colour) = try Self.image(
                of: handle, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, isQuick: isShrunkMuch, stated)
        }
        let frame = try Frame.wrapping(image)
        // If neither the file nor its coding states colours: full range and BT.601 (MIAF, ISO/IEC 23000-22, 7.3.6.4).
        describe(frame, stated ?? colour ?? CodedColour(primaries: 1, transfer: 13, matrix: 6, isFullRange: true))
        return frame
    }

    /// The image that libheif decodes in this form, which the caller frees, and the colours that the coding states.
    private static func image(
        of handle: OpaquePointer, _ space: heif_colorspace, _ chroma: heif_chroma, isQuick: Bool, _ stated: CodedColour?
    ) throws(FFmpegError) -> (OpaquePointer, CodedColour?) {
        var image: OpaquePointer?
        let decode = { heif_decode_image(handle, &image, space, chroma, nil) }
        var (end, colour, refusal) = HEVCPlugin.decoding(isQuick: isQuick, matrix: stated?.matrix, decode)
        let isGreenAndOrange = (stated ?? colour)?.matrix == AVCOL_SPC_YCGCO.rawValue
        if end.code != heif_error_Ok, isGreenAndOrange {
            // Tiles must have the bits that the file states, so they are not cut to bytes: too dark beats nothing.
            (end, colour, refusal) = HEVCPlugin.decoding(
                isQuick: isQuick, matrix: AVCOL_SPC_UNSPECIFIED.rawValue, decode)
        }
        if end.code != heif_error_Ok, let refusal { throw refusal }
        try HEIFCall.check(end, "heif_decode_image")
        guard let image else { throw FFmpegError(call: "heif_decode_image", code: cffmpeg_error_invalid_data) }
        return (image, colour)
    }

    /// The colour description in the file's own box; `nil` without one.
    private var stated: CodedColour? {
        var box: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard heif_image_handle_get_nclx_color_profile(handle, &box).code == heif_error_Ok, let box else { return nil }
        defer { heif_nclx_color_profile_free(box) }
        return CodedColour(
            primaries: box.pointee.color_primaries.rawValue,
            transfer: box.pointee.transfer_characteristics.rawValue,
            matrix: box.pointee.matrix_coefficients.rawValue, isFullRange: box.pointee.full_range_flag != 0)
    }

    /// Sets the frame's ICC profile and colour description.
    private func describe(_ frame: borrowing Frame, _ colour: CodedColour) {
        let size = heif_image_handle_get_raw_color_profile_size(handle)
        if size > 0, size <= 4 << 20,
            let side = av_frame_new_side_data(frame.pointer, AV_FRAME_DATA_ICC_PROFILE, size)
        {
            _ = heif_image_handle_get_raw_color_profile(handle, side.pointee.data)
        }
        frame.describe(colour)
    }
}

/// A colour description, as the code points of ITU-T H.273.
struct CodedColour: Hashable {
    var primaries: UInt32
    var transfer: UInt32
    var matrix: UInt32
    var isFullRange: Bool
}

extension Frame {
    /// Sets its colour description.
    func describe(_ colour: CodedColour) {
        pointer.pointee.color_primaries = AVColorPrimaries(colour.primaries)
        pointer.pointee.color_trc = AVColorTransferCharacteristic(colour.transfer)
        pointer.pointee.colorspace = AVColorSpace(colour.matrix)
        pointer.pointee.color_range = colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    }
}

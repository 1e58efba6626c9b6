import CFFmpeg
import CHeif
import Frames
import Synchronization

/// FFmpeg's decoders of HEVC and AV1 as plugins of libheif.
///
/// FFmpeg's for HEVC is several times as fast as libheif's; for AV1, libheif starts threads that cost more than they
/// gain. The current picture is task-local, because libheif calls a plugin on the thread that decodes.
enum HEVCPlugin {
    /// How one picture is decoded, and what was found in it.
    private final class Picture: Sendable {
        let isQuick: Bool
        /// The matrix that the file states; `nil` if only the coded picture may state one.
        let matrix: UInt32?
        let colour = Mutex<CodedColour?>(nil)
        let refusal = Mutex<FFmpegError?>(nil)

        init(isQuick: Bool, matrix: UInt32?) { (self.isQuick, self.matrix) = (isQuick, matrix) }

        /// Whether samples must be cut to bytes, because libheif converts YCgCo with a limit of 255 at any depth.
        var mayHaveBytesOnly: Bool { (matrix ?? colour.withLock { $0?.matrix }) == AVCOL_SPC_YCGCO.rawValue }
    }

    @TaskLocal private static var picture: Picture?

    private static let isRegistered: Void = {
        for description in [hevc, av1] {
            // Libheif keeps the pointer for as long as the process runs.
            let plugin = UnsafeMutablePointer<heif_decoder_plugin>.allocate(capacity: 1)
            plugin.initialize(to: description)
            _ = heif_register_decoder_plugin(plugin)
        }
    }()

    /// Makes libheif prefer these decoders; idempotent.
    static func register() { _ = isRegistered }

    /// Runs `body`, in which libheif decodes one picture; returns libheif's result, the colours that the coded picture
    /// states, and why our decoder refused it if it has words for that.
    ///
    /// - Parameter isQuick: Whether the picture is shown so much smaller that the filters against block edges,
    ///   a third of the work, make no visible difference.
    /// - Parameter matrix: The matrix that the file states, which overrides that of the coded picture.
    static func decoding(
        isQuick: Bool, matrix: UInt32?, _ body: () -> heif_error
    ) -> (end: heif_error, colour: CodedColour?, refusal: FFmpegError?) {
        let picture = Picture(isQuick: isQuick, matrix: matrix)
        let end = $picture.withValue(picture, operation: body)
        return (end, picture.colour.withLock { $0 }, picture.refusal.withLock { $0 })
    }

    /// One coded picture, and what decodes it.
    private struct Input {
        /// FFmpeg's name.
        let decoder: String
        var bytes: [UInt8] = []
    }

    private static var hevc: heif_decoder_plugin {
        var plugin = plugin
        plugin.does_support_format = { $0 == heif_compression_HEVC ? 200 : 0 }
        plugin.new_decoder = { HEVCPlugin.begin($0, "hevc") }
        return plugin
    }

    private static var av1: heif_decoder_plugin {
        var plugin = plugin
        plugin.does_support_format = { $0 == heif_compression_AV1 ? 200 : 0 }
        plugin.new_decoder = { HEVCPlugin.begin($0, "libdav1d") }
        return plugin
    }

    private static func begin(_ decoder: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ name: String) -> heif_error
    {
        let input = UnsafeMutablePointer<Input>.allocate(capacity: 1)
        input.initialize(to: Input(decoder: name))
        decoder?.pointee = UnsafeMutableRawPointer(input)
        return success
    }

    private static var plugin: heif_decoder_plugin {
        var plugin = heif_decoder_plugin()
        plugin.plugin_api_version = 3
        plugin.get_plugin_name = { HEVCPlugin.name.pointer }
        plugin.id_name = name.pointer
        plugin.free_decoder = { decoder in
            guard let input = decoder?.assumingMemoryBound(to: Input.self) else { return }
            input.deinitialize(count: 1)
            input.deallocate()
        }
        plugin.push_data = { decoder, bytes, count in
            decoder?.assumingMemoryBound(to: Input.self).pointee.bytes
                .append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            return HEVCPlugin.success
        }
        plugin.decode_image = { decoder, image in
            guard let input = decoder?.assumingMemoryBound(to: Input.self), let image else {
                return HEVCPlugin.failure
            }
            do throws(FFmpegError) {
                image.pointee = try HEVCPlugin.image(of: input.pointee)
                return HEVCPlugin.success
            } catch {
                if error.words != nil { HEVCPlugin.picture?.refusal.withLock { $0 = error } }
                return error.isOutOfMemory ? HEVCPlugin.outOfMemory : HEVCPlugin.failure
            }
        }
        plugin.set_strict_decoding = { _, _ in }
        return plugin
    }

    /// A static C string.
    private struct Name: @unchecked Sendable {
        let pointer: UnsafePointer<CChar>

        init(_ text: StaticString) {
            pointer = UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
        }
    }

    private static let name = Name("ffmpeg")
    private static let fine = Name("Success")
    private static let damaged = Name("The coded picture is damaged")

    private static var success: heif_error {
        heif_error(code: heif_error_Ok, subcode: heif_suberror_Unspecified, message: fine.pointer)
    }
    private static var failure: heif_error {
        heif_error(
            code: heif_error_Decoder_plugin_error, subcode: heif_suberror_Unspecified, message: damaged.pointer)
    }
    private static var outOfMemory: heif_error {
        heif_error(
            code: heif_error_Memory_allocation_error, subcode: heif_suberror_Unspecified, message: damaged.pointer)
    }

    /// Decodes one coded picture; one of HEVC consists of length-prefixed units, headers first.
    private static func image(of input: Input) throws(FFmpegError) -> OpaquePointer? {
        let isQuick = picture?.isQuick ?? false
        var options = Decoder.Options(maxPixels: 300_000_000, isQuick: isQuick)
        // Film grain is not applied, because scaling would remove it again.
        if isQuick { options.own = [("export_side_data", "film_grain")] }
        let decoder = try Decoder.opened(input.decoder, options: options)
        try decoder.send(try Packet.copy(of: input.decoder == "hevc" ? startCodes(input.bytes) : input.bytes))
        decoder.finish()
        guard let frame = try decoder.receive() else {
            throw FFmpegError(call: "avcodec_receive_frame", code: cffmpeg_error_invalid_data)
        }
        let colour = frame.codedColour(statesRange: input.decoder != "hevc")
        picture?.colour.withLock { $0 = $0 ?? colour }
        let image = try frame.heifImage(ofBytes: picture?.mayHaveBytesOnly ?? false)
        if let image, let colour { describe(image, colour) }
        return image
    }

    /// Tells libheif, which converts some pictures to red, green and blue, what the stream states about its colours.
    private static func describe(_ image: OpaquePointer, _ colour: CodedColour) {
        guard let profile = heif_nclx_color_profile_alloc() else { return }
        defer { heif_nclx_color_profile_free(profile) }
        profile.pointee.color_primaries = heif_color_primaries(colour.primaries)
        profile.pointee.transfer_characteristics = heif_transfer_characteristics(colour.transfer)
        profile.pointee.matrix_coefficients = heif_matrix_coefficients(colour.matrix)
        profile.pointee.full_range_flag = colour.isFullRange ? 1 : 0
        _ = heif_image_set_nclx_color_profile(image, profile)
    }

    /// Replaces the lengths of ISO/IEC 14496-15 by the start codes of ITU-T H.265, annex B.
    private static func startCodes(_ units: [UInt8]) throws(FFmpegError) -> [UInt8] {
        var stream: [UInt8] = []
        stream.reserveCapacity(units.count)
        var offset = 0
        while offset + 4 <= units.count {
            let length = units[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= units.count - offset - 4 else {
                throw FFmpegError(call: "startCodes", code: cffmpeg_error_invalid_data)
            }
            stream += [0, 0, 0, 1]
            stream += units[offset + 4..<offset + 4 + length]
            offset += 4 + length
        }
        return stream
    }
}

extension Frame {
    /// The colour description that the decoder found; `nil` if the stream states none.
    ///
    /// - Parameter statesRange: Whether the stream always says which values are black and white, as AV1 does.
    fileprivate func codedColour(statesRange: Bool) -> CodedColour? {
        let isFullRange = pointer.pointee.color_range == AVCOL_RANGE_JPEG
        guard pointer.pointee.colorspace != AVCOL_SPC_UNSPECIFIED else {
            // A matrix that is not stated is BT.601's, whatever the size (MIAF, ISO/IEC 23000-22, 7.3.6.4).
            return statesRange || isFullRange
                ? CodedColour(primaries: 1, transfer: 13, matrix: 6, isFullRange: isFullRange) : nil
        }
        return CodedColour(
            primaries: pointer.pointee.color_primaries.rawValue, transfer: pointer.pointee.color_trc.rawValue,
            matrix: pointer.pointee.colorspace.rawValue, isFullRange: isFullRange)
    }

    /// A copy as a libheif image.
    ///
    /// - Parameter ofBytes: Whether samples are cut to their upper eight bits.
    fileprivate func heifImage(ofBytes: Bool) throws(FFmpegError) -> OpaquePointer? {
        // Without a matrix, libheif has green, blue and red in the planes of brightness and colour, just as FFmpeg has.
        guard let description = av_pix_fmt_desc_get(format)?.pointee, description.comp.0.depth <= 12,
            description.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0 || description.nb_components == 1
        else { throw FFmpegError(call: "heif_image_create", code: cffmpeg_error_invalid_data) }
        let isGrey = description.nb_components == 1
        let chroma =
            isGrey
            ? heif_chroma_monochrome
            : [heif_chroma_444, heif_chroma_422, heif_chroma_420][
                Int(min(2, description.log2_chroma_w + description.log2_chroma_h))]
        var image: OpaquePointer?
        let colourSpace = isGrey ? heif_colorspace_monochrome : heif_colorspace_YCbCr
        guard heif_image_create(Int32(width), Int32(height), colourSpace, chroma, &image).code == heif_error_Ok,
            let image
        else { throw FFmpegError(call: "heif_image_create", code: cffmpeg_error_out_of_memory) }
        for (index, channel) in [heif_channel_Y, heif_channel_Cb, heif_channel_Cr].enumerated().prefix(isGrey ? 1 : 3) {
            let isColour = index > 0
            let columns = isColour ? -((-width) >> Int(description.log2_chroma_w)) : width
            let rows = isColour ? -((-height) >> Int(description.log2_chroma_h)) : height
            let depth = description.comp.0.depth
            let excess = ofBytes ? max(0, depth - 8) : 0
            guard
                heif_image_add_plane(image, channel, Int32(columns), Int32(rows), depth - excess).code == heif_error_Ok,
                excess > 0
                    ? copy(index, into: image, channel, columns: columns, rows: rows, without: excess)
                    : copy(index, into: image, channel, bytes: columns * (depth > 8 ? 2 : 1), rows: rows)
            else {
                heif_image_release(image)
                throw FFmpegError(call: "heif_image_add_plane", code: cffmpeg_error_out_of_memory)
            }
        }
        return image
    }

    private func copy(_ plane: Int, into image: OpaquePointer, _ channel: heif_channel, bytes: Int, rows: Int) -> Bool {
        let planes = [pointer.pointee.data.0, pointer.pointee.data.1, pointer.pointee.data.2]
        let strides = [pointer.pointee.linesize.0, pointer.pointee.linesize.1, pointer.pointee.linesize.2]
        var stride: Int32 = 0
        guard let from = planes[plane], let to = heif_image_get_plane(image, channel, &stride) else { return false }
        for row in 0..<rows {
            (to + row * Int(stride)).update(from: from + row * Int(strides[plane]), count: bytes)
        }
        return true
    }

    /// Copies samples of two bytes as single bytes, rounded, without their `excess` lowest bits.
    private func copy(
        _ plane: Int, into image: OpaquePointer, _ channel: heif_channel, columns: Int, rows: Int, without excess: Int32
    ) -> Bool {
        let planes = [pointer.pointee.data.0, pointer.pointee.data.1, pointer.pointee.data.2]
        let strides = [pointer.pointee.linesize.0, pointer.pointee.linesize.1, pointer.pointee.linesize.2]
        var stride: Int32 = 0
        guard let from = planes[plane], let to = heif_image_get_plane(image, channel, &stride) else { return false }
        let half = UInt16(1) << UInt16(excess - 1)
        for row in 0..<rows {
            let samples = UnsafeRawPointer(from + row * Int(strides[plane])).assumingMemoryBound(to: UInt16.self)
            let target = to + row * Int(stride)
            for x in 0..<columns { target[x] = UInt8(min(255, (samples[x] + half) >> UInt16(excess))) }
        }
        return true
    }
}
